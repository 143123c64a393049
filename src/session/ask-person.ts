import type { CatalogEntry } from '../catalog/catalog.ts';
import type { ApprovalResult } from '../policy/approvals.ts';
import { evaluateRules } from '../policy/rules.ts';
import type { Decision, DecisionReceipt } from '../policy/types.ts';
import { decode, encode } from '../protocol/codec.ts';
import { digest } from '../protocol/digest.ts';
import type { EncodedText } from '../protocol/wire.ts';
import type { RunScope } from './run-scope.ts';

/** A call as it is put before a person. */
interface Ask {
  readonly callId: string;
  readonly entry: CatalogEntry;
  /** The text that runs when it is allowed as it is. */
  readonly text: EncodedText;
  readonly value: unknown;
  /** Why a person is asked. */
  readonly reason: string | undefined;
}

type Refusal = Extract<DecisionReceipt, { applied: false }>;

/** Opens an approval and waits for its end: a decision, the end of the run, or its own expiry. */
export async function askPerson<C>(scope: RunScope<C>, ask: Ask): Promise<ApprovalResult> {
  const { journal, clock, approvals, approvalTimeoutMs, runId } = scope;
  const inputDigest = digest(ask.text);
  const { question, failed } = questionOf(ask);
  const reason = failed ?? ask.reason;
  const expiresAt = approvalTimeoutMs === undefined ? undefined : clock.now() + approvalTimeoutMs;
  const waited = approvals.wait({
    callId: ask.callId,
    runId,
    tool: ask.entry.name,
    input: ask.text,
    ...(expiresAt !== undefined && { expiresAt }),
    settle: (decision) => settle(scope, ask, inputDigest, decision),
  });
  journal.append(
    'approval.requested',
    {
      callId: ask.callId,
      question,
      risk: ask.entry.risk,
      input: journal.store(ask.text),
      inputDigest,
      ...(reason !== undefined && { reason }),
      ...(expiresAt !== undefined && { expiresAt }),
    },
    runId,
  );
  scope.waiting(ask.callId, true);
  const cancelTimer =
    expiresAt === undefined ? undefined : clock.schedule(() => approvals.close(ask.callId, 'expired'), approvalTimeoutMs ?? 0);
  const off = scope.ending.onEnd(() => approvals.close(ask.callId, 'ended'));
  if (scope.ending.over) approvals.close(ask.callId, 'ended');
  const result = await waited;
  cancelTimer?.();
  off();
  if (result.kind === 'expired' && !scope.ending.over) journal.append('approval.expired', { callId: ask.callId }, runId);
  scope.waiting(ask.callId, false);
  if (result.kind === 'cancel_run') scope.cancelRun(result.reason);
  return result;
}

function questionOf({ entry, text }: Ask): { question: string; failed?: string } {
  const neutral = `Run ${entry.title}?`;
  if (!entry.tool.describeCall) return { question: neutral };
  try {
    const words = entry.tool.describeCall(decode(text));
    if (typeof words === 'string' && words.trim() !== '') return { question: words };
    return { question: neutral, failed: '`describeCall` gave no sentence' };
  } catch {
    return { question: neutral, failed: '`describeCall` failed' };
  }
}

/** Checks a decision, records it, and says what it means. Records nothing when it refuses. */
async function settle<C>(
  scope: RunScope<C>,
  ask: Ask,
  inputDigest: string,
  decision: Decision,
): Promise<ApprovalResult | Refusal> {
  switch (decision.kind) {
    case 'deny':
      return record(scope, ask, { decision: 'deny', ...reasonOf(decision) }, { kind: 'deny', ...reasonOf(decision) });
    case 'cancelRun':
      return record(scope, ask, { decision: 'cancel_run', ...reasonOf(decision) }, { kind: 'cancel_run', ...reasonOf(decision) });
    case 'answer':
      return answer(scope, ask, decision);
    case 'allow':
      return allow(scope, ask, inputDigest, decision);
    default:
      return refuse('invalid_input', [{ path: ['kind'], message: 'a decision is allow, deny, answer or cancelRun' }]);
  }
}

