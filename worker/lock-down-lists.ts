/** What stays in the worker's realm. Everything else is removed; adding a name here wants a reason. */

/** The language itself. None of it reaches out of the realm. (`eval` and `Function` are not on it.) */
const LANGUAGE = [
  'globalThis', 'undefined', 'NaN', 'Infinity',
  'Object', 'Boolean', 'Symbol', 'Number', 'BigInt', 'Math', 'Date', 'String', 'RegExp', 'JSON', 'Intl',
  'Array', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Iterator', 'Promise', 'Proxy', 'Reflect',
  'ArrayBuffer', 'SharedArrayBuffer', 'Atomics', 'DataView',
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array',
  'BigUint64Array', 'Float16Array', 'Float32Array', 'Float64Array',
  'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'SuppressedError',
  'DisposableStack', 'AsyncDisposableStack', 'Temporal',
  'parseInt', 'parseFloat', 'isNaN', 'isFinite', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape',
] as const;

/** What the sandbox, the engine's loader and Comlink use while programs run. */
const PLATFORM = [
  'WebAssembly',
  'TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'structuredClone', 'DOMException',
  'setTimeout', 'clearTimeout', 'queueMicrotask', 'performance', 'console',
  // The channel to the page and the yield between slices of jobs.
  'MessageChannel', 'MessagePort', 'MessageEvent', 'EventTarget', 'Event', 'addEventListener', 'removeEventListener', 'dispatchEvent',
] as const;

export const KEPT_GLOBALS: ReadonlySet<string> = new Set([...LANGUAGE, ...PLATFORM]);

/** Node's own code calls these on the `process` object; the object itself is no longer reachable by name. */
export const KEPT_PROCESS: ReadonlySet<string> = new Set(['nextTick', 'emit', 'on', 'once', 'listenerCount', 'emitWarning', '_exiting', 'exitCode']);
