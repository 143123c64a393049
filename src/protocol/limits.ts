/**
 * Bounds of one run. Every limit has a default and a reason; `createCodeMode({ limits })` changes single ones.
 * Milliseconds and bytes throughout; a byte of text is a UTF-8 byte.
 */
export interface Limits {
  /** Time the program may *compute*; waiting for tools, timers and people is not counted. @default 30000 */
  readonly timeoutMs: number;
  /** Time one tool handler may take. @default 60000 */
  readonly toolTimeoutMs: number;
  /** Whole run without the time people take. @default 600000 */
  readonly maxDurationMs: number;
  /** Heap of the program; the worker's WebAssembly memory grows up to this + 32 MiB. @default 134217728 (128 MiB) */
  readonly memoryBytes: number;
  /** Characters of one text for the model. @default 20000 */
  readonly maxModelChars: number;
  /** Console output of a run. @default 1048576 (1 MiB) */
  readonly maxOutputBytes: number;
  /** All inputs and results of a run together. @default 268435456 (256 MiB) */
  readonly maxTransferBytes: number;
  /** Calls of a run, questions to the catalogue included. @default 1000 */
  readonly maxCalls: number;
  /** Handlers of a run at work at the same time; others queue. @default 32 */
  readonly maxConcurrentCalls: number;
  /** Program text. @default 262144 (256 KiB) */
  readonly maxSourceBytes: number;
  /** One call's encoded input. @default 4194304 (4 MiB) */
  readonly maxInputBytes: number;
  /** One call's or the run's encoded value. @default 16777216 (16 MiB) */
  readonly maxResultBytes: number;
  /** Nesting of a value that crosses. @default 200 */
  readonly maxDepth: number;
  /** Workers alive at the same time, over all sessions. @default 16 */
  readonly maxWorkers: number;
}

/** What an error about a limit carries as data, so that nobody has to read numbers out of its words. */
export interface LimitData {
  /** Which one to change. */
  readonly limit: keyof Limits;
  /** What it is set to. */
  readonly value: number;
  /** What there was, where it is known. */
  readonly actual?: number;
}

export function limitData(limit: keyof Limits, value: number, actual?: number): LimitData & Readonly<Record<string, unknown>> {
  return { limit, value, ...(actual !== undefined && { actual }) };
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const DEFAULT_LIMITS: Limits = {
  // Longest honest computation seen in real programs is below 3 s in QuickJS; ten times that.
  timeoutMs: 30_000,
  // The common timeout of HTTP clients and of MCP clients.
  toolTimeoutMs: 60_000,
  // Ten slow tools in a row; a run that takes longer should be a job of the application.
  maxDurationMs: 600_000,
  // Room for about 12 copies of a 10 MB JSON result.
  memoryBytes: 128 * MIB,
  // About 5,000 tokens: what a model reads without losing the thread.
  maxModelChars: 20_000,
  // Keeps a trace readable and a journal small.
  maxOutputBytes: 1 * MIB,
  // Sixteen results of the largest size.
  maxTransferBytes: 256 * MIB,
  // A loop over a page of a thousand rows; more is a mistake or an attack.
  maxCalls: 1_000,
  // Above this browsers queue requests themselves.
  maxConcurrentCalls: 32,
  // 6,000 long lines; models write below 300.
  maxSourceBytes: 256 * KIB,
  // An attached file; more belongs behind a reference.
  maxInputBytes: 4 * MIB,
  // Parsing 16 MiB takes about a second inside the sandbox.
  maxResultBytes: 16 * MIB,
  // JSON deeper than this overflows the engine's stack (measured: 128 KiB stack, parse and stringify).
  maxDepth: 200,
  // 5 MB each, and a thread each.
  maxWorkers: 16,
};
