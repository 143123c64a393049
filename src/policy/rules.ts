import { matchesPattern } from '../catalog/sources.ts';
import type { PolicyRule, ToolCallQuestion } from './types.ts';

export type RuleEffect = PolicyRule['effect'];

export interface RuleVerdict {
  readonly effect: RuleEffect;
  readonly reason?: string;
}

const STRICTNESS: Readonly<Record<RuleEffect, number>> = { allow: 0, ask: 1, simulate: 2, deny: 3, hide: 4 };

/** The stricter of two effects: hide > deny > simulate > ask > allow. */
export function stricter<V extends RuleVerdict>(a: V, b: V): V {
  return STRICTNESS[b.effect] > STRICTNESS[a.effect] ? b : a;
}

/** The strictest effect of all rules that match; nothing when none does. @throws whatever a rule's predicate throws */
export function evaluateRules<C>(rules: readonly PolicyRule<C>[], question: () => ToolCallQuestion<C>): RuleVerdict | undefined {
  let verdict: RuleVerdict | undefined;
  for (const rule of rules) {
    const asked = question();
    if (!matches(rule, asked.tool, asked.context)) continue;
    if (rule.when && !isTrue(rule.when(asked.input, asked.context))) continue;
    const next: RuleVerdict = { effect: rule.effect, ...(rule.reason !== undefined && { reason: rule.reason }) };
    verdict = verdict ? stricter(verdict, next) : next;
  }
  return verdict;
}

/** True when a rule hides the tool whatever its input: such a tool is not even listed. */
export function isHidden<C>(rules: readonly PolicyRule<C>[], tool: ToolCallQuestion<C>['tool'], context: C): boolean {
  return rules.some((rule) => rule.effect === 'hide' && !rule.when && matches(rule, tool, context));
}

function matches<C>(rule: PolicyRule<C>, tool: ToolCallQuestion<C>['tool'], context: C): boolean {
  if (rule.match === undefined) return true;
  return typeof rule.match === 'string' ? matchesPattern(tool.name, rule.match) : isTrue(rule.match(tool, context));
}

/** A predicate must answer with a boolean: a promise would be truthy and allow everything it was meant to test. */
function isTrue(answer: unknown): boolean {
  if (typeof answer !== 'boolean')
    throw new TypeError(
      `a policy rule's predicate must return true or false, it returned ${answer instanceof Promise ? 'a promise' : typeof answer}`,
    );
  return answer;
}
