/** The public words of code mode: options, sessions, runs, outcomes. Types only. */
import type { Executor } from '../bridge/executor.ts';
import type { JsonSchema, ToolSelector, ToolSource } from '../catalog/tool.ts';
import type { GrantMatch, JournalEvent, RunError, StoredValue } from '../journal/events.ts';
import type { JournalStorage } from '../journal/storage.ts';
import type {
  CallToExplain,
  Decision,
  DecisionReceipt,
  DecisionScope,
  GrantPreview,
  GrantStore,
  PlainDecision,
  PlanDecision,
  PolicyExplanation,
  PolicyRule,
  ToolCallDecision,
  ToolCallQuestion,
} from '../policy/types.ts';
import type { Clock } from '../protocol/clock.ts';
import type { Limits } from '../protocol/limits.ts';
import type { EncodedText, OutputLevel, RunStats, SourcePosition, Warning } from '../protocol/wire.ts';
import type { CallStatus, GrantView, ReadonlyStore, RunStatus, SessionState } from '../store/state.ts';
import type { SettleReceipt } from './deferred.ts';
import type { ModelResult, ModelTool, ModelTools } from './model-tools.ts';
import type { Analysis } from './preflight.ts';

export interface CodeModeOptions<C = any> {
  /** The tools of the application. Refused with `invalid_tool` when two share a name or a schema is unusable. */
  readonly tools: ToolSource<C>;
  readonly select?: ToolSelector<C>;
  /** Rules in data, before `onToolCall`. @default [] */
  readonly policy?: readonly PolicyRule<C>[];
  /** The application's own say about each call. Throwing or taking longer than `toolTimeoutMs` denies the call. */
  readonly onToolCall?: (call: ToolCallQuestion<C>) => ToolCallDecision | Promise<ToolCallDecision>;
  /** Which tool sources' annotations may lower a risk. @default only the application's own tools */
  readonly trust?: (source: { readonly kind: string; readonly server?: string }) => boolean;
  readonly limits?: Partial<Limits>;
  /** How the model learns the tools: all signatures in `executeCode`'s description, by search, or as the budget says. @default 'auto' */
  readonly discovery?: 'auto' | 'search' | 'inline';
  /** Tokens (4 characters each) of signatures that 'auto' puts inline. @default 4000 */
  readonly discoveryBudget?: number;
  /** Keep top-level declarations between runs of a session. @default 'run' */
  readonly state?: 'run' | 'session';
  /** What a failed or denied call does: reject for the program, or end the run at once. @default 'throw' */
  readonly onToolFailure?: 'throw' | 'stop';
  /** Failed attempts in a row after which the model is told to stop. @default 3 */
  readonly maxRetries?: number;
  /** An approval that nobody answers for so long is a denial. Milliseconds. @default none */
  readonly approvalTimeoutMs?: number;
  /** Put each program with tool calls before a person as a whole, before anything of it runs. @default 'off' */
  readonly plan?: 'off' | 'ask';
  /** Keeps permissions of scope `always`. @default none: `always` is refused */
  readonly grants?: GrantStore<C>;
  /** Where programs run. @default a web worker executor in a browser; Node needs `createNodeExecutor()` */
  readonly executor?: Executor;
  /** @default memory */
  readonly storage?: JournalStorage;
  /** Hide messages of errors that are not `ToolError` from program and model. @default false */
  readonly redactErrors?: boolean;
  readonly clock?: Clock;
  /**
   * When to start the first worker: with the first run, when a session is opened (which the hook does when it mounts), or in an
   * idle moment after that. A worker that cannot be started is told by the first run. @default 'never' (with the first run)
   */
  readonly warmUp?: 'never' | 'idle' | 'mount';
}

export interface SessionOptions<C = any> {
  readonly id?: string;
  /** Instead of the code mode's tools. */
  readonly tools?: ToolSource<C>;
  readonly context?: C;
  /** Further rules of this session; they can only be stricter than the code mode's. */
  readonly policy?: readonly PolicyRule<C>[];
  /** Disposes the session. */
  readonly signal?: AbortSignal;
}

/** One application of code mode: options, an executor and its sessions. */
export interface CodeMode<C = any> extends AsyncDisposable {
  /** Opens the session of that id, or returns it if it is open. */
  session(options?: SessionOptions<C>): Session<C>;
  /**
   * Starts a worker ahead of the first run, and loads the parts that a run needs. Rejects with `environment_unsupported` where
   * no worker can start.
   */
  warmUp(): Promise<void>;
  /** New handlers, callbacks, rules for calls from now on; a changed tool definition makes a new catalogue version. */
  update(options: Partial<CodeModeOptions<C>>): void;
}

