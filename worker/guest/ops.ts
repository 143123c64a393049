/** The numbers with which host and prelude call each other, and the shape of what they hand over. */

/** Host → guest, first argument of the prelude's function. */
export const OP = {
  /** (settings: JSON of `Settings`) */
  start: 0,
  /** (call id, encoded value) */
  resolve: 1,
  /** (call id, JSON `[code, name, message, data text or null]`) */
  reject: 2,
  /** (timer id) */
  fire: 3,
  /** () → report of what happened since the last one, '' if nothing did */
  collect: 4,
  /** (`{ value }` of the completed program, bit 1: call a function, bit 2: there is a value) */
  conclude: 5,
  /** (reason a program's promise was rejected with) */
  fail: 6,
  /** Like `resolve`, for a text without tags: looking for them here costs a twentieth of the parsing. */
  resolvePlain: 7,
} as const;

/** Guest → host, first argument of the host's function; text in and out is JSON. */
export const ASK = {
  /** → whole milliseconds since the epoch */
  now: 0,
  /** `[namespace or '', key]` → `[tool index or -1, single field or null, 1 if a namespace]` */
  name: 1,
  /** namespace or '' → array of keys */
  keys: 2,
  /** name of an extra → its source, not JSON */
  extra: 3,
  /** request of the Intl extra → its answer */
  intl: 4,
  /** request of the URL extra → its answer */
  url: 5,
  /** text without NUL and lone surrogates → bytes of its UTF-8 form */
  bytes: 6,
} as const;

/** What one run tells the prelude. An array, because guest code may have put fields on `Object.prototype`. */
export type Settings = readonly [
  seed: readonly [number, number, number, number],
  limits: readonly [maxCalls: number, maxInputBytes: number, maxResultBytes: number, maxDepth: number, maxOutputBytes: number],
  /** Bare names to bind: `tool_x`, `external_x`, `Tool…Error`. */
  bare: readonly string[],
];

/**
 * What `collect` gives: this as JSON, a line end, then the texts one after the other. Lists are flat, because that is cheap
 * to write and to read. Lengths are UTF-16 units of the texts that follow: console texts are JSON strings there, values are
 * encoded text, so that none holds NUL or a lone surrogate. A site is `line:column` of the evaluated code, or '';
 * function names can make it anything.
 */
export type Report = readonly [
  /** Level (0–4 console, 5 emitted value), length, site. */
  output: readonly (number | string)[],
  /** Id, kind, index, name, site, length of the input, length of the intent (0: none). */
  calls: readonly (number | string)[],
  /** Id, delay in ms. */
  timers: readonly number[],
  /** Ids. */
  cleared: readonly number[],
  /** Call id, field that the positional argument went to. */
  positional: readonly (number | string)[],
  end?: ReportedEnd,
];

/** Numbers per entry of the lists. */
export const OUTPUT_WIDTH = 3;
export const CALL_WIDTH = 7;

export interface ReportedEnd {
  /** Length of the value in the body; -1: no value; absent when it failed. */
  readonly value?: number;
  readonly error?: ReportedError;
  /** Calls nobody looked at: settled or not. */
  readonly unlooked: readonly number[];
  /** Calls that were looked at and are still open. */
  readonly open: readonly number[];
  /** Rejections nobody handled: `[call id or 0, message]`. */
  readonly unhandled: readonly (readonly [call: number, message: string])[];
}

export interface ReportedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Of an error that the prelude made itself. */
  readonly code?: string;
  readonly call?: number;
  /** Encoded data of the tool's error. */
  readonly data?: string;
  /** The engine's own error: memory or stack exhausted; `null`: what it throws when there was no room for an error. */
  readonly engine?: 'memory' | 'stack' | 'null';
}
