/**
 * Every word that crosses between the page (or Node host) and the worker, both directions. Types only.
 *
 * Page → worker: `init`, `run`, `cancel`, `analyze` over Comlink, replies over the channel that `init` hands
 * over. Worker → page: frames over that channel, nothing else; both packed (packing.ts;
 * why: src/bridge/README.md).
 * Values cross as `EncodedText`; nothing else is ever parsed by the other side.
 */
import type { ErrorCode } from '../errors.ts';
import type { Limits } from './limits.ts';

/** Bumped with every change of a message. */
export const PROTOCOL_VERSION = 6;

/** A value as canonical text of the codec (see codec.ts): JSON, plus `$t` tags for what JSON lacks. */
export type EncodedText = string;

/** A position in the text the model wrote. Lines and columns are 1-based, columns count UTF-16 units. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Names a program may use for tools; sent once per catalogue version. Indexes point into `names`. */
export interface NameTable {
  readonly version: string;
  /** Original tool names. */
  readonly names: readonly string[];
  /** `tools.<identifier>`, `tool_<identifier>`, `external_<identifier>`, `codemode.<identifier>`. */
  readonly identifiers: Readonly<Record<string, number>>;
  /** `tools.<namespace>.<member>`. */
  readonly namespaces: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Tools whose schema has exactly one property: a positional argument is wrapped as `{ [field]: value }`. */
  readonly singleFields: Readonly<Record<number, string>>;
}

/**
 * What the program asked for: a tool, or a question that the page answers by itself: to the catalogue (`search`,
 * `describe`) or for an earlier result (`result`). `preflight` is no call of the program: the worker asks whether to run it.
 */
export type CallKind = 'tool' | 'search' | 'describe' | 'result' | 'preflight';

/** Id of the pre-flight question. It comes before the program's own calls, which count from 1. */
export const PREFLIGHT_ID = 0;

/** Longest encoded `ProgramFacts` of a pre-flight question, UTF-16 units: with more to judge the worker does not ask. */
export const MAX_PREFLIGHT_CHARS: number = 1024 * 1024;

export interface WireCall {
  /** 1, 2, 3 … in submission order, within the run; `PREFLIGHT_ID` for the pre-flight question. */
  readonly id: number;
  readonly kind: CallKind;
  /** Original tool name, or the unknown name as the program wrote it (empty for what is no tool). */
  readonly tool: string;
  readonly input: EncodedText;
  readonly site?: SourcePosition;
  /** The program's own words for why (second argument `{ intent }`); never trusted. */
  readonly intent?: string;
}

/**
 * Longest `data` of an error, UTF-16 units; longer data stays where it is. The same both ways, because a program may throw
 * on what it caught.
 */
export const MAX_ERROR_DATA_CHARS: number = 1024 * 1024;

/** An error as data. `data` is encoded plain data; no stack ever crosses. */
export interface WireError {
  readonly code: ErrorCode;
  /** Constructor name in the program: 'ToolError', 'ToolDeniedError', 'TypeError' … */
  readonly name: string;
  readonly message: string;
  readonly data?: EncodedText;
}

export type WireReply =
  | { readonly id: number; readonly ok: true; readonly value: EncodedText }
  | { readonly id: number; readonly ok: false; readonly error: WireError };

export type OutputLevel = 'debug' | 'log' | 'info' | 'warn' | 'error';

/** Timers that one run may set, each tick of an interval included: each that fires is a fact in the journal. */
export const MAX_TIMERS = 100_000;

/** Console lines and emitted values of one run, however short: each is an event in the journal and a row in the trace. */
export const MAX_OUTPUT_ITEMS = 10_000;

/** One console line (`text`) or one `codemode.emit` (`value`). */
export type WireOutput =
  | { readonly kind: 'console'; readonly level: OutputLevel; readonly text: string; readonly site?: SourcePosition }
  | { readonly kind: 'emit'; readonly value: EncodedText; readonly site?: SourcePosition };

/**
 * What was handed over, in this order. Replay follows this sequence, without `PREFLIGHT_ID`: that answer came before the
 * program and can only have kept it from running.
 */
export interface Delivery {
  readonly kind: 'call' | 'timer';
  readonly id: number;
}

/**
 * Clock readings the program made: whole ms since the run's reading before (the first: since 1970), and how many equal
 * reads in a row. The clock never goes back.
 */
export type ClockReads = readonly (readonly [ms: number, times: number])[];

/** What brings a program back to where it was, without anybody acting: all that a page handed to it the last time. */
export interface ReplayScript {
  /** In order, without `PREFLIGHT_ID`. */
  readonly deliveries: readonly Delivery[];
  /** Replies to the calls among the deliveries. */
  readonly replies: readonly WireReply[];
  readonly clock: ClockReads;
}

/** All that happened in one drain of the guest's job queue. Output, deliveries and reads come before the calls. */
export interface Frame {
  readonly runId: string;
  /** 1, 2, 3 … within the run. */
  readonly seq: number;
  readonly output: readonly WireOutput[];
  readonly delivered: readonly Delivery[];
  readonly clock: ClockReads;
  readonly calls: readonly WireCall[];
  /** Compute used so far, ms. */
  readonly computeMs: number;
  /** Guest heap in use, bytes. */
  readonly memoryBytes: number;
  /** True when the program now waits for a call or a timer. */
  readonly quiescent: boolean;
  /** Milliseconds until its earliest timer is due, when it waits for one: the page's own clock runs again from then. */
  readonly nextTimerMs?: number;
}

export interface RunStats {
  readonly computeMs: number;
  readonly peakMemoryBytes: number;
  readonly calls: number;
  /** Bytes of all inputs and results. */
  readonly transferBytes: number;
}

