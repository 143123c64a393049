/**
 * The facts of a session, in the order they happened. Every view, export and replay derives from these and nothing else.
 */
import type { ErrorCode } from '../errors.ts';
import type { Limits } from '../protocol/limits.ts';
import type {
  ClockReads,
  Delivery,
  EncodedText,
  OutputLevel,
  RunStats,
  SourcePosition,
  Warning,
  WireError,
} from '../protocol/wire.ts';

/** Bumped when a reader of the version before would misread an event; `upcast` reads older ones. See docs/journal-format.md. */
export const JOURNAL_VERSION = 2;

/** First and last sequence number, both included. */
export type SeqRange = readonly [from: number, to: number];

/** A value as text, in place or, above 32 KiB, in the value store under `ref`. */
export type StoredValue =
  | { readonly inline: EncodedText }
  | { readonly ref: string; readonly bytes: number /** First 200 characters of the text. */; readonly preview: string };

/** An error as views and the model see it. */
export interface CallError {
  readonly code: ErrorCode;
  readonly name: string;
  readonly message: string;
  readonly data?: unknown;
}

export interface RunError extends CallError {
  readonly site?: SourcePosition;
  /** Call that failed and was not caught. */
  readonly callId?: string;
  /** Three lines of the program with a caret. */
  readonly excerpt?: string;
  readonly stack?: readonly string[];
}

export type PolicyEffect = 'allow' | 'ask' | 'simulate' | 'deny' | 'hide';
export type DecidedBy = 'default' | 'rule' | 'needs_approval' | 'on_tool_call' | 'grant' | 'plan';
export type RiskWord = 'read' | 'write' | 'danger';

/** How long a permission lasts: this run, this session, until the application forgets it, or the next n calls of this run. */
export type GrantScope = 'run' | 'session' | 'always' | { readonly next: number };
/** What a permission covers: one exact input, any input of the tool, or the inputs of a rule in words (`amount <= 50`). */
export type GrantMatch = 'input' | 'tool' | { readonly rule: string };

/** A tool that a program can reach, as its plan shows it. */
export interface PlannedTool {
  readonly tool: string;
  readonly title: string;
  readonly risk: RiskWord;
  /** The plan covers this definition and no other. */
  readonly definitionHash: string;
  /** Where the program names it. */
  readonly sites: readonly SourcePosition[];
  /** The tool is marked danger: each call is asked about, whatever is decided about the plan. */
  readonly askedAnyway: boolean;
}

/** What one call takes of the limit of one rule. */
export interface Reservation {
  /** Identity of the rule over reloads. */
  readonly rule: string;
  readonly per: 'run' | 'session';
  readonly calls: number;
  readonly sum: number;
}