async function answer<C>(
  scope: RunScope<C>,
  ask: Ask,
  decision: Extract<Decision, { kind: 'answer' }>,
): Promise<ApprovalResult | Refusal> {
  const checked = await ask.entry.validateOutput(decision.output);
  if (scope.ending.over) return refuse('ended');
  if (!checked.ok) return refuse('invalid_input', checked.issues);
  const output = scope.journal.store(encode(checked.value));
  return record(scope, ask, { decision: 'answer', output, ...reasonOf(decision) }, { kind: 'answer', output: checked.value });
}

async function allow<C>(
  scope: RunScope<C>,
  ask: Ask,
  inputDigest: string,
  decision: Extract<Decision, { kind: 'allow' }>,
): Promise<ApprovalResult | Refusal> {
  if (decision.inputDigest !== undefined && decision.inputDigest !== inputDigest) {
    return refuse('invalid_input', [{ path: [], message: 'the decision was made about another input' }]);
  }
  const edited = decision.input !== undefined;
  const text = edited ? encode(decision.input, { dropUndefined: true }) : ask.text;
  if (edited) {
    const checked = await ask.entry.validateInput(decode(text));
    // A decision of a run that is over is no decision: it leaves neither a record nor a permission behind.
    if (scope.ending.over) return refuse('ended');
    if (!checked.ok) return refuse('invalid_input', checked.issues);
  }
  if (deniedByRule(scope, ask.entry, ask.callId, text)) return refuse('denied_by_policy');
  const { scope: extent = 'once', match = 'tool' } = decision;
  const result = await record(
    scope,
    ask,
    { decision: 'allow', scope: extent, ...(edited && { input: scope.journal.store(text) }) },
    { kind: 'allow', text, edited },
  );
  if ((extent === 'run' || extent === 'session') && typeof match === 'string' && result.kind === 'allow' && !scope.ending.over)
    remember(scope, ask, extent, match, text);
  return result;
}

function deniedByRule<C>(scope: RunScope<C>, entry: CatalogEntry, callId: string, text: EncodedText): boolean {
  const { name, title, risk, readOnly, trusted } = entry;
  const { runId, sessionId, context } = scope;
  try {
    const verdict = evaluateRules(scope.policy(entry).rules, () => ({
      tool: { name, title, risk, readOnly, trusted },
      input: decode(text),
      callId,
      runId,
      sessionId,
      context,
    }));
    return verdict?.effect === 'deny' || verdict?.effect === 'hide';
  } catch {
    return true;
  }
}

/** Keeps the permission, and lets the calls that already wait and are covered by it go. */
function remember<C>(scope: RunScope<C>, ask: Ask, extent: 'run' | 'session', match: 'input' | 'tool', text: EncodedText): void {
  const { name, definitionHash, risk } = ask.entry;
  const call = { tool: name, definitionHash, risk, runId: scope.runId, input: text };
  const grant = scope.grants.add(call, extent, match);
  if (!grant) return;
  scope.journal.append('grant.created', { grantId: grant.id, tool: name, scope: extent, match, words: grant.words }, scope.runId);
  for (const other of scope.approvals.pending) {
    if (other.callId === ask.callId || other.tool !== name) continue;
    if (!scope.grants.covering({ ...call, runId: other.runId, input: other.input })) continue;
    // Where it cannot be recorded, that call fails by itself.
    scope.approvals.decide(other.callId, { kind: 'allow' }).catch(() => undefined);
  }
}

async function record<C>(
  scope: RunScope<C>,
  ask: Ask,
  data: Omit<Parameters<typeof scope.journal.append<'approval.decided'>>[1], 'callId'>,
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

function reasonOf(decision: { readonly reason?: string }): { reason?: string } {
  return decision.reason === undefined || decision.reason === '' ? {} : { reason: decision.reason };
}

function refuse(why: Refusal['why'], issues?: NonNullable<Refusal['issues']>): Refusal {
  return { applied: false, why, ...(issues && { issues }) };
}
