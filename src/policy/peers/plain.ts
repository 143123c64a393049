import type { Decision, PlainDecision } from '../types.ts';

/** `{ allowed, reason, input }` and `{ approved, reason }` as a decision; a decision is handed back as it is. */
export function toDecision(given: Decision | PlainDecision): Decision {
  if (typeof given !== 'object' || given === null || 'kind' in given) return given;
  const allowed: unknown = 'allowed' in given ? given.allowed : given.approved;
  if (allowed === true) return { kind: 'allow', ...(given.input !== undefined && { input: given.input }) };
  // Whatever else it is: it is no permission.
  return { kind: 'deny', ...(given.reason !== undefined && { reason: given.reason }) };
}

/** A decision as `{ allowed, reason, input }`; nothing where it says more than that can: a wider scope, an answer, the end of the run. */
export function toPlainDecision(decision: Decision): Extract<PlainDecision, { allowed: boolean }> | undefined {
  if (decision.kind === 'deny') return { allowed: false, ...(decision.reason !== undefined && { reason: decision.reason }) };
  if (decision.kind !== 'allow' || (decision.scope ?? 'once') !== 'once') return undefined;
  return { allowed: true, ...(decision.input !== undefined && { input: decision.input }) };
}
