/** What a decision about a waiting call means: it is checked, recorded, and then it is in force. */
import type { EventData } from '../journal/events.ts';
import type { ApprovalResult, Refusal } from '../policy/approvals.ts';
import { wordsOf } from '../policy/grants.ts';
import { evaluateRules } from '../policy/rules.ts';
import type { Decision, DecisionScope } from '../policy/types.ts';
import { decode, encode } from '../protocol/codec.ts';
import type { EncodedText } from '../protocol/wire.ts';
import type { Ask } from './ask-person.ts';
import { inTime } from './check-input.ts';
import { rememberDecision } from './remember-decision.ts';
import { questionAbout } from './call-question.ts';
import type { RunScope } from './run-scope.ts';

/** A question that is open. */
interface OpenAsk extends Ask {
  readonly inputDigest: string;
}

type Allow = Extract<Decision, { kind: 'allow' }>;

/** Checks a decision, records it, and says what it means. Records nothing when it refuses. */
export async function settleCall<C>(
  scope: RunScope<C>,
  ask: OpenAsk,
  decision: Decision,
  grantId: string | undefined,
): Promise<ApprovalResult | Refusal> {
  switch (decision?.kind) {
    case 'deny':
      return record(scope, ask, { decision: 'deny', ...reasonOf(decision) }, { kind: 'deny', ...reasonOf(decision) });
    case 'cancelRun':
      return record(scope, ask, { decision: 'cancel_run', ...reasonOf(decision) }, { kind: 'cancel_run', ...reasonOf(decision) });
    case 'answer':
      return answer(scope, ask, decision);
    case 'allow':
      return allow(scope, ask, decision, grantId);
    default:
      return refuse('invalid_input', ['kind'], 'a decision is allow, deny, answer or cancelRun');
  }
}

async function answer<C>(
  scope: RunScope<C>,
  ask: OpenAsk,
  decision: Extract<Decision, { kind: 'answer' }>,
): Promise<ApprovalResult | Refusal> {
  if (ask.undoes) return refuse('invalid_input', ['kind'], 'taking a call back has no result that could be given instead');
  const checked = await inTime(scope, ask.entry.validateOutput(decision.output));
  if (scope.ending.over) return { applied: false, why: 'ended' };
  if (!checked.ok) return { applied: false, why: 'invalid_input', issues: checked.issues };
  const { maxDepth, maxResultBytes } = scope.limits;
  const text = encoded(checked.value, { maxDepth, maxBytes: maxResultBytes });
  if (typeof text !== 'string') return refuse('invalid_input', ['output'], text.problem);
  const output = scope.journal.store(text);
  return record(scope, ask, { decision: 'answer', output, ...reasonOf(decision) }, { kind: 'answer', output: checked.value });
}

async function allow<C>(
  scope: RunScope<C>,
  ask: OpenAsk,
  decision: Allow,
  grantId: string | undefined,
): Promise<ApprovalResult | Refusal> {
  const problem = problemOf(scope, ask, decision);
  if (problem) return problem;
  const edited = decision.input !== undefined;
  const { maxDepth, maxInputBytes } = scope.limits;
  const text = edited ? encoded(decision.input, { dropUndefined: true, maxDepth, maxBytes: maxInputBytes }) : ask.text;
  if (typeof text !== 'string') return refuse('invalid_input', ['input'], text.problem);
  if (edited) {
    const checked = await inTime(scope, ask.entry.validateInput(decode(text)));
    // A decision of a run that is over is no decision: it leaves neither a record nor a permission behind.
    if (scope.ending.over) return { applied: false, why: 'ended' };
    if (!checked.ok) return { applied: false, why: 'invalid_input', issues: checked.issues };
  }
  if (isDenied(scope, ask, text)) return { applied: false, why: 'denied_by_policy' };
  const { scope: reach = 'once', match = defaultMatch(reach) } = decision;
  return record(
    scope,
    ask,
    {
      decision: 'allow',
      scope: reach,
      ...(reach !== 'once' && { match }),
      ...(grantId !== undefined && { grantId }),
      ...(edited && { input: scope.journal.store(text) }),
    },
    {
      kind: 'allow',
      text,
      edited,
      ...(grantId !== undefined && { grantId }),
      ...(reach !== 'once' && { remember: () => rememberDecision(scope, ask, { scope: reach, match }, text) }),
    },
  );
}

/** What a scope covers when nothing is said. */
export function defaultMatch(scope: DecisionScope): 'input' | 'tool' {
  return typeof scope === 'object' ? 'input' : 'tool';
}

/** Why an `allow` cannot be taken as it is, before anything is looked at that takes time. */
function problemOf<C>(scope: RunScope<C>, ask: OpenAsk, decision: Allow): Refusal | undefined {
  if (decision.inputDigest !== undefined && decision.inputDigest !== ask.inputDigest)
    return refuse('invalid_input', [], 'the decision was made about another input');
  if (ask.undoes && decision.input !== undefined)
    return refuse('invalid_input', ['input'], 'what is taken back is what was done; it cannot be changed');
  const { scope: reach = 'once', match = defaultMatch(reach) } = decision;
  if (reach === 'once') return undefined;
  if (reach === 'always' && !scope.permissions.canStore)
    return refuse('invalid_input', ['scope'], 'this application keeps no permissions: it has no `grants` store');
  const words = wordsOf({ tool: ask.entry.name }, { scope: reach, match });
  return typeof words === 'string' ? undefined : refuse('invalid_input', words.path, words.message);
}

/** Rules may have changed while the person thought, and an edited input is another one. */
function isDenied<C>(scope: RunScope<C>, { entry, callId }: OpenAsk, text: EncodedText): boolean {
  const { rules, taken } = scope.policy(entry);
  try {
    const verdict = evaluateRules(rules, questionAbout(scope, entry, callId, text), taken);
    return verdict?.effect === 'deny' || verdict?.effect === 'hide';
  } catch {
    return true;
  }
}

async function record<C>(
  scope: RunScope<C>,
  ask: OpenAsk,
  data: Omit<EventData['approval.decided'], 'callId'>,
  result: ApprovalResult,
): Promise<ApprovalResult> {
  const durable = scope.journal.appendDurably('approval.decided', { callId: ask.callId, ...data }, scope.runId);
  try {
    if (durable) await durable;
  } catch (error) {
    return { kind: 'unrecorded', error };
  }
  return result;
}

function encoded(value: unknown, options: Parameters<typeof encode>[1]): EncodedText | { readonly problem: string } {
  try {
    return encode(value, options);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The reason of a decision, where there is one. */
export function reasonOf(decision: { readonly reason?: string }): { reason?: string } {
  return decision.reason === undefined || decision.reason === '' ? {} : { reason: decision.reason };
}

/** A receipt that leaves the question open. */
export function refuse(why: Refusal['why'], path: readonly (string | number)[], message: string): Refusal {
  return { applied: false, why, issues: [{ path, message }] };
}
