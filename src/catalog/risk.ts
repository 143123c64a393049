/** How dangerous a tool is, and whose word counts (design §4a). */
import type { Risk, Tool, ToolOrigin } from './tool.ts';

/** Which tool sources' annotations may lower a risk. */
export type Trust = (source: { readonly kind: string; readonly server?: string }) => boolean;

export interface RiskFacts {
  readonly risk: Risk;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly trusted: boolean;
}

const ORDER: readonly Risk[] = ['read', 'write', 'danger'];

/** True when `risk` is not above `limit`. */
export function withinRisk(risk: Risk, limit: Risk): boolean {
  return ORDER.indexOf(risk) <= ORDER.indexOf(limit);
}

/** True for the application's own tools, and for sources that `trust` vouches for. A `trust` that throws vouches for nothing. */
export function isTrusted(origin: ToolOrigin | undefined, trust: Trust | undefined): boolean {
  if (origin === undefined || origin.kind === 'app') return true;
  try {
    return trust?.({ kind: origin.kind, server: origin.server }) === true;
  } catch {
    return false;
  }
}

/** `risk` of the tool > annotations of a trusted source > 'write'. Annotations of others may raise it, never lower it. */
export function riskFacts(tool: Tool, trust?: Trust): RiskFacts {
  const trusted = isTrusted(tool.origin, trust);
  const risk = tool.risk ?? annotatedRisk(tool, trusted);
  const readOnly = risk === 'read';
  return { risk, readOnly, idempotent: readOnly || (trusted && tool.annotations?.idempotentHint === true), trusted };
}

function annotatedRisk({ annotations }: Tool, trusted: boolean): Risk {
  if (trusted && annotations?.readOnlyHint === true) return 'read';
  return annotations?.destructiveHint === true ? 'danger' : 'write';
}
