import type { EncodedText } from '../protocol/wire.ts';
import type { GrantedCall } from './grants.ts';
import type { Decision, DecisionReceipt, PlanDecision } from './types.ts';

/** How a wait ends without a decision. */
export type NoDecision =
  | { readonly kind: 'expired' }
  /** The decision could not be made durable: nothing may follow from it. */
  | { readonly kind: 'unrecorded'; readonly error: unknown }
  | { readonly kind: 'ended' };

/** What became of the wish to remember a decision. */
export type Remembered = Pick<Extract<DecisionReceipt, { applied: true }>, 'grant' | 'notRemembered'>;

/** How a wait for a person's word about a call ended. */
export type ApprovalResult =
  | {
      readonly kind: 'allow';
      /** The text that may run. */
      readonly text: EncodedText;
      readonly edited: boolean;
      /** The permission that let it go, when nobody decided this call by itself. */
      readonly grantId?: string;
      /** Remembers the decision; called once, when it is in force. */
      readonly remember?: () => Remembered | Promise<Remembered>;
    }
  | { readonly kind: 'deny'; readonly reason?: string }
  | { readonly kind: 'answer'; readonly output: unknown }
  | { readonly kind: 'cancel_run'; readonly reason?: string }
  | NoDecision;

/** How a wait for a person's word about a program ended. */
export type PlanResult =
  | { readonly kind: 'allow' }
  | { readonly kind: 'call_by_call' }
  | { readonly kind: 'deny'; readonly reason?: string }
  | NoDecision;

export type Refusal = Extract<DecisionReceipt, { applied: false }>;

/** Something that waits for a person. */
export interface Pending<D, R> {
  readonly id: string;
  readonly runId: string;
  readonly expiresAt?: number;
  /**
   * Checks and records a decision. Returns a receipt of refusal to leave it pending, or the result.
   * The claim is held while it works.
   */
  settle(decision: D, grantId?: string): Promise<R | Refusal>;
}

/** One call that waits for a person. */
export interface PendingApproval extends Pending<Decision, ApprovalResult> {
  readonly tool: string;
  /** The text that runs when it is allowed as it is. */
  readonly input: EncodedText;
  /** What a permission must cover; absent where none can: the call must be decided by itself. */
  readonly coverable?: GrantedCall;
}

/** One program that waits for a person. */
export type PendingPlan = Pending<PlanDecision, PlanResult>;

interface Waiting<P, R> {
  readonly pending: P;
  readonly resolve: (result: R | NoDecision) => void;
  claimed: boolean;
}

/** What of one session waits for a person, and the ids of what was decided. */
export class DecisionQueue<D, R extends { readonly kind: string; readonly remember?: unknown }, P extends Pending<D, R>> {
  readonly #waiting = new Map<string, Waiting<P, R>>();
  readonly #over = new Map<string, 'already_decided' | 'ended' | 'expired'>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get pending(): readonly P[] {
    return [...this.#waiting.values()].map(({ pending }) => pending);
  }

  get(id: string): P | undefined {
    return this.#waiting.get(id)?.pending;
  }

  /** Waits until `decide` or `close` settles it. */
  wait(pending: P): Promise<R | NoDecision> {
    return new Promise((resolve) => this.#waiting.set(pending.id, { pending, resolve, claimed: false }));
  }

  /**
   * Takes the claim synchronously: of two decisions the second loses, whatever the first turns out to be.
   * @param grantId the permission that decides instead of a person
   * @throws CodeModeError `storage_error` when the decision could not be recorded; the call fails with it and does not run
   */
  async decide(id: string, decision: D, grantId?: string): Promise<DecisionReceipt> {
    const waiting = this.#waiting.get(id);
    if (!waiting) return { applied: false, why: this.#over.get(id) ?? 'ended' };
    if (waiting.claimed) return { applied: false, why: 'already_decided' };
    const { pending } = waiting;
    if (pending.expiresAt !== undefined && this.#now() >= pending.expiresAt) {
      this.#finish(waiting, { kind: 'expired' });
      return { applied: false, why: 'expired' };
    }
    waiting.claimed = true;
    let result: R | Refusal;
    try {
      result = await pending.settle(decision, grantId);
    } catch (error) {
      this.#unclaim(waiting);
      throw error;
    }
    // The run may have ended while an edited input was being checked.
    if (this.#waiting.get(id) !== waiting) return { applied: false, why: 'ended' };
    if ('applied' in result) return this.#unclaim(waiting) ? result : { applied: false, why: 'expired' };
    this.#finish(waiting, result);
    if (result.kind === 'unrecorded') throw (result as unknown as { error: unknown }).error;
    const remember = result.remember as (() => Remembered | Promise<Remembered>) | undefined;
    return { applied: true, ...(await remember?.()) };
  }

  /** Closes a wait without a decision: the run ended or the time is over. What is claimed is left to its decision when it expires. */
  close(id: string, kind: 'ended' | 'expired'): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting || (kind === 'expired' && waiting.claimed)) return false;
    this.#finish(waiting, { kind });
    return true;
  }

  /** A refused decision leaves the call pending, unless its time ran out meanwhile: `close` was turned away for the claim. */
  #unclaim(waiting: Waiting<P, R>): boolean {
    waiting.claimed = false;
    const { id, expiresAt } = waiting.pending;
    if (expiresAt === undefined || this.#now() < expiresAt) return true;
    this.close(id, 'expired');
    return false;
  }

  #finish(waiting: Waiting<P, R>, result: R | NoDecision): void {
    const { id } = waiting.pending;
    this.#waiting.delete(id);
    this.#over.set(id, result.kind === 'ended' || result.kind === 'expired' ? result.kind : 'already_decided');
    waiting.resolve(result);
  }
}

/** The calls of one session that wait for a person. */
export class ApprovalQueue extends DecisionQueue<Decision, ApprovalResult, PendingApproval> {}

/** The programs of one session that wait for a person. */
export class PlanQueue extends DecisionQueue<PlanDecision, PlanResult, PendingPlan> {}
