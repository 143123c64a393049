/** Which tools and calls a rule is about. */
import { matchesPattern } from '../catalog/sources.ts';
import type { PolicyRule, ToolCallQuestion } from './types.ts';

/** True when a rule hides the tool whatever its input: such a tool is not even listed. */
export function isHidden<C>(rules: readonly PolicyRule<C>[], tool: ToolCallQuestion<C>['tool'], context: C): boolean {
  return rules.some((rule) => rule.effect === 'hide' && !rule.when && matches(rule, tool, context));
}

/** Whether the rule is about this call. @throws whatever its predicates throw; TypeError when one gives no boolean */
export function applies<C>(rule: PolicyRule<C>, { tool, input, context }: ToolCallQuestion<C>): boolean {
  return matches(rule, tool, context) && (!rule.when || isTrue(rule.when(input, context)));
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
