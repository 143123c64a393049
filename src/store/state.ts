import type {
  CallError,
  DecidedBy,
  GrantMatch,
  GrantScope,
  PlannedTool,
  PolicyEffect,
  RiskWord,
  RunError,
  StoredValue,
} from '../journal/events.ts';
import type { Ownership } from '../journal/ownership.ts';
import type { OutputLevel, RunStats, SourcePosition, Warning } from '../protocol/wire.ts';

/** `interrupted`: its page was gone; it is not over, and goes on when somebody continues it. */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'interrupted' | 'completed' | 'failed' | 'cancelled';
export type CallStatus =
  | 'requested'
  | 'waiting_approval'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'denied'
  | 'cancelled'
  | 'interrupted'
  | 'replayed';

/** What the dialog needs beside the call itself. */
export interface ApprovalView {
  readonly question: string;
  readonly risk: RiskWord;
  /** What will run if allowed. */
  readonly input: StoredValue;
  readonly inputDigest: string;
  readonly reason?: string;
  /** It may have had its effect already: its page was gone while it ran. Allowing runs it again. */
  readonly doubt?: true;
  /** No permission can cover it. */
  readonly own?: true;
  readonly requestedAt: number;
  readonly expiresAt?: number;
  readonly decidedAt?: number;
  readonly decision?: 'allow' | 'deny' | 'answer' | 'cancel_run' | 'expired' | 'ended';
  readonly decisionReason?: string;
  /** How far the permission reaches, when it is for more than this call. */
  readonly scope?: GrantScope;
  readonly match?: GrantMatch;
  /** The permission that let it go, when nobody decided this call by itself. */
  readonly grantId?: string;
}

/** A permission that is in force. */
export interface GrantView {
  readonly id: string;
  readonly tool: string;
  readonly scope: GrantScope;
  readonly match: GrantMatch;
  /** What it permits, as one line: "orders.cancel where amount <= 50, for the rest of this run". */
  readonly words: string;
  /** Run in which it was given; absent when it came from the application's store. */
  readonly runId?: string;
  readonly createdAt: number;
  /** Calls it has let go. */
  readonly used: number;
  /** Calls it still lets go; absent: any number. */
  readonly left?: number;
}

/** A program that is, or was, put before a person as a whole. */
export interface PlanView {
  readonly sourceDigest: string;
  readonly tools: readonly PlannedTool[];
  /** A tool is chosen by a computed name: so many tools can be called; the plan covers only the named ones. */
  readonly anyOf?: number;
  readonly requestedAt: number;
  readonly expiresAt?: number;
  readonly decidedAt?: number;
  readonly decision?: 'allow' | 'call_by_call' | 'deny' | 'expired' | 'ended';
  readonly decisionReason?: string;
}

export interface CallView {
  readonly id: string;
  readonly runId: string;
  readonly ordinal: number;
  readonly tool: string;
  readonly title?: string;
  readonly risk?: RiskWord;
  readonly status: CallStatus;
  /** As the program sent it. */
  readonly input: StoredValue;
  /** As the handler got it, where `onToolCall` or a person changed it. */
  readonly effectiveInput?: StoredValue;
  readonly inputBytes: number;
  readonly output?: StoredValue;
  readonly outputBytes?: number;
  readonly error?: CallError;
  readonly site?: SourcePosition;
  readonly intent?: string;
  readonly group: number;
  readonly approval?: ApprovalView;
  readonly progress?: { readonly done?: number; readonly total?: number; readonly message?: string };
  /** Who or what judged it last, when more than the defaults did: rule, callback, permission, plan. */
  readonly policy?: {
    readonly effect: PolicyEffect;
    readonly by: DecidedBy;
    readonly reason?: string;
    readonly rule?: string;
    readonly grantId?: string;
  };
  /** Nothing ran: the output is a stub. */
  readonly simulated?: boolean;
  /** Its result is brought later, by this token. */
  readonly deferred?: string;
  /** It takes back that call of an earlier run. */
  readonly undoes?: string;
  /** That call of a later run took it back. */
  readonly undoneBy?: string;
  /** Epoch ms. Queue time = start − request − approval wait. */
  readonly requestedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** When the program got its end. Transfer time = delivery − end. */
  readonly deliveredAt?: number;
}

/** One thing of a run in the order it happened; a call by its place in `RunView.calls`. */
export type RunItem =
  | { readonly kind: 'call'; readonly index: number }
  | {
      readonly kind: 'console';
      readonly level: OutputLevel;
      readonly text: string;
      readonly site?: SourcePosition;
      readonly time: number;
      readonly seq: number;
    }
  | {
      readonly kind: 'emit';
      readonly value: StoredValue;
      readonly site?: SourcePosition;
      readonly time: number;
      readonly seq: number;
    };

export interface RunView {
  readonly id: string;
  readonly source: string;
  readonly title?: string;
  readonly status: RunStatus;
  readonly waitsFor?: string;
  readonly items: readonly RunItem[];
  /** In submission order. */
  readonly calls: readonly CallView[];
  readonly value?: StoredValue;
  readonly error?: RunError;
  readonly cancelReason?: string;
  readonly warnings: readonly Warning[];
  /** Live while running (from frames, not journaled), final afterwards. */
  readonly stats?: RunStats;
  readonly plan?: PlanView;
  /** It takes back calls of that run. */
  readonly undoes?: string;
  /** It does that run over, from its beginning or from one of its calls on. */
  readonly retries?: { readonly runId: string; readonly callId?: string };
  readonly limits?: { readonly timeoutMs: number; readonly memoryBytes: number; readonly maxCalls: number };
  readonly queuedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** The read model of one session. Only `reduce` makes a new one. */
export interface SessionState {
  readonly sessionId: string;
  readonly lastSeq: number;
  /** Whether this page runs the session's programs, or another one does and this one follows. Not a fact of the journal. */
  readonly ownership: Ownership;
  /** Runs that retention removed: `runOrder` goes on after them. */
  readonly removedRuns: number;
  /** The end of the stored journal was not readable and is set aside. */
  readonly damage?: { readonly reason: string; readonly lost: number; readonly time: number };
  readonly runs: Readonly<Record<string, RunView>>;
  /** Oldest first. */
  readonly runOrder: readonly string[];
  /** Ids of calls that wait for a person, first asked first. */
  readonly pending: readonly string[];
  /** Runs whose program as a whole waits for a person, first asked first. */
  readonly pendingPlans: readonly string[];
  /** Permissions in force, oldest first. */
  readonly grants: readonly GrantView[];
}

/** A store that can be read and watched, not written. `useSyncExternalStore` takes it as it is. */
export interface ReadonlyStore<S> {
  getState(): S;
  getInitialState(): S;
  subscribe(listener: (state: S, previous: S) => void): () => void;
}

/** Waiting calls of one run with the same tool and the same input: one question. */
export interface PendingGroup {
  /** Stable while the group waits. */
  readonly key: string;
  readonly runId: string;
  readonly tool: string;
  /** First asked first. */
  readonly callIds: readonly string[];
  readonly count: number;
  /** Where the program makes them, each place once. */
  readonly sites: readonly SourcePosition[];
  /** Numbers of the input that add up (no ids): what one call has, and all together. */
  readonly totals: readonly { readonly path: string; readonly each: number; readonly total: number }[];
}
