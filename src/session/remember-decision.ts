import type { Remembered } from '../policy/approvals.ts';
import type { Extent, Grant } from '../policy/grants.ts';
import type { EncodedText } from '../protocol/wire.ts';
import type { Ask } from './ask-person.ts';
import type { RunScope } from './run-scope.ts';

const DANGER = 'A tool marked danger is asked about every time.';
const UNDO = 'Taking a call back is asked about every time.';
const OVER = 'The run ended.';
const NOT_STORED = 'The application could not store the permission.';

/** Keeps a permission, and lets the calls go that wait and are covered by it. */
export function rememberDecision<C>(
  scope: RunScope<C>,
  ask: Ask,
  extent: Extent,
  text: EncodedText,
): Remembered | Promise<Remembered> {
  const { name: tool, definitionHash, risk } = ask.entry;
  if (risk === 'danger') return { notRemembered: DANGER };
  if (ask.undoes) return { notRemembered: UNDO };
  if (scope.ending.over) return { notRemembered: OVER };
  const call = { tool, definitionHash, risk, runId: scope.runId, input: text };
  if (extent.scope === 'always') {
    const stored = scope.permissions.store(call, extent);
    return stored.then((grant) => (grant ? inForce(scope, grant, ask.callId) : { notRemembered: NOT_STORED }));
  }
  const grant = scope.grants.add(call, extent);
  return grant ? inForce(scope, grant, ask.callId) : { notRemembered: NOT_STORED };
}

function inForce<C>(scope: RunScope<C>, grant: Grant, callId: string): Remembered {
  scope.permissions.announce(grant, { callId, ...(!scope.ending.over && { runId: scope.runId }) });
  for (const other of scope.approvals.pending) {
    const used = other.coverable && grant.tool === other.tool ? scope.grants.use(other.coverable) : undefined;
    if (!used) continue;
    // Where it cannot be recorded, that call fails by itself.
    scope.approvals.decide(other.id, { kind: 'allow' }, used.grant.id).catch(() => undefined);
    if (used.usedUp) scope.permissions.withdraw(used.grant.id, 'used_up', other.runId);
  }
  return { grant: { id: grant.id, words: grant.words } };
}
