import type { EncodedText } from '../protocol/wire.ts';
import type { Decision, DecisionReceipt } from './types.ts';

/** How a wait for a person ended. */
export type ApprovalResult =
  | { readonly kind: 'allow' /** The text that may run. */; readonly text: EncodedText; readonly edited: boolean }
  | { readonly kind: 'deny'; readonly reason?: string }
  | { readonly kind: 'answer'; readonly output: unknown }
  | { readonly kind: 'cancel_run'; readonly reason?: string }
  | { readonly kind: 'expired' }
  /** The decision could not be made durable: nothing may follow from it. */
  | { readonly kind: 'unrecorded'; readonly error: unknown }
  | { readonly kind: 'ended' };

/** One call that waits for a person. */
export interface PendingApproval {
  readonly callId: string;
  readonly runId: string;
  readonly tool: string;
  /** The text that runs when it is allowed as it is. */
  readonly input: EncodedText;
  readonly expiresAt?: number;
  /**
   * Checks and records a decision. Returns a receipt of refusal to leave the call pending, or the result.
   * The claim is held while it works.
   */
  settle(decision: Decision): Promise<ApprovalResult | Extract<DecisionReceipt, { applied: false }>>;
}

interface Waiting {
  readonly approval: PendingApproval;
  readonly resolve: (result: ApprovalResult) => void;
  claimed: boolean;
}

/** Calls of one session that wait for a person, and the ids of those that were decided. */
export class ApprovalQueue {
  readonly #waiting = new Map<string, Waiting>();
  readonly #over = new Map<string, 'already_decided' | 'ended' | 'expired'>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get pending(): readonly PendingApproval[] {
    return [...this.#waiting.values()].map(({ approval }) => approval);
  }

  /** Waits until `decide`, `end` or `expire` settles the call. */
  wait(approval: PendingApproval): Promise<ApprovalResult> {
    return new Promise((resolve) => this.#waiting.set(approval.callId, { approval, resolve, claimed: false }));
  }

  /**
   * Takes the claim on the call synchronously: of two decisions the second loses, whatever the first turns out to be.
   * @throws CodeModeError `storage_error` when the decision could not be recorded; the call fails with it and does not run
   */
  async decide(callId: string, decision: Decision): Promise<DecisionReceipt> {
    const waiting = this.#waiting.get(callId);
    if (!waiting) return { applied: false, why: this.#over.get(callId) ?? 'ended' };
    if (waiting.claimed) return { applied: false, why: 'already_decided' };
    const { approval } = waiting;
    if (approval.expiresAt !== undefined && this.#now() >= approval.expiresAt) {
      this.#finish(waiting, { kind: 'expired' });
      return { applied: false, why: 'expired' };
    }
    waiting.claimed = true;
    let result: Awaited<ReturnType<PendingApproval['settle']>>;
    try {
      result = await approval.settle(decision);
    } catch (error) {
      this.#unclaim(waiting);
      throw error;
    }
    // The run may have ended while an edited input was being checked.
    if (this.#waiting.get(callId) !== waiting) return { applied: false, why: 'ended' };
    if ('applied' in result) return this.#unclaim(waiting) ? result : { applied: false, why: 'expired' };
    this.#finish(waiting, result);
    if (result.kind === 'unrecorded') throw result.error;
    return { applied: true };
  }

  /** Closes a wait without a decision: the run ended or the time is over. A claimed call is left to its decision when it expires. */
  close(callId: string, kind: 'ended' | 'expired'): boolean {
    const waiting = this.#waiting.get(callId);
    if (!waiting || (kind === 'expired' && waiting.claimed)) return false;
    this.#finish(waiting, { kind });
    return true;
  }

  /** A refused decision leaves the call pending, unless its time ran out meanwhile: `close` was turned away for the claim. */
  #unclaim(waiting: Waiting): boolean {
    waiting.claimed = false;
    const { callId, expiresAt } = waiting.approval;
    if (expiresAt === undefined || this.#now() < expiresAt) return true;
    this.close(callId, 'expired');
    return false;
  }

  #finish(waiting: Waiting, result: ApprovalResult): void {
    const { callId } = waiting.approval;
    this.#waiting.delete(callId);
    this.#over.set(callId, result.kind === 'ended' || result.kind === 'expired' ? result.kind : 'already_decided');
    waiting.resolve(result);
  }
}
