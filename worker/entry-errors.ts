import type { WireError } from '../src/protocol/wire.ts';

/** Why the engine could not be made, in words for the application. */
export function startError(error: unknown, memoryBytes: number): WireError {
  const message = error instanceof Error ? error.message : String(error);
  if (typeof WebAssembly === 'undefined') {
    return unsupported('This environment has no WebAssembly, which the sandbox is made of.');
  }
  if (/content security policy|wasm-unsafe-eval|unsafe-eval|blocked by CSP/i.test(message)) {
    return unsupported(
      `The Content Security Policy forbids WebAssembly, which the sandbox is made of. Add 'wasm-unsafe-eval' to \`script-src\`: of the response that carries worker.js, or of the page when the worker starts from a Blob. (${message})`,
    );
  }
  if (error instanceof RangeError) {
    const mebibytes = Math.round(memoryBytes / 1024 / 1024);
    return {
      code: 'executor_unavailable',
      name: 'ExecutorError',
      message: `There is not enough memory for a program of ${mebibytes} MiB (limits.memoryBytes). Lower it, or close other programs. (${message})`,
    };
  }
  return { code: 'executor_unavailable', name: 'ExecutorError', message: `The engine could not be started: ${message}` };
}

function unsupported(message: string): WireError {
  return { code: 'environment_unsupported', name: 'EnvironmentError', message };
}
