import type { CallError, RiskWord, RunError, StoredValue } from '../journal/events.ts';
import type { OutputLevel, RunStats, SourcePosition, Warning } from '../protocol/wire.ts';

export type RunStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';
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
  readonly requestedAt: number;
  readonly expiresAt?: number;
  readonly decidedAt?: number;
  readonly decision?: 'allow' | 'deny' | 'answer' | 'cancel_run' | 'expired' | 'ended';
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
  /** Epoch ms. Queue time = start − request − approval wait. */
  readonly requestedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** One thing of a run in the order it happened; calls by id. */
export type RunItem =
  | { readonly kind: 'call'; readonly callId: string }
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
  readonly callIds: readonly string[];
  readonly value?: StoredValue;
  readonly error?: RunError;
  readonly cancelReason?: string;
  readonly warnings: readonly Warning[];
  /** Live while running (from frames, not journaled), final afterwards. */
  readonly stats?: RunStats;
  readonly limits?: { readonly timeoutMs: number; readonly memoryBytes: number; readonly maxCalls: number };
  readonly queuedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** The read model of one session. Only `reduce` makes a new one. */
export interface SessionState {
  readonly sessionId: string;
  readonly lastSeq: number;
  readonly runs: Readonly<Record<string, RunView>>;
  /** Oldest first. */
  readonly runOrder: readonly string[];
  readonly calls: Readonly<Record<string, CallView>>;
  /** Calls that wait for a person, first asked first. */
  readonly pending: readonly string[];
}

/** A store that can be read and watched, not written. `useSyncExternalStore` takes it as it is. */
export interface ReadonlyStore<S> {
  getState(): S;
  getInitialState(): S;
  subscribe(listener: (state: S, previous: S) => void): () => void;
}