export interface EventData {
  'catalog.changed': {
    readonly version: string;
    readonly tools: readonly string[];
    /** Hash of each tool's definition, in the order of `tools`; empty in journals of version 1. */
    readonly definitions: readonly string[];
  };
  /** The end of the stored journal was not readable. What came before it is kept, what came after is set aside. */
  'journal.damaged': { readonly reason: string; readonly fromSeq: number /** Records set aside. */; readonly lost: number };
  /** Finished runs were removed to keep within bounds. */
  'journal.trimmed': {
    /** Those of this time. */
    readonly runIds: readonly string[];
    /** How many there were in all, so that the runs that stay keep their numbers. */
    readonly runs: number;
    /** All sequence numbers that are gone, of this time and before. */
    readonly ranges: readonly SeqRange[];
  };
  'state.lost': { readonly reason: string };
  /** Somebody asked to forget the globals of earlier programs. */
  'state.forgotten': Record<string, never>;
  'run.queued': {
    readonly source: string;
    readonly title?: string;
    /** Run of the same session that goes first. */
    readonly waitsFor?: string;
    /** Options it was started with, where they are not the defaults. */
    readonly preflight?: true;
    readonly restart?: true;
    readonly plan?: 'ask';
    /** It is one call without a program. */
    readonly direct?: true;
    /** It was started with a context of its own, which is not stored. */
    readonly ownContext?: true;
    /** It does an earlier run over, from its beginning or from one of its calls on. */
    readonly retries?: { readonly runId: string; readonly callId?: string };
  };
  'run.started': {
    readonly seed: readonly number[];
    readonly locale: string;
    readonly timeZone: string;
    readonly engine: string;
    readonly protocol: number;
    readonly catalogVersion: string;
    readonly limits: Limits;
    readonly state: 'run' | 'session';
    /** Its worker kept nothing of the session's earlier programs. */
    readonly fresh: boolean;
  };
  'run.waiting': { readonly callIds: readonly string[] };
  /** Nothing of it waits any more; or somebody continues it after it was interrupted. */
  'run.resumed': Record<string, never>;
  /** Its page was gone and it waited for nobody: it goes on when somebody continues it. */
  'run.interrupted': Record<string, never>;
  'run.completed': {
    readonly value?: StoredValue;
    readonly warnings: readonly Warning[];
    readonly notAwaited: readonly string[];
    readonly stats: RunStats;
  };
  'run.failed': { readonly error: RunError; readonly warnings: readonly Warning[]; readonly stats: RunStats };
  'run.cancelled': { readonly reason?: string; readonly warnings: readonly Warning[]; readonly stats: RunStats };
  'output.written': { readonly level: OutputLevel; readonly text: string; readonly site?: SourcePosition };
  'output.emitted': { readonly value: StoredValue; readonly site?: SourcePosition };
  'tool_call.requested': {
    readonly callId: string;
    /** 1, 2, 3 … in submission order. */
    readonly ordinal: number;
    readonly tool: string;
    readonly title?: string;
    readonly risk?: RiskWord;
    readonly input: StoredValue;
    readonly inputBytes: number;
    readonly site?: SourcePosition;
    readonly intent?: string;
    /** Calls of one drain share it: they were submitted in parallel. */
    readonly group: number;
    /** It takes back this call of an earlier run: `input` is that call's, and the tool's `revert` runs. */
    readonly undoes?: string;
  };
  'policy.evaluated': {
    readonly callId: string;
    readonly effect: PolicyEffect;
    readonly by: DecidedBy;
    readonly reason?: string;
    /** The rule that decided: its name, or its pattern and place. */
    readonly rule?: string;
    /** The permission that covered the call. */
    readonly grantId?: string;
    /** Input as `onToolCall` changed it. */
    readonly input?: StoredValue;
  };
  'approval.requested': {
    readonly callId: string;
    /** Sentence of the application (`describeCall`), or a neutral one of ours. */
    readonly question: string;
    readonly risk: RiskWord;
    /** What will run if allowed. */
    readonly input: StoredValue;
    /** Identity of exactly that text; a decision is bound to it. */
    readonly inputDigest: string;
    /** Why a person is asked. */
    readonly reason?: string;
    /** Epoch ms. */
    readonly expiresAt?: number;
    /** It had started when its page was gone, and may have had its effect. Allowing runs it again. */
    readonly doubt?: true;
    /** Only a decision about this very call lets it go: a limit was reached. */
    readonly own?: true;
  };
  'approval.decided': {
    readonly callId: string;
    readonly decision: 'allow' | 'deny' | 'answer' | 'cancel_run';
    readonly scope?: 'once' | GrantScope;
    readonly match?: GrantMatch;
    /** Nobody decided this call by itself: a permission just given covers it. */
    readonly grantId?: string;
    readonly reason?: string;
    /** Input as the person changed it. */
    readonly input?: StoredValue;
    /** The person's own answer instead of the tool's. */
    readonly output?: StoredValue;
  };
  'approval.expired': { readonly callId: string };
  'grant.created': {
    readonly grantId: string;
    readonly tool: string;
    readonly scope: GrantScope;
    readonly match: GrantMatch;
    /** The one input, for `match: 'input'`. */
    readonly input?: StoredValue;
    /** Of the tool it was given for: a changed tool is not covered. Without it (version 1) it covers nothing after a reload. */
    readonly definitionHash?: string;
    /** "orders.cancel where amount <= 50, for the rest of this run" */
    readonly words: string;
    /** Call on which the person decided so. */
    readonly callId?: string;
    /** It was given earlier and came from the application's store. */
    readonly loaded?: boolean;
  };
  'grant.revoked': { readonly grantId: string; readonly why: 'person' | 'run_ended' | 'used_up' | 'removed' };
  'plan.requested': {
    /** Identity of the program the plan is of; a decision is bound to it. */
    readonly sourceDigest: string;
    readonly tools: readonly PlannedTool[];
    /** A tool is chosen by a computed name: so many tools can be called; the plan covers only the named ones. */
    readonly anyOf?: number;
    /** Epoch ms. */
    readonly expiresAt?: number;
  };
  'plan.decided': {
    readonly decision: 'allow' | 'call_by_call' | 'deny' | 'expired' | 'ended';
    readonly reason?: string;
  };
  /** The run it stands in takes back calls of another one. */
  'undo.requested': {
    readonly of: string;
    /** Last call first. */
    readonly callIds: readonly string[];
  };
  'tool_call.started': {
    readonly callId: string;
    /** Absent when unchanged. */
    readonly input?: StoredValue;
    /** What the call takes of the limits of rules. */
    readonly reserved?: readonly Reservation[];
    /** The tool only reads, or calling it twice does what calling it once does. */
    readonly repeatable?: true;
  };
  /** The handler returned `deferred(token)`: `session.settle` brings the result, in this life of the page or a later one. */
  'tool_call.deferred': { readonly callId: string; readonly token: string };
  /** A read-only call failed: what it took of the limits is given back. */
  'limit.released': { readonly callId: string };
  'tool_call.progressed': { readonly callId: string; readonly done?: number; readonly total?: number; readonly message?: string };
  'tool_call.succeeded': {
    readonly callId: string;
    readonly output: StoredValue;
    readonly outputBytes: number;
    /** Nothing ran: the output is a stub that fits the schema. */
    readonly simulated?: boolean;
  };
  'tool_call.failed': {
    readonly callId: string;
    readonly error: CallError;
    /** Only 'handler', 'output' and 'timeout' may have had an effect. */
    readonly phase: 'input' | 'policy' | 'handler' | 'output' | 'timeout';
  };
  /** Last fact of a call that was not allowed; `error` is what the program got. */
  'tool_call.denied': { readonly callId: string; readonly error: CallError };
  'tool_call.cancelled': { readonly callId: string; readonly reason: string };
  /** Its page was gone while it ran, and nobody knows what became of it. A run that is continued may go on with it. */
  'tool_call.interrupted': { readonly callId: string };
  /** A replay gave the program the recorded reply. */
  'tool_call.replayed': { readonly callId: string };
  /** What the page answered by itself: it has an ordinal among the calls and a delivery, and no other facts. */
  'question.answered': {
    readonly ordinal: number;
    readonly kind: 'search' | 'describe' | 'result';
    readonly input: StoredValue;
    /** Exactly one of the two. */
    readonly output?: StoredValue;
    readonly error?: WireError;
  };
  /** What the program got, in this order, and how often it looked at the clock meanwhile. Ordinals count on from delivery to delivery. */
  delivery: { readonly items: readonly Delivery[]; readonly clock: ClockReads };
}

export type EventType = keyof EventData;

/** One fact. `runId` is absent only for facts of the session. */
export type JournalEvent = {
  [T in EventType]: {
    readonly v: typeof JOURNAL_VERSION;
    /** 1, 2, 3 … within the session, no gaps. */
    readonly seq: number;
    /** Epoch ms. */
    readonly time: number;
    readonly sessionId: string;
    readonly runId?: string;
    readonly type: T;
    readonly data: EventData[T];
  };
}[EventType];

export type EventOf<T extends EventType> = Extract<JournalEvent, { type: T }>;