export type WarningCode =
  | 'not_awaited'
  | 'timers_dropped'
  | 'unhandled_rejection'
  | 'nothing_called'
  | 'positional_argument'
  | 'output_truncated'
  | 'value_truncated'
  | 'no_value'
  | 'fences_removed'
  | 'unknown_tool'
  | 'unfit_input'
  | 'state_lost'
  | 'simulated'
  | 'other';

export interface Warning {
  readonly code: WarningCode;
  /** One sentence for the model. */
  readonly message: string;
  readonly site?: SourcePosition;
  readonly calls?: readonly number[];
}

/** Why a program ended without a value. Positions are of the text the model wrote. */
export interface ProgramFailure {
  readonly code: ErrorCode;
  readonly name: string;
  readonly message: string;
  readonly site?: SourcePosition;
  /** Call whose failure the program did not catch. */
  readonly call?: number;
  /** Frames of the program, innermost first: `name (line:column)`. */
  readonly stack?: readonly string[];
  /** Encoded plain data (the `data` of the tool's error, schema issues …). */
  readonly data?: EncodedText;
}

export type ExecuteReply = {
  readonly warnings: readonly Warning[];
  /** Calls the program never looked at, in submission order. */
  readonly notAwaited: readonly number[];
  readonly computeMs: number;
  readonly peakMemoryBytes: number;
  /** With `state: 'session'`: what this and earlier programs declared is gone. */
  readonly stateLost?: boolean;
} & (
  | { readonly status: 'completed'; readonly value: EncodedText | undefined }
  | { readonly status: 'failed'; readonly error: ProgramFailure }
);

export type WorkerLimits = Pick<
  Limits,
  'timeoutMs' | 'memoryBytes' | 'maxOutputBytes' | 'maxInputBytes' | 'maxResultBytes' | 'maxCalls' | 'maxDepth'
>;

export interface ExecuteRequest {
  readonly runId: string;
  /** Runs of one session may share a worker and, with `state: 'session'`, their globals. */
  readonly sessionId: string;
  readonly source: string;
  readonly names: NameTable;
  readonly limits: WorkerLimits;
  readonly maxWorkers: number;
  /** Four 32-bit words for the program's random generator. */
  readonly seed: readonly [number, number, number, number];
  readonly locale: string;
  readonly timeZone: string;
  readonly state: 'run' | 'session';
  /** Forget the session's globals first (`state: 'session'`). */
  readonly restart: boolean;
  /** Ask the page (`kind: 'preflight'`) before the program is evaluated, when there is anything to judge. @default false */
  readonly preflight?: boolean;
  /**
   * The program ran before: it gets this first. Deliveries and clock readings of the script are in no frame, output and
   * calls are, all in one frame at its end. A program that goes another way fails with `replay_diverged`.
   */
  readonly replay?: ReplayScript;
}

/** A reference to a tool in a program, for pre-flight. */
export interface ToolReference {
  readonly tool: string;
  readonly known: boolean;
  readonly site: SourcePosition;
  /** Encoded literal input, when the argument is a literal. */
  readonly literalInput?: EncodedText;
  /**
   * True when the call is certain to be made and nothing in the program can catch its failure: it stands outside of every
   * branch, loop, function and try, and its promise is neither kept nor handed on.
   */
  readonly unconditional: boolean;
}

export interface ProgramFacts {
  readonly syntaxError?: ProgramFailure;
  readonly references: readonly ToolReference[];
  /** A tool is chosen by a computed name: the program may reach any tool. */
  readonly computedName: boolean;
  readonly freeIdentifiers: readonly string[];
}

/** A `WebAssembly.Module`; opaque here, because this folder knows no DOM. */
export type CompiledModule = object;

/**
 * The engine's memory with a context ready for its first program (about 1 MiB of bytes, and numbers); opaque here. Handed to
 * later workers it saves them what making it takes.
 */
export type PreparedContext = object;

/** Messages the page sends first to a new worker. */
export interface WorkerInit {
  readonly protocol: number;
  /** Compiled once by the first worker, handed to all later ones. */
  readonly module?: CompiledModule;
  /** Of the worker that compiled the module. */
  readonly context?: PreparedContext;
  readonly memoryBytes: number;
  /** The worker is kept in reserve: it may take some time more to be quick with its first program. */
  readonly reserve?: boolean;
  /** The page keeps the compiled code of the worker's file for later workers, where the platform gives it out (Node). */
  readonly wantsCode?: boolean;
  /** Shared flag: non-zero cancels the current program; only where the page is cross-origin isolated. */
  readonly cancelFlag?: SharedArrayBuffer;
}

export interface WorkerReady {
  readonly protocol: number;
  readonly engine: string;
  /** The worker compiled something for others and has sent it, as `ModuleMessage`. */
  readonly compiled?: boolean;
  /** Set when the environment cannot run the engine; the other fields then mean nothing. */
  readonly error?: WireError;
}

/**
 * First message of a worker that compiled for others, over the run channel: in Firefox a page whose policy forbids
 * WebAssembly cannot even receive one, and that must not cost the answer to `init`.
 */
export interface ModuleMessage {
  readonly module: CompiledModule;
  readonly context: PreparedContext | undefined;
  /** Compiled code of the worker's file, in the form of this process's platform. */
  readonly code?: Uint8Array | undefined;
}

/** A program's end, with the number of frames it sent: they travel on another channel and may arrive after it. */
export interface RunEnd {
  readonly reply: ExecuteReply;
  readonly frames: number;
  /** The worker's engine must not be used again: the page terminates it. */
  readonly spent: boolean;
}
