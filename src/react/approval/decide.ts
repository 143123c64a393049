import type { Decision, DecisionReceipt, DecisionScope, GrantPreview, PlanDecision } from '../../policy/types.ts';
import type { GrantMatch } from '../../journal/events.ts';
import type { Session } from '../../session/types.ts';
import type { Asked, ApprovalRequest, PlanRequest } from './asked.ts';

/** How far an *Allow* reaches. */
export interface AllowOptions {
  /** `{ next: n }`: this call and the next n like it in this run. `always` needs an application that stores permissions. @default 'once' */
  readonly scope?: DecisionScope;
  /** The exact input, any input of the tool, or the inputs of a rule like `amount <= 50`. @default 'tool', with `{ next }` 'input' */
  readonly match?: GrantMatch;
}

/** What can be said about the question on screen. Each decision carries the digest of the input that was shown. */
export interface Decisions {
  /** What allowing it that way would permit, in words; commits nothing. */
  preview(options: AllowOptions): GrantPreview;
  allow(options?: AllowOptions): Promise<DecisionReceipt>;
  /** All waiting calls that are the same as this one, once each. */
  allowSame(): Promise<readonly DecisionReceipt[]>;
  allowEdited(input: unknown): Promise<DecisionReceipt>;
  deny(reason?: string): Promise<DecisionReceipt>;
  answer(output: unknown, reason?: string): Promise<DecisionReceipt>;
  cancelRun(reason?: string): Promise<DecisionReceipt>;
  /** Each as shown in the list, once; calls marked danger and inputs too long for the list are left out. */
  allowAll(): Promise<readonly DecisionReceipt[]>;
  denyAll(reason?: string): Promise<readonly DecisionReceipt[]>;
  /** The program that waits as a whole. */
  allowPlan(): Promise<DecisionReceipt>;
  callByCall(): Promise<DecisionReceipt>;
  denyPlan(reason?: string): Promise<DecisionReceipt>;
}

const ENDED: DecisionReceipt = { applied: false, why: 'ended' };
const NO_PREVIEW: GrantPreview = { ok: false, issues: [] };

/** Longest input, in characters of its text, that stands whole in the list of all that waits. */
const QUEUE_INPUT_CHARS = 300;

/** Of several decisions taken together: the first that was not applied, else that all were. */
export function worstOf(receipts: readonly DecisionReceipt[]): DecisionReceipt {
  return receipts.find(({ applied }) => !applied) ?? { applied: true };
}

/**
 * True when the list shows, as plain JSON, all that would run: only such calls can be allowed together, and never a `danger` one
 * or one that may have happened.
 */
export function isShownInQueue({ approval: { risk, input, doubt } }: ApprovalRequest): boolean {
  return (
    risk !== 'danger' && !doubt && 'inline' in input && input.inline.length <= QUEUE_INPUT_CHARS && !input.inline.includes('"$t"')
  );
}

/** The decisions of one question. `busy` is told when one is under way. */
export function decisionsOf(
  session: Session | undefined,
  request: ApprovalRequest | undefined,
  plan: PlanRequest | undefined,
  { calls }: Asked,
  busy: (deciding: boolean) => void,
): Decisions {
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    busy(true);
    try {
      return await work();
    } finally {
      busy(false);
    }
  };
  const decide = async (decision: Decision): Promise<DecisionReceipt> =>
    session && request ? during(() => session.decide(request.call.id, decision)) : ENDED;
  const decideAll = (requests: readonly ApprovalRequest[], decision: (each: ApprovalRequest) => Decision) =>
    during(() => Promise.all(requests.map(async (each) => (session ? session.decide(each.call.id, decision(each)) : ENDED))));
  const decidePlan = async (decision: PlanDecision): Promise<DecisionReceipt> =>
    session && plan ? during(() => session.decidePlan(plan.run.id, decision)) : ENDED;
  const once = ({ approval: { inputDigest } }: ApprovalRequest): Decision => ({ kind: 'allow', scope: 'once', inputDigest });
  const inputDigest = request?.approval.inputDigest;
  const isSame = ({ group }: ApprovalRequest): boolean => group !== undefined && group.key === request?.group?.key;
  return {
    preview: ({ scope = 'once', match }) =>
      session && request ? session.grants.preview(request.call.id, { scope, match }) : NO_PREVIEW,
    allow: ({ scope = 'once', match } = {}) => decide({ kind: 'allow', scope, match, inputDigest }),
    allowSame: () => decideAll(calls.filter(isSame), once),
    allowEdited: (input) => decide({ kind: 'allow', scope: 'once', input, inputDigest }),
    deny: (reason) => decide({ kind: 'deny', reason }),
    answer: (output, reason) => decide({ kind: 'answer', output, reason }),
    cancelRun: (reason) => decide({ kind: 'cancelRun', reason }),
    allowAll: () => decideAll(calls.filter(isShownInQueue), once),
    denyAll: (reason) => decideAll(calls, () => ({ kind: 'deny', reason })),
    allowPlan: () => decidePlan({ kind: 'allow', sourceDigest: plan?.plan.sourceDigest }),
    callByCall: () => decidePlan({ kind: 'callByCall' }),
    denyPlan: (reason) => decidePlan({ kind: 'deny', reason }),
  };
}
