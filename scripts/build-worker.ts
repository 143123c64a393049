/**
 * The worker as one file: a script (no import, no export) with the engine's WebAssembly inside, gzip and base64, so that
 * it needs no second request, works under the strictest policy of its own response, in every bundler and in Node.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { tokTypes, tokenizer } from 'acorn';
import { type Plugin, rolldown } from 'rolldown';
import { guestSource } from './plugins/guest-source.ts';
import { leanParser } from './plugins/lean-parser.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const ENGINE = '@jitl/quickjs-wasmfile-release-sync';

/** Bundles worker/entry.ts. @throws Error when the engine's loader has changed and the replacements below do not apply */
export async function bundleWorker(): Promise<string> {
  const bundle = await rolldown({
    input: join(root, 'worker/entry.ts'),
    platform: 'browser',
    cwd: root,
    plugins: [guestSource() as Plugin, leanParser(), packedEngine(await packEngine()), plainLoader()],
    logLevel: 'warn',
    tsconfig: false,
  });
  try {
    const { output } = await bundle.generate({
      format: 'iife',
      strict: true,
      codeSplitting: false,
      minify: true,
      comments: { legal: true },
    });
    if (output.length !== 1)
      throw new Error(`The worker must be one file, not ${output.map((part) => part.fileName).join(', ')}.`);
    const code = toAscii(output[0].code);
    refuseImports(code);
    return code;
  } finally {
    await bundle.close();
  }
}

/**
 * One byte a character, in the file as in the memory of the engine that compiles it: a single character beyond makes all of
 * the text twice as long, and decoding it slow. In texts and regular expressions the escape means the same as the character.
 * @throws Error where it would not: in a name, behind a backslash, in a template that a function gets as it is written
 */
export function toAscii(code: string): string {
  const escaped = code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const before = meanings(code);
  const after = meanings(escaped);
  const at = before.findIndex((meaning, i) => meaning !== after[i]);
  if (at >= 0) throw new Error(`A character beyond ASCII cannot be escaped in the worker file, in ${before[at]!.slice(0, 60)}`);
  return escaped;
}

/** What each token of a program means, however it is written. */
function meanings(code: string): string[] {
  const found: string[] = [];
  let last = '';
  for (const { type, start, end, ...token } of tokenizer(code, { ecmaVersion: 'latest' })) {
    const { value } = token as { readonly value?: unknown };
    const tagged = type.label === '`' && /^(?:name|\)|\]) /.test(last);
    if (tagged)
      throw new Error(`A template with a function before it is in the worker file, in ${code.slice(start, start + 60)}`);
    last = `${type.label} ${type.label === 'regexp' ? plainExpression(code.slice(start, end)) : String(value)}`;
    found.push(last);
  }
  return found;
}

/** The text of a regular expression with characters in the place of their escapes. */
function plainExpression(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|[^])/g, (escape, digits: string | undefined) =>
    digits === undefined ? escape : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** Whatever imports would be looked up by bundlers and blocked by the policy of the file's response. */
function refuseImports(code: string): void {
  for (const token of tokenizer(code, { ecmaVersion: 'latest' })) {
    if (token.type === tokTypes._import)
      throw new Error(`The worker file still imports something: ${code.slice(token.start, token.start + 60)}`);
  }
}

async function packEngine(): Promise<string> {
  const wasm = await readFile(require.resolve(`${ENGINE}/wasm`));
  return gzipSync(wasm, { level: 9 }).toString('base64');
}

/** In the place of worker/variant.ts, which reads the file in Node: the bytes, unpacked by the platform. */
function packedEngine(packed: string): Plugin {
  return {
    name: 'packed-engine',
    load(id) {
      if (id !== join(root, 'worker/variant.ts')) return null;
      return `
        const packed = ${JSON.stringify(packed)};
        // Where the platform cannot: a plain loop, because this runs once, before anything is optimised.
        function fromBase64(binary) {
          const bytes = new Uint8Array(binary.length);
          for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
          return bytes;
        }
        export async function loadWasm() {
          // In Node the first \`Response\` loads the whole of fetch, which takes longer than the rest of the start.
          const zlib = globalThis.process?.getBuiltinModule?.('node:zlib');
          if (zlib) return zlib.gunzipSync(Buffer.from(packed, 'base64'));
          const bytes = Uint8Array.fromBase64?.(packed) ?? fromBase64(atob(packed));
          const stream = new Response(bytes).body.pipeThrough(new DecompressionStream('gzip'));
          return new Response(stream).arrayBuffer();
        }`;
    },
  };
}

/**
 * The engine's loader knows where its .wasm file would be. The bytes are inside, and webpack-like bundlers would look for
 * the file and fail, so both places are emptied.
 */
function plainLoader(): Plugin {
  const fileAddress = '(new URL("emscripten-module.wasm",import.meta.url)).href';
  return {
    name: 'plain-loader',
    transform(code, id) {
      if (!id.endsWith('emscripten-module.browser.mjs')) return null;
      if (!code.includes(fileAddress) || !code.includes('import.meta.url')) {
        throw new Error(
          `The loader of ${ENGINE} has changed: the address of its .wasm file was not found in ${id}. Read it again and adapt scripts/build-worker.ts.`,
        );
      }
      // An address that others can be relative to: the loader tries that, and an exception there costs a millisecond.
      return code.replaceAll(fileAddress, '""').replaceAll('import.meta.url', '"file:///"');
    },
  };
}
