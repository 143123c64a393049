/**
 * `import { prelude, extras } from 'virtual:guest-source'`: the code that runs inside QuickJS before the program, as
 * text. One plugin object for Vite, vitest, tsdown and rolldown; nothing of it reaches the worker as a module.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export const GUEST_SOURCE = 'virtual:guest-source';
const RESOLVED = `\0${GUEST_SOURCE}`;
const GUEST = fileURLToPath(new URL('../../worker/guest/', import.meta.url));

interface Watcher {
  addWatchFile(file: string): void;
}

/** The hooks that Vite's and rolldown's plugin types have in common. */
export interface GuestSourcePlugin {
  name: string;
  resolveId(id: string): string | undefined;
  load(this: Watcher, id: string): Promise<string | undefined>;
}

/** Bundles one entry with a default export to an expression that is a function of the host's powers (`$powers`). */
async function bundle(entry: string): Promise<{ text: string; files: readonly string[] }> {
  const build = await rolldown({ input: entry, platform: 'neutral', logLevel: 'warn', tsconfig: false });
  const { output } = await build.generate({ format: 'iife', name: '$guest', exports: 'default', minify: true, sourcemap: false });
  const files = await build.watchFiles;
  await build.close();
  const [chunk] = output;
  if (output.length !== 1 || chunk.code.includes('import.meta')) throw new Error(`${entry} must bundle to one plain script`);
  return { text: `(function($powers){"use strict";${chunk.code.trim()}\nreturn $guest})`, files };
}

/** Texts of the prelude and of each extra (loaded by the guest when a program first uses it), by file name. */
export async function guestTexts(): Promise<{ prelude: string; extras: Record<string, string>; files: readonly string[] }> {
  const names = readdirSync(join(GUEST, 'extras')).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const prelude = await bundle(join(GUEST, 'main.ts'));
  const extras = await Promise.all(names.map((name) => bundle(join(GUEST, 'extras', name))));
  return {
    prelude: prelude.text,
    extras: Object.fromEntries(names.map((name, i) => [name.slice(0, -3), extras[i]!.text])),
    files: [...prelude.files, ...extras.flatMap((extra) => extra.files)],
  };
}

export function guestSource(): GuestSourcePlugin {
  return {
    name: 'react-code-mode:guest-source',
    resolveId: (id) => (id === GUEST_SOURCE ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined;
      const { prelude, extras, files } = await guestTexts();
      for (const file of files) this.addWatchFile(file);
      return `export const prelude = ${JSON.stringify(prelude)};\nexport const extras = ${JSON.stringify(extras)};\n`;
    },
  };
}