export interface RunOptions<C = any> {
  /** @default generated. A second run of the same program with its id returns the first; another program is refused. */
  readonly id?: string;
  readonly title?: string;
  readonly signal?: AbortSignal;
  /** Instead of the session's. It is not stored: after a reload such a run does not go on. @default the session's */
  readonly context?: C;
  /** Forget the session's globals first (`state: 'session'`). */
  readonly restart?: boolean;
  /**
   * Judge the program between parsing and running: refuse it when a literal input of a call that is certain to be made
   * does not fit its schema, warn about unknown tools and other doubtful calls. @default false; `executeCode` does it
   */
  readonly preflight?: boolean;
  /** @default the code mode's `plan` */
  readonly plan?: 'off' | 'ask';
}

/** One conversation. */
export interface Session<C = any> extends AsyncDisposable {
  readonly id: string;
  readonly modelTools: ModelTools;
  /**
   * Runs a program. Never throws for what the program does.
   * @throws CodeModeError `invalid_options` when `code` is no text or an option is unknown, `session_disposed`.
   */
  run(code: string, options?: RunOptions<C>): Run;
  /** Calls one tool without a program: same policy, approval, journal and trace. A run of one call. */
  callTool(tool: string, input: unknown, options?: RunOptions<C>): Run;
  /**
   * The tools themselves as definitions for a model, for a chat that offers them one by one. Calls go through `callTool`. The
   * same list until a definition changes.
   */
  directTools(): Promise<readonly ModelTool<unknown, ModelResult>[]>;
  /** Decides a pending call. The claim on the call is taken before this returns: a second decision loses. */
  decide(callId: string, decision: Decision | PlainDecision): Promise<DecisionReceipt>;
  /** Decides about a program that waits as a whole (`RunView.plan`). Same rules as for `decide`. */
  decidePlan(runId: string, decision: PlanDecision): Promise<DecisionReceipt>;
  /**
   * Brings the result of a call whose handler returned `deferred(token)`, in this life of the page or a later one; an Error is
   * a failure. A second result for one call, or one for a run that is over, changes nothing and says so.
   * @throws CodeModeError `storage_error` when it could not be recorded
   */
  settle(callId: string, output: unknown): Promise<SettleReceipt>;
  /**
   * Continues a run whose page was gone: the program runs again, gets what it got before without anything being executed, and
   * goes on from there. Of a run that is over its outcome. Fails with `replay_diverged` where the program, a tool set or the
   * engine is no longer what it was.
   */
  resume(runId: string): Run;
  /**
   * Starts the program of an earlier run anew, or a changed one in its place, with nothing of what it did.
   * @throws CodeModeError `invalid_options` for an unknown run
   */
  retry(runId: string, options?: Omit<RunOptions<C>, 'restart'> & { readonly code?: string }): Run;
  /**
   * A new run that begins as the call's run did: calls before it keep their results, it and those after it are made anew.
   * Fails with `invalid_options` for an unknown call, and where programs share their globals.
   */
  retryFrom(callId: string): Run;
  /** Permissions of people: list, preview, revoke. */
  readonly grants: SessionGrants;
  /**
   * Who would decide about this call as things are, and what. Runs nothing, asks nobody, takes nothing of a limit;
   * `onToolCall` is not called.
   */
  explainPolicy(call: CallToExplain): Promise<PolicyExplanation>;
  /** What `undo` would do now; the store's state says when to ask again. */
  undoable(runId: string): UndoPlan;
  /**
   * Takes the succeeded calls of a run back, last one first, each by its tool's `revert` and each asked about like a call.
   * A failure does not keep the others from being taken back. What has been taken back stays so: a second time does nothing.
   * @throws CodeModeError `invalid_options` for an unknown run, `session_disposed`
   */
  undo(runId: string, options?: { readonly signal?: AbortSignal }): Promise<UndoOutcome>;
  /**
   * Looks at a program without running it: what is wrong with it, and which tools it can reach.
   * @throws CodeModeError `invalid_options`, `session_disposed`, or where no worker can start
   */
  analyze(code: string, options?: { readonly signal?: AbortSignal }): Promise<Analysis>;
  /** Forgets the session's globals. */
  restart(): Promise<void>;
  /** Decodes a value of an event or a view: a fresh copy each time. */
  readValue(stored: StoredValue): Promise<unknown>;
  /** What views need to know of a tool (masking by schema, forms). Absent or `undefined`: they go by names. */
  tool?(name: string): ToolFacts | undefined;
  readonly journal: ReadableJournal;
  readonly store: ReadonlyStore<SessionState>;
}

/** The permissions of one session. `SessionState.grants` is the same list for views. */
export interface SessionGrants {
  /** In force, oldest first. */
  readonly list: readonly GrantView[];
  /** The application stores permissions: `scope: 'always'` is accepted. */
  readonly canStore: boolean;
  /** What allowing a waiting call that way would permit. Commits nothing. */
  preview(callId: string, offer: { readonly scope: DecisionScope; readonly match?: GrantMatch }): GrantPreview;
  /** A rule in words that fits a waiting call (`amount <= 50 and currency = "EUR"`), for a person to change. */
  suggestRule(callId: string): string | undefined;
  /** Takes a permission back, also from the application's store. Calls that have not started ask again. @returns false when it is not in force */
  revoke(grantId: string): Promise<boolean>;
  /** Reads the application's store anew; each run does so at its first question. */
  refresh(): Promise<void>;
}

