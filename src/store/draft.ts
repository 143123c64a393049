import { indexOfCall, runOfCall } from './calls.ts';
import type { CallView, GrantView, RunItem, RunView, SessionState } from './state.ts';

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** A run of a draft: its lists may be pushed to. */
export type DraftRun = Mutable<RunView> & { items: RunItem[]; calls: CallView[] };

/** Copy-on-write view of a state for one batch: each touched part is copied once. */
export class Draft {
  lastSeq: number;
  private readonly base: SessionState;
  private runs: Record<string, RunView> | undefined;
  private order: string[] | undefined;
  private queue: string[] | undefined;
  private plans: string[] | undefined;
  private permissions: GrantView[] | undefined;
  private removed: number | undefined;
  damage: SessionState['damage'];
  private readonly openRuns = new Set<string>();
  private readonly openCalls = new Set<string>();

  constructor(base: SessionState) {
    this.base = base;
    this.lastSeq = base.lastSeq;
  }

  addRun(run: RunView): void {
    if (this.peekRun(run.id)) return;
    this.runs ??= { ...this.base.runs };
    put(this.runs, run.id, run);
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
      put(this.runs, id, { ...found, items: [...found.items], calls: [...found.calls] });
      this.openRuns.add(id);
    }
    return this.runs[id] as DraftRun;
  }

  addCall(run: DraftRun, call: CallView): void {
    run.items.push({ kind: 'call', index: run.calls.push(call) - 1 });
    this.openCalls.add(call.id);
  }

  call(id: string): Mutable<CallView> | undefined {
    const known = this.peekRun(runOfCall(id));
    const index = known ? indexOfCall(known.calls, id) : -1;
    const run = index < 0 ? undefined : this.run(known?.id);
    if (!run) return undefined;
    if (!this.openCalls.has(id)) {
      run.calls[index] = { ...(run.calls[index] as CallView) };
      this.openCalls.add(id);
    }
    return run.calls[index];
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

  /** Retention removed these runs; they were over. */
  removeRuns(ids: readonly string[], inAll: number): void {
    const gone = new Set(ids);
    this.runs = Object.fromEntries(Object.entries(this.runs ?? this.base.runs).filter(([id]) => !gone.has(id)));
    this.order = (this.order ?? this.base.runOrder).filter((id) => !gone.has(id));
    this.queue = (this.queue ?? this.base.pending).filter((id) => !gone.has(runOfCall(id)));
    this.plans = (this.plans ?? this.base.pendingPlans).filter((id) => !gone.has(id));
    this.removed = inAll;
  }

  finish(): SessionState {
    const damage = this.damage ?? this.base.damage;
    return {
      sessionId: this.base.sessionId,
      ownership: this.base.ownership,
      removedRuns: this.removed ?? this.base.removedRuns,
      ...(damage && { damage }),
      lastSeq: this.lastSeq,
      runs: this.runs ?? this.base.runs,
      runOrder: this.order ?? this.base.runOrder,
      pending: this.queue ?? this.base.pending,
      pendingPlans: this.plans ?? this.base.pendingPlans,
      grants: this.permissions ?? this.base.grants,
    };
  }
}

/** Ids come from outside; `__proto__` is one like any other. */
function put(runs: Record<string, RunView>, id: string, run: RunView): void {
  Object.defineProperty(runs, id, { value: run, writable: true, enumerable: true, configurable: true });
}
