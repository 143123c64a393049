/**
 * `import { prelude, extras } from 'virtual:guest-source'`: the code that runs inside QuickJS before the program, as
 * text. One plugin object for Vite, vitest, tsdown and rolldown; nothing of it reaches the worker as a module.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

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

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Template extends Node {
  readonly quasis: readonly { readonly value: { readonly cooked: string } }[];
  readonly expressions: readonly Node[];
}

/**
 * QuickJS compiles `a${b}` to a call of `concat` looked up on the text, which a program can replace. So the prelude's
 * templates become additions; its expressions are texts and numbers only, for which that is the same.
 */
export function lowerTemplates(code: string): string {
  const lower = (node: unknown): string => render(node as Node, (child) => lower(child));
  const render = (node: Node, inner: (child: Node) => string): string => {
    if (node.type === 'TemplateLiteral' && (node as Template).expressions.length > 0) {
      const { quasis, expressions } = node as Template;
      const parts = quasis.flatMap(({ value }, i) => {
        const text = JSON.stringify(value.cooked);
        return i < expressions.length ? [text, `(${inner(expressions[i]!)})`] : [text];
      });
      return `(${parts.join('+')})`;
    }
    let text = '';
    let at = node.start;
    for (const child of childrenOf(node)) {
      text += code.slice(at, child.start) + inner(child);
      at = child.end;
    }
    return text + code.slice(at, node.end);
  };
  const program = parseAst(code, { lang: 'js', sourceType: 'script' } as never) as unknown as Node;
  return code.slice(0, program.start) + lower(program) + code.slice(program.end);
}

function childrenOf(node: Node): Node[] {
  const children = Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
  // Shorthand properties and the like name one place twice.
  return children
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((child, i, all) => i === 0 || child.start >= all[i - 1]!.end);
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Node).type === 'string' &&
    typeof (value as Node).start === 'number'
  );
}

/** Bundles one entry with a default export to an expression that is a function of the host's powers (`$powers`). */
async function bundle(entry: string, keepNames: boolean): Promise<{ text: string; files: readonly string[] }> {
  const build = await rolldown({ input: entry, platform: 'neutral', logLevel: 'warn', tsconfig: false });
  const { output } = await build.generate({
    format: 'iife',
    name: '$guest',
    exports: 'default',
    minify: { compress: true, mangle: { keepNames }, codegen: true },
    sourcemap: false,
  });
  const files = await build.watchFiles;
  await build.close();
  const [chunk] = output;
  if (output.length !== 1 || chunk.code.includes('import.meta')) throw new Error(`${entry} must bundle to one plain script`);
  return { text: `(function($powers){"use strict";${lowerTemplates(chunk.code).trim()}\nreturn $guest})`, files };
}

/** Texts of the prelude and of each extra (loaded by the guest when a program first uses it), by file name. */
export async function guestTexts(): Promise<{ prelude: string; extras: Record<string, string>; files: readonly string[] }> {
  const names = readdirSync(join(GUEST, 'extras')).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const prelude = await bundle(join(GUEST, 'main.ts'), false);
  const extras = await Promise.all(names.map((name) => bundle(join(GUEST, 'extras', name), true)));
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
      const constants = { prelude, extras, fingerprint: fingerprint([prelude, ...Object.values(extras)]) };
      return Object.entries(constants)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
        .join('');
    },
  };
}

/** FNV-1a: tells two preludes apart in a journal; not a digest for anything else. Eight hexadecimal digits. */
export function fingerprint(texts: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const text of texts) for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
