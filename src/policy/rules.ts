import type { Reservation } from '../journal/events.ts';
import { amountOf, passed, ruleKeys, type TakenOf } from './rule-limits.ts';
import { applies } from './rule-match.ts';
import type { PolicyRule, ToolCallQuestion } from './types.ts';

export type RuleEffect = PolicyRule['effect'];

export interface RuleVerdict {
  readonly effect: RuleEffect;
  readonly reason?: string;
  /** The rule's name, or its pattern and place. */
  readonly rule: string;
  readonly index: number;
  /** Only a decision about this very call satisfies it: no permission that was given before. */
  readonly own?: true;
}

const STRICTNESS: Readonly<Record<RuleEffect, number>> = { allow: 0, ask: 1, simulate: 2, deny: 3, hide: 4 };

/** The stricter of two effects: hide > deny > simulate > ask > allow. Of two that ask, the one about this very call. */
export function stricter<V extends { readonly effect: RuleEffect; readonly own?: true }>(a: V, b: V): V {
  const more = STRICTNESS[b.effect] - STRICTNESS[a.effect];
  return more > 0 || (more === 0 && b.own === true && a.own !== true) ? b : a;
}

/**
 * What each rule that matches says, in their order. A rule whose limit would be passed says what is beyond it.
 * @param taken of limits so far; without it limits do not count
 * @throws whatever a rule's predicate throws; TypeError when an amount cannot be counted
 */
export function judgeRules<C>(
  rules: readonly PolicyRule<C>[],
  question: () => ToolCallQuestion<C>,
  taken?: TakenOf,
): readonly RuleVerdict[] {
  const verdicts: RuleVerdict[] = [];
  rules.forEach((rule, index) => {
    const asked = question();
    if (!applies(rule, asked)) return;
    const verdict = { rule: ruleName(rule, index), index };
    const beyond = rule.max && taken ? beyondLimit(rules, index, asked, taken) : undefined;
    const { reason } = rule;
    if (beyond === undefined) verdicts.push({ effect: rule.effect, ...(reason !== undefined && { reason }), ...verdict });
    else if (rule.max?.beyond === 'ask') verdicts.push({ effect: 'ask', reason: join(reason, beyond), ...verdict, own: true });
    else verdicts.push({ effect: 'deny', reason: join(reason, beyond), ...verdict });
  });
  return verdicts;
}

/** The strictest of all rules that match; nothing when none does. @throws like `judgeRules` */
export function evaluateRules<C>(
  rules: readonly PolicyRule<C>[],
  question: () => ToolCallQuestion<C>,
  taken?: TakenOf,
): RuleVerdict | undefined {
  if (rules.length === 0) return undefined;
  const verdicts = judgeRules(rules, question, taken);
  return verdicts.length === 0 ? undefined : verdicts.reduce(stricter);
}

/** What the call takes of the limits of the rules that match. @throws like `judgeRules` */
export function reservationsOf<C>(rules: readonly PolicyRule<C>[], question: () => ToolCallQuestion<C>): readonly Reservation[] {
  if (!rules.some(({ max }) => max)) return [];
  const keys = ruleKeys(rules);
  return rules.flatMap((rule, index): Reservation[] => {
    if (!rule.max) return [];
    const asked = question();
    if (!applies(rule, asked)) return [];
    return [{ rule: keys[index] as string, per: rule.max.per, ...amountOf(rule, asked.input) }];
  });
}

/** How a rule is called where its decision is shown. */
function ruleName({ name, match = '*' }: PolicyRule, index: number): string {
  return name ?? `${typeof match === 'string' ? match : 'a predicate'} (rule ${index + 1})`;
}

function beyondLimit(
  rules: readonly PolicyRule[],
  index: number,
  { input, callId }: ToolCallQuestion,
  taken: TakenOf,
): string | undefined {
  const rule = rules[index] as PolicyRule;
  if (!rule.max) return undefined;
  const { max } = rule;
  const over = passed(max, taken(ruleKeys(rules)[index] as string, max.per, callId), amountOf(rule, input));
  return over === undefined ? undefined : `beyond the limit of the ${max.per}: ${over}`;
}

function join(reason: string | undefined, more: string): string {
  return reason === undefined ? more : `${reason.replace(/[.\s]+$/, '')} (${more})`;
}
