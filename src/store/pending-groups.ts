/** Waiting calls as a person counts them: equal ones are one question. */
import { callById } from './calls.ts';
import type { CallView, PendingGroup, SessionState } from './state.ts';

/**
 * The calls that wait, in the order they were asked, equal ones together: same run, tool and input. Inputs are compared by their
 * whole text, because a program may search for two of one digest; large ones (`ref`) stand alone, and so do calls that may have
 * happened: for each the truth is another.
 */
export function pendingGroups(state: SessionState): readonly PendingGroup[] {
  const groups = new Map<string, CallView[]>();
  for (const id of state.pending) {
    const call = callById(state, id);
    if (!call?.approval) continue;
    const { input, doubt } = call.approval;
    const key = 'inline' in input && !doubt ? JSON.stringify([call.runId, call.tool, input.inline]) : call.id;
    const group = groups.get(key);
    if (group) group.push(call);
    else groups.set(key, [call]);
  }
  return [...groups.values()].map(toGroup);
}

function toGroup(calls: readonly CallView[]): PendingGroup {
  const [first] = calls as readonly [CallView, ...CallView[]];
  const sites = calls.flatMap(({ site }) => (site ? [site] : []));
  return {
    key: first.id,
    runId: first.runId,
    tool: first.tool,
    callIds: calls.map(({ id }) => id),
    count: calls.length,
    sites: [...new Map(sites.map((site) => [`${site.line}:${site.column}`, site])).values()],
    totals: numbersOf(first).map(([path, each]) => ({ path, each, total: each * calls.length })),
  };
}

/** More numbers than this are data, no amounts. */
const MAX_NUMBERS = 8;
/** Numbers that name something do not add up. */
const NAMES =
  /(^|[._-])(ids?|no|nr|number|index|year|month|day|version|page|offset|code|zip)$|[a-z](Ids?|No|Nr|Number|Index|Year|Month|Day|Version|Page|Offset|Code|Zip)$/;

function numbersOf({ approval }: CallView): [path: string, value: number][] {
  if (!approval || !('inline' in approval.input)) return [];
  const found: [string, number][] = [];
  const walk = (value: unknown, path: string, depth: number): void => {
    if (found.length > MAX_NUMBERS || depth > 3) return;
    if (typeof value === 'number' && Number.isFinite(value) && path !== '' && !NAMES.test(path)) found.push([path, value]);
    // What JSON cannot say is written with a tag and holds no amount. The codec itself stays out of what a page loads first.
    if (typeof value !== 'object' || value === null || Array.isArray(value) || '$t' in value) return;
    for (const [key, field] of Object.entries(value)) walk(field, path === '' ? key : `${path}.${key}`, depth + 1);
  };
  try {
    walk(JSON.parse(approval.input.inline), '', 0);
  } catch {
    return [];
  }
  return found.length > MAX_NUMBERS ? [] : found;
}
