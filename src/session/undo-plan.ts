import type { CatalogEntry } from '../catalog/catalog.ts';
import type { CallView, SessionState } from '../store/state.ts';
import type { NotUndone, UndoPlan } from './types.ts';

/** What can be taken back of a run as things are, and what stays. */
export function undoPlanOf(
  state: SessionState,
  runId: string,
  latest: (tool: string) => CatalogEntry | undefined,
): UndoPlan & { readonly views: readonly CallView[] } {
  const views: CallView[] = [];
  const stays: UndoPlan['stays'][number][] = [];
  for (const call of state.runs[runId]?.calls ?? []) {
    if (!hasEffect(call)) continue;
    const why = reasonToStay(call, latest(call.tool));
    if (why) stays.push({ callId: call.id, tool: call.tool, why });
    else views.push(call);
  }
  views.reverse();
  return { views, calls: views.map(({ id: callId, tool }) => ({ callId, tool })), stays };
}

/** The handler ran, may have changed something, and nobody took that back. */
function hasEffect({ startedAt, risk, undoneBy }: CallView): boolean {
  return startedAt !== undefined && risk !== 'read' && undoneBy === undefined;
}

function reasonToStay(call: CallView, entry: CatalogEntry | undefined): NotUndone | undefined {
  if (call.status !== 'succeeded' || !call.output) return 'unfinished';
  if (!entry) return 'tool_gone';
  return entry.tool.revert && call.undoes === undefined ? undefined : 'no_revert';
}
