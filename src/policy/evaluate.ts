import type { CatalogEntry } from '../catalog/catalog.ts';
import type { DecidedBy, PolicyEffect } from '../journal/events.ts';
import type { TakenOf } from './rule-limits.ts';
import { judgeRules, stricter } from './rules.ts';
import type { PolicyRule, ToolCallDecision, ToolCallQuestion } from './types.ts';

/** What the application decides with. */
export interface PolicyInputs<C> {
  readonly rules: readonly PolicyRule<C>[];
  readonly onToolCall?: (call: ToolCallQuestion<C>) => ToolCallDecision | Promise<ToolCallDecision>;
  /** True when the source's word counts like the application's own. */
  readonly trusted: boolean;
  /** What is taken of the rules' limits. */
  readonly taken?: TakenOf;
}

export interface Verdict {
  readonly effect: PolicyEffect;
  readonly by: DecidedBy;
  readonly reason?: string;
  /** The rule's name, or its pattern and place. */
  readonly rule?: string;
  readonly index?: number;
  /** The permission that covered the call. */
  readonly grantId?: string;
  /** True when a callback failed: the call is denied with `policy_failed`, or asked about. */
  readonly failed?: boolean;
  /** Only a decision about this very call satisfies it: no permission that was given before. */
  readonly own?: true;
  /** New input of `onToolCall`; goes through validation and `evaluateStatic` again. */
  readonly input?: { readonly value: unknown };
}

/** Bounds a callback in time; rejects when it takes longer. */
export type Within = <T>(work: T | Promise<T>, what: string) => Promise<T>;

/** Nothing that is asked later changes it. */
function isFinal({ effect }: Verdict): boolean {
  return effect === 'deny' || effect === 'hide';
}

/**
 * What rules, risk and `needsApproval` say about one input, without `onToolCall`.
 * Precedence: hide > deny > simulate > ask > allow; `needsApproval` and `danger` are floors that no rule waives.
 */
export async function evaluateStatic<C>(
  entry: CatalogEntry,
  question: () => ToolCallQuestion<C>,
  policy: PolicyInputs<C>,
  within: Within,
): Promise<Verdict> {
  return strictest(await staticVoices(entry, question, policy, within));
}

/** The same, said by each voice for itself, in the order they were asked; whoever comes after a denial is not asked. */
export async function staticVoices<C>(
  entry: CatalogEntry,
  question: () => ToolCallQuestion<C>,
  policy: PolicyInputs<C>,
  within: Within,
): Promise<readonly Verdict[]> {
  let byRules: readonly Verdict[] = [];
  try {
    byRules = judgeRules(policy.rules, question, policy.taken).map((verdict) => ({ ...verdict, by: 'rule' }));
  } catch (error) {
    return [failed('deny', 'rule', `a policy rule failed: ${messageOf(error)}`)];
  }
  if (byRules.some(isFinal)) return byRules;
  const floor = await approvalFloor(entry, question, within);
  return [...(byRules.length > 0 ? byRules : [byDefault(policy)]), floor];
}

/** True when nothing is to be asked: own tool, no rule, no callback, no consent. The same answer as `evaluatePolicy`, without a wait. */
export function isUnquestioned<C>(entry: CatalogEntry, { rules, onToolCall, trusted }: PolicyInputs<C>): boolean {
  const needs = entry.tool.needsApproval ?? entry.tool.requiresApproval ?? false;
  return trusted && rules.length === 0 && !onToolCall && needs === false && entry.risk !== 'danger';
}

/** `evaluateStatic`, then `onToolCall`; the strictest of all wins. */
export async function evaluatePolicy<C>(
  entry: CatalogEntry,
  question: () => ToolCallQuestion<C>,
  policy: PolicyInputs<C>,
  within: Within,
): Promise<Verdict> {
  const before = await evaluateStatic(entry, question, policy, within);
  if (!policy.onToolCall || isFinal(before)) return before;
  let said: Verdict | undefined;
  try {
    said = readDecision(await within(policy.onToolCall(question()), '`onToolCall`'));
  } catch (error) {
    return failed('deny', 'on_tool_call', `\`onToolCall\` failed: ${messageOf(error)}`);
  }
  if (!said) return before;
  const verdict = strictest([before, said]);
  return said.input && verdict.effect !== 'deny' ? { ...verdict, input: said.input } : verdict;
}

/** The first of the strictest. */
export function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce(stricter);
}

function byDefault<C>(policy: PolicyInputs<C>): Verdict {
  if (policy.trusted) return { effect: 'allow', by: 'default' };
  return { effect: 'ask', by: 'default', reason: 'the tool comes from a source the application does not trust' };
}

async function approvalFloor<C>(entry: CatalogEntry, question: () => ToolCallQuestion<C>, within: Within): Promise<Verdict> {
  if (entry.risk === 'danger') return { effect: 'ask', by: 'needs_approval' };
  const needs = entry.tool.needsApproval ?? entry.tool.requiresApproval ?? false;
  if (typeof needs === 'boolean') return { effect: needs ? 'ask' : 'allow', by: needs ? 'needs_approval' : 'default' };
  try {
    const { input, context } = question();
    const answer = await within(needs(input, context), '`needsApproval`');
    return answer === false ? { effect: 'allow', by: 'default' } : { effect: 'ask', by: 'needs_approval' };
  } catch (error) {
    return failed('ask', 'needs_approval', `\`needsApproval\` failed: ${messageOf(error)}`);
  }
}

function readDecision(answer: ToolCallDecision): Verdict | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (typeof answer !== 'object') return failed('deny', 'on_tool_call', '`onToolCall` must return an object or undefined');
  const input = 'input' in answer && answer.input !== undefined ? { input: { value: answer.input } } : {};
  const reason = 'reason' in answer && answer.reason !== undefined ? { reason: String(answer.reason) } : {};
  if ('ask' in answer && answer.ask === true) return { effect: 'ask', by: 'on_tool_call', ...reason, ...input };
  const allowed = 'allowed' in answer ? answer.allowed : 'approved' in answer ? answer.approved : undefined;
  if (allowed === true) return { effect: 'allow', by: 'on_tool_call', ...input };
  if (allowed === false) return { effect: 'deny', by: 'on_tool_call', ...reason };
  return failed('deny', 'on_tool_call', '`onToolCall` must return { allowed }, { approved } or { ask: true }');
}

function failed(effect: 'deny' | 'ask', by: DecidedBy, reason: string): Verdict {
  return { effect, by, reason, failed: true };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
