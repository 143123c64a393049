/** What people decided in one session, and what waits for them. Made with the first thing that is judged. */
import { ApprovalQueue, PlanQueue } from '../policy/approvals.ts';
import { LimitBook } from '../policy/rule-limits.ts';
import { DeferredResults } from './deferred.ts';
import { Permissions, type PermissionsDeps } from './permissions.ts';
import { toDecision } from '../policy/peers/plain.ts';
import type { Decision, DecisionReceipt, PlainDecision, PlanDecision } from '../policy/types.ts';

export class Decisions<C = unknown> {
  readonly approvals: ApprovalQueue;
  readonly plans: PlanQueue;
  readonly deferred = new DeferredResults();
  readonly limitBook = new LimitBook();
  readonly permissions: Permissions<C>;

  /** The journal is open: what an earlier life of the session left is taken over. */
  constructor(deps: Omit<PermissionsDeps<C>, 'approvals'>) {
    this.approvals = new ApprovalQueue(deps.clock.now);
    this.plans = new PlanQueue(deps.clock.now);
    this.permissions = new Permissions({ ...deps, approvals: this.approvals });
    this.limitBook.restore(deps.journal.events);
    this.permissions.restore();
  }

  decide(callId: string, decision: Decision | PlainDecision): Promise<DecisionReceipt> {
    return this.approvals.decide(callId, toDecision(decision));
  }

  decidePlan(runId: string, decision: PlanDecision): Promise<DecisionReceipt> {
    return this.plans.decide(runId, decision);
  }
}
