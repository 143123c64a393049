/** How far an *Allow* may reach: what is offered, and what a choice means. Pure. */
import type { GrantMatch, GrantScope } from '../../journal/events.ts';
import type { ScopeName } from '../labels-approval.ts';
import { type RuleField, ruleText } from './rule-fields.ts';
import type { Approval } from './use-approval.ts';

/** A choice in the menu with what belongs to it. */
export interface ScopeChoice {
  readonly name: ScopeName;
  /** For `next`: so many more calls. */
  readonly next: number;
  /** For `…:rule`: the conditions. */
  readonly fields: readonly RuleField[];
}

export const ONCE: ScopeChoice = { name: 'once', next: 3, fields: [] };

const MATCHES = ['input', 'tool', 'rule'] as const;

/** The scopes this question can be allowed with; only `once` where a permission is not possible. */
export function offeredScopes(approval: Approval, rules: boolean): readonly ScopeName[] {
  const { request, session } = approval;
  if (!request) return ['once'];
  const same: ScopeName[] = (request.group?.count ?? 1) > 1 && request.approval.risk !== 'danger' ? ['once', 'same'] : ['once'];
  if (!approval.preview({ scope: 'run', match: 'tool' }).ok) return same;
  const reaches = session?.grants.canStore ? (['run', 'session', 'always'] as const) : (['run', 'session'] as const);
  const matches = rules ? MATCHES : MATCHES.slice(0, 2);
  return [...same, 'next', ...reaches.flatMap((reach) => matches.map((match): ScopeName => `${reach}:${match}`))];
}

/** The permission of a choice: nothing for `once` and `same`, and for one that is not complete. */
export function permissionOf({ name, next, fields }: ScopeChoice): { scope: GrantScope; match: GrantMatch } | undefined {
  if (name === 'once' || name === 'same') return undefined;
  if (name === 'next') return Number.isInteger(next) && next >= 1 ? { scope: { next }, match: 'input' } : undefined;
  const [scope, match] = name.split(':') as ['run' | 'session' | 'always', 'input' | 'tool' | 'rule'];
  if (match !== 'rule') return { scope, match };
  const rule = ruleText(fields);
  return rule === undefined ? undefined : { scope, match: { rule } };
}

/** Word of the button: how far it reaches. */
export function reachOf(name: ScopeName): 'once' | 'same' | 'next' | 'run' | 'session' | 'always' {
  return name.split(':')[0] as ReturnType<typeof reachOf>;
}
