/** The numbers with which host and prelude call each other, and the shape of what they hand over. */

/** Host → guest, first argument of the prelude's function. */
export const OP = {
  /** (settings: JSON of `Settings`) */
  start: 0,
  /** (call id, 1 fulfilled | 0 failed, encoded value | JSON `[code, name, message, data text or null]`) */
  deliver: 1,
  /** (timer id) */
  fire: 2,
  /** () → report of what happened since the last one, '' if nothing did */
  collect: 3,
  /** (`{ value }` of the completed program, bit 1: call a function, bit 2: there is a value) */
  conclude: 4,
  /** (reason a program's promise was rejected with) */
  fail: 5,
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
} as const;

/** What one run tells the prelude. An array, because guest code may have put fields on `Object.prototype`. */
export type Settings = readonly [
  seed: readonly [number, number, number, number],
  limits: readonly [maxCalls: number, maxInputBytes: number, maxResultBytes: number, maxDepth: number, maxOutputBytes: number],
  /** Bare names to bind: `tool_x`, `external_x`, `Tool…Error`. */
  bare: readonly string[],
];

/**
 * What `collect` gives: this as JSON, a line end, then the texts one after the other. Lengths are UTF-16 units of the texts
 * in `body`; console texts are JSON strings there, values are encoded text: neither holds NUL or a lone surrogate.
 */
export interface Report {
  /** Console lines (level 0–4) and emitted values (level 5), in order. */
  readonly output: readonly (readonly [level: number, length: number, line: number, column: number])[];
  readonly calls: readonly ReportedCall[];
  /** New timers. */
  readonly timers: readonly (readonly [id: number, delayMs: number])[];
  /** Ids of timers that were cleared. */
  readonly cleared: readonly number[];
  /** Calls that were made with a positional argument: `[id, field]`. */
  readonly positional: readonly (readonly [id: number, field: string])[];
  readonly end?: ReportedEnd;
}

/** Kind 0 tool by index, 1 unknown tool by name, 2 search, 3 describe. Lengths: input, then intent (-1: none). */
export type ReportedCall = readonly [
  id: number,
  kind: number,
  index: number,
  name: string,
  line: number,
  column: number,
  inputLength: number,
  intentLength: number,
];

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