/** Why a call of a run cannot be, or was not, taken back. */
export type NotUndone =
  /** The tool has no `revert`. */
  | 'no_revert'
  /** The tool is no longer there. */
  | 'tool_gone'
  /** It failed or was stopped and may have applied a part. */
  | 'unfinished';

export interface UndoPlan {
  /** Calls that would be taken back, in that order: last one first. Empty: `undo` does nothing. */
  readonly calls: readonly { readonly callId: string; readonly tool: string }[];
  /** Calls with a possible effect that stay. */
  readonly stays: readonly { readonly callId: string; readonly tool: string; readonly why: NotUndone }[];
}

export interface UndoOutcome {
  /** `nothing`: there was nothing (more) to take back. */
  readonly status: 'undone' | 'partly' | 'failed' | 'nothing';
  /** The run that did it, with its trace; absent for `nothing`. */
  readonly runId?: string;
  /** Calls that were taken back. */
  readonly undone: readonly string[];
  /** Calls that were not, and why: denied, failed, cancelled. */
  readonly failed: readonly {
    readonly callId: string;
    readonly tool: string;
    readonly error: { readonly code: string; readonly message: string };
  }[];
  readonly stays: UndoPlan['stays'];
}

export interface ToolFacts {
  readonly title: string;
  readonly description: string;
  readonly inputJsonSchema: JsonSchema;
  readonly outputJsonSchema?: JsonSchema;
  /** It has a `revert`: what it did can be taken back. */
  readonly revertible?: boolean;
  /** It has a `describeCall`: the application says in words what a call of it would do. */
  readonly worded?: boolean;
}

export interface ReadableJournal {
  readonly events: readonly JournalEvent[];
  /** The text of a stored value. `exportRunFile` reads a journal by it. @throws CodeModeError `storage_error` when it is gone */
  load(value: StoredValue): Promise<EncodedText> | EncodedText;
  subscribe(listener: (event: JournalEvent) => void): () => void;
}

export interface Run {
  readonly id: string;
  /** Resolves with data, never rejects. */
  readonly outcome: Promise<RunOutcome>;
  /** Aborts handlers, drops late results, stops a computing program within 100 ms. */
  cancel(reason?: string): void;
  /** The run as it changes; ends with the run. */
  snapshots(): AsyncIterable<RunSnapshot>;
}

export interface RunSnapshot {
  readonly status: RunStatus;
  readonly calls: {
    readonly total: number;
    readonly waiting: number;
    readonly running: number;
    readonly done: number;
    readonly failed: number;
  };
}

/** What `console` wrote or `codemode.emit` showed. */
export type OutputItem =
  | { readonly kind: 'console'; readonly level: OutputLevel; readonly text: string; readonly site?: SourcePosition }
  | { readonly kind: 'emit'; readonly value: unknown; readonly site?: SourcePosition };

export interface CallSummary {
  readonly callId: string;
  readonly ordinal: number;
  readonly tool: string;
  readonly status: CallStatus;
  readonly site?: SourcePosition;
  /** Epoch ms; `startedAt` and `endedAt` where it came to that. */
  readonly requestedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Milliseconds from request to end, without the time a person took. */
  readonly durationMs?: number;
  /**
   * As the handler got it; decoded when it is read, a fresh copy each time. Only the outcome itself has it: a copy, a clone or
   * JSON of a call leaves inputs and outputs out. `undefined` above 32 KiB: `session.readValue(call.stored.input)`.
   */
  readonly input?: unknown;
  /** What the program got; as for `input`. Also `undefined` when the call did not succeed. */
  readonly output?: unknown;
  /** Both as they are stored, of any length, for `session.readValue`. */
  readonly stored: { readonly input: StoredValue; readonly output?: StoredValue };
  readonly error?: { readonly code: string; readonly message: string };
  /** True when it may have had an effect although it did not succeed. */
  readonly mayHaveApplied: boolean;
  /** True when the tool only reads, so that calling it again does no harm. @default false */
  readonly readOnly?: boolean;
  /** Nothing ran; the program got a stub. */
  readonly simulated?: boolean;
}

interface OutcomeParts {
  readonly output: readonly OutputItem[];
  readonly calls: readonly CallSummary[];
  readonly warnings: readonly Warning[];
  readonly stats: RunStats;
}

export type RunOutcome = OutcomeParts &
  (
    | {
        readonly status: 'completed';
        /** The program's value, decoded; `undefined` when it gave none. */
        readonly value: unknown;
      }
    | { readonly status: 'failed'; readonly error: RunError }
    | { readonly status: 'cancelled'; readonly reason?: string }
  );
