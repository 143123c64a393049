import type { EventOf } from '../journal/events.ts';
import type { Draft } from './draft.ts';
import type { GrantView } from './state.ts';

/** A permission comes into force. */
export function granted(draft: Draft, { runId, time, data }: EventOf<'grant.created'>): void {
  const { grantId, tool, scope, match, words, loaded } = data;
  if (draft.grants.some(({ id }) => id === grantId)) return;
  draft.grants.push({
    id: grantId,
    tool,
    scope,
    match,
    words,
    ...(runId !== undefined && !loaded && { runId }),
    createdAt: time,
    used: 0,
    ...(typeof scope === 'object' && { left: scope.next }),
  });
}

/** A permission is no longer in force. */
export function withdrawn(draft: Draft, { data }: EventOf<'grant.revoked'>): void {
  const at = draft.grants.findIndex(({ id }) => id === data.grantId);
  if (at >= 0) draft.grants.splice(at, 1);
}

/** A permission let a call go. */
export function used(draft: Draft, grantId: string | undefined): void {
  if (grantId === undefined) return;
  const at = draft.grants.findIndex(({ id }) => id === grantId);
  const grant = draft.grants[at];
  if (grant) draft.grants[at] = countedDown(grant);
}

function countedDown(grant: GrantView): GrantView {
  const { used: before, left } = grant;
  return { ...grant, used: before + 1, ...(left !== undefined && { left: Math.max(0, left - 1) }) };
}
