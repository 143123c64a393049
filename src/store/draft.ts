import type { CallView, GrantView, RunItem, RunView, SessionState } from './state.ts';

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** A run of a draft: its lists may be pushed to. */
export type DraftRun = Mutable<RunView> & { items: RunItem[]; callIds: string[] };

/** Copy-on-write view of a state for one batch: each touched part is copied once. */
export class Draft {
  lastSeq: number;
  private readonly base: SessionState;
  private runs: Record<string, RunView> | undefined;
  private calls: Record<string, CallView> | undefined;
  private order: string[] | undefined;
  private queue: string[] | undefined;
  private plans: string[] | undefined;
  private permissions: GrantView[] | undefined;
  private readonly openRuns = new Set<string>();
  private readonly openCalls = new Set<string>();

  constructor(base: SessionState) {
    this.base = base;
    this.lastSeq = base.lastSeq;
  }

  addRun(run: RunView): void {
    if (this.peekRun(run.id)) return;
    this.runs ??= { ...this.base.runs };
    this.runs[run.id] = run;
    this.openRuns.add(run.id);
    this.order ??= [...this.base.runOrder];
    this.order.push(run.id);
  }

  peekRun(id: string | undefined): RunView | undefined {
    const runs = this.runs ?? this.base.runs;
    return id !== undefined && Object.hasOwn(runs, id) ? runs[id] : undefined;
  }

  run(id: string | undefined): DraftRun | undefined {
    const found = this.peekRun(id);
    if (!found || id === undefined) return undefined;
    this.runs ??= { ...this.base.runs };
    if (!this.openRuns.has(id)) {
      this.runs[id] = { ...found, items: [...found.items], callIds: [...found.callIds] };
      this.openRuns.add(id);
    }
    return this.runs[id] as DraftRun;
  }

  addCall(call: CallView): void {
    this.calls ??= { ...this.base.calls };
    this.calls[call.id] = call;
    this.openCalls.add(call.id);
  }

  call(id: string): Mutable<CallView> | undefined {
    const calls = this.calls ?? this.base.calls;
    if (!Object.hasOwn(calls, id)) return undefined;
    this.calls ??= { ...this.base.calls };
    if (!this.openCalls.has(id)) {
      this.calls[id] = { ...this.calls[id] } as CallView;
      this.openCalls.add(id);
    }
    return this.calls[id] as Mutable<CallView>;
  }

  /** Calls waiting for a person. */
  get pending(): string[] {
    this.queue ??= [...this.base.pending];
    return this.queue;
  }

  unqueue(id: string): void {
    const at = (this.queue ?? this.base.pending).indexOf(id);
    if (at >= 0) this.pending.splice(at, 1);
  }

  /** Runs whose program waits for a person. */
  get pendingPlans(): string[] {
    this.plans ??= [...this.base.pendingPlans];
    return this.plans;
  }

  unplan(runId: string): void {
    const at = (this.plans ?? this.base.pendingPlans).indexOf(runId);
    if (at >= 0) this.pendingPlans.splice(at, 1);
  }

  /** Permissions in force. */
  get grants(): GrantView[] {
    this.permissions ??= [...this.base.grants];
    return this.permissions;
  }

  finish(): SessionState {
    return {
      sessionId: this.base.sessionId,
      lastSeq: this.lastSeq,
      runs: this.runs ?? this.base.runs,
      runOrder: this.order ?? this.base.runOrder,
      calls: this.calls ?? this.base.calls,
      pending: this.queue ?? this.base.pending,
      pendingPlans: this.plans ?? this.base.pendingPlans,
      grants: this.permissions ?? this.base.grants,
    };
  }
}
