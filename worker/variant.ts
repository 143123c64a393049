/**
 * The engine's WebAssembly bytes. This form serves Node in development and tests; the build of the worker file replaces
 * this module by one that carries the bytes (same export).
 */
interface NodePowers {
  getBuiltinModule(name: 'node:fs'): { readFileSync(path: string): Uint8Array<ArrayBuffer> };
  getBuiltinModule(name: 'node:module'): { createRequire(from: string): { resolve(specifier: string): string } };
}

export function loadWasm(): Promise<BufferSource> {
  const node = (globalThis as { process?: NodePowers }).process;
  if (!node) throw new Error('worker/variant.ts is the form for Node; the build of the worker carries the bytes');
  const { createRequire } = node.getBuiltinModule('node:module');
  const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  return Promise.resolve(node.getBuiltinModule('node:fs').readFileSync(path));
}
