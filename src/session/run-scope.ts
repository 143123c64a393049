import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import type { Journal } from '../journal/journal.ts';
import type { ApprovalQueue } from '../policy/approvals.ts';
import type { PolicyInputs } from '../policy/evaluate.ts';
import type { GrantBook } from '../policy/grants.ts';
import type { LimitBook } from '../policy/rule-limits.ts';
import type { Clock } from '../protocol/clock.ts';
import type { Limits } from '../protocol/limits.ts';
import type { CallGate } from './call-gate.ts';
import type { DeferredResults } from './deferred.ts';
import type { Breathing } from './page-turn.ts';
import type { Deadlines } from './deadlines.ts';
import type { RunPermissions } from './permissions.ts';
import type { RunPlan } from './run-plan.ts';

/** One-way switch that ends a run; unlike `AbortSignal` it takes a thousand listeners without complaint. */
export class RunEnding {
  #reason: string | undefined;
  readonly #listeners = new Set<() => void>();

  /** Why the run is over for its calls; absent while it is not. */
  get reason(): string | undefined {
    return this.#reason;
  }

  get over(): boolean {
    return this.#reason !== undefined;
  }

  end(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  /** Calls `listener` when the run ends, at once when it is over: nobody may wait for an end that has been. */
  onEnd(listener: () => void): () => void {
    if (this.over) {
      listener();
      return () => false;
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** What the calls of one run share. */
export interface RunScope<C = unknown> {
  readonly runId: string;
  readonly sessionId: string;
  readonly context: C;
  /** The catalogue the program was written against. */
  readonly catalog: Catalog;
  readonly limits: Limits;
  readonly journal: Journal;
  readonly approvals: ApprovalQueue;
  readonly grants: GrantBook;
  readonly permissions: RunPermissions;
  /** Calls of the session whose result is brought later. */
  readonly deferred: DeferredResults;
  /** What the session's calls have taken of the limits of rules. */
  readonly limitBook: LimitBook;
  /** The program as a person allowed it as a whole; absent: each call is judged by itself. */
  readonly plan?: RunPlan;
  readonly clock: Clock;
  readonly gate: CallGate;
  /** Asked before the page does anything costly for a call. */
  readonly breathing: Breathing;
  /** `toolTimeoutMs` of each handler. */
  readonly deadlines: Deadlines;
  readonly ending: RunEnding;
  readonly approvalTimeoutMs: number | undefined;
  readonly redactErrors: boolean;
  /** Rules and callbacks of the latest options. */
  policy(entry: CatalogEntry): PolicyInputs<C>;
  /** True when a rule of the latest options hides the tool, whatever the input. */
  hides(entry: CatalogEntry): boolean;
  /** The tool as the latest options define it: its handler may be newer than the catalogue's. */
  latest(name: string): CatalogEntry | undefined;
  /** Counts bytes that crossed; false when `maxTransferBytes` is passed. */
  transfer(bytes: number): boolean;
  /** A call was only simulated. */
  simulated(ordinal: number, tool: string): void;
  /** A call begins or ends to wait for a person, or for a result that is brought later. */
  waiting(callId: string, open: boolean): void;
  cancelRun(reason: string | undefined): void;
  /** Reads the application's stored permissions, once a run. */
  loadPermissions(): Promise<void> | undefined;
}
