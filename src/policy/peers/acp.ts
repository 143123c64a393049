/** Agent Client Protocol: the agent offers options of four kinds, the client names one. assistant-ui takes the same kinds. */
import type { Decision } from '../types.ts';

/** Kinds beginning with `_` are an agent's own. */
export type AcpOptionKind = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | `_${string}`;

export interface AcpOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: AcpOptionKind;
}

export type AcpOutcome = { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' };

/** What "always" stands for: as far as this session, or, where the application stores permissions, for good. */
export type AcpAlways = 'session' | 'always';

/** The options a waiting call has; without `always` for a tool marked danger, which is asked about every time. */
export function acpOptions(
  names: Readonly<Record<'allowOnce' | 'allowAlways' | 'reject', string>>,
  isDanger = false,
): readonly AcpOption[] {
  const always: AcpOption = { optionId: 'allow_always', name: names.allowAlways, kind: 'allow_always' };
  return [
    { optionId: 'allow_once', name: names.allowOnce, kind: 'allow_once' },
    ...(isDanger ? [] : [always]),
    { optionId: 'reject_once', name: names.reject, kind: 'reject_once' },
  ];
}

/** What the named option decides. Cancelling ends the run; an option that was not offered or is not understood is no permission. */
export function fromAcpOutcome(outcome: AcpOutcome, options: readonly AcpOption[], always: AcpAlways = 'session'): Decision {
  if (outcome.outcome === 'cancelled') return { kind: 'cancelRun' };
  const kind = options.find(({ optionId }) => optionId === outcome.optionId)?.kind;
  if (kind === 'allow_once') return { kind: 'allow' };
  // A remembered rejection is a rule of the application; here each call is rejected by itself.
  return kind === 'allow_always' ? { kind: 'allow', scope: always } : { kind: 'deny' };
}

/** A decision as one of the options; nothing where none says just that. */
export function toAcpOutcome(
  decision: Decision,
  options: readonly AcpOption[],
  always: AcpAlways = 'session',
): AcpOutcome | undefined {
  if (decision.kind === 'cancelRun') return decision.reason === undefined ? { outcome: 'cancelled' } : undefined;
  const kind = kindOf(decision, always);
  const option = options.find((each) => each.kind === kind);
  return option && { outcome: 'selected', optionId: option.optionId };
}

function kindOf(decision: Decision, always: AcpAlways): AcpOptionKind | undefined {
  if (decision.kind === 'deny') return decision.reason === undefined ? 'reject_once' : undefined;
  if (decision.kind !== 'allow' || decision.input !== undefined) return undefined;
  const { scope = 'once', match = 'tool' } = decision;
  if (scope === 'once') return 'allow_once';
  return scope === always && match === 'tool' ? 'allow_always' : undefined;
}
