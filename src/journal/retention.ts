/** Which finished runs go, so that a journal keeps within its bounds. Pure. */
import type { EventData, JournalEvent, SeqRange, StoredValue } from './events.ts';
import type { Removal, Retention } from './storage.ts';

export interface TrimPlan {
  readonly fact: EventData['journal.trimmed'];
  readonly removal: Removal;
}

interface RunFacts {
  readonly id: string;
  readonly events: JournalEvent[];
  ended: boolean;
  lastTime: number;
  /** Later programs of the session may use its globals. A call without a program, and one that never started, leaves none. */
  leaves: boolean;
  /** It builds on what the program before it left in the worker. */
  builds: boolean;
}

/**
 * What to remove, or nothing. Open runs, the session programs an open run builds on, and the newest run always stay, and
 * so do facts that outlive their run: permissions for the session, and what was taken of a session's limits.
 */
export function planTrim(events: readonly JournalEvent[], retention: Retention, now: number): TrimPlan | undefined {
  const runs = runsOf(events);
  const going = choose(runs, retention, now, retention.maxBytes === undefined ? 0 : unitsOf(events));
  if (going.size === 0) return undefined;
  const catalogs = neededCatalogs(
    runs.filter((run) => !going.has(run.id)),
    events,
  );
  const gone = events.filter((event) => leaves(event, going, catalogs));
  const before = events.findLast((event) => event.type === 'journal.trimmed')?.data as EventData['journal.trimmed'] | undefined;
  const ranges = merge([...(before?.ranges ?? []), ...gone.map(({ seq }): SeqRange => [seq, seq])]);
  return {
    fact: { runIds: [...going], runs: (before?.runs ?? 0) + going.size, ranges },
    removal: { ranges: merge(gone.map(({ seq }): SeqRange => [seq, seq])), refs: gone.flatMap(refsOf) },
  };
}

/** True while some run of the journal has no end. */
export function hasOpenRun(events: readonly JournalEvent[]): boolean {
  return runsOf(events).some((run) => !run.ended);
}

/** True for the last event of a run. */
function endsRun({ type }: JournalEvent): boolean {
  return type === 'run.completed' || type === 'run.failed' || type === 'run.cancelled';
}

function runsOf(events: readonly JournalEvent[]): RunFacts[] {
  const runs = new Map<string, RunFacts>();
  for (const event of events) {
    if (event.runId === undefined) continue;
    let run = runs.get(event.runId);
    if (!run && event.type !== 'run.queued') continue; // a fact that outlived its run
    if (!run) {
      run = { id: event.runId, events: [], ended: false, lastTime: 0, leaves: false, builds: false };
      runs.set(event.runId, run);
    }
    run.events.push(event);
    run.ended ||= endsRun(event);
    run.lastTime = Math.max(run.lastTime, event.time);
    if (event.type === 'run.started') {
      run.leaves = event.data.state === 'session';
      run.builds = run.leaves && !event.data.fresh;
    }
  }
  return [...runs.values()];
}

function choose(runs: readonly RunFacts[], retention: Retention, now: number, total: number): Set<string> {
  const { maxRuns = Infinity, maxBytes = Infinity, maxAgeMs = Infinity } = retention;
  const held = heldByOpenRuns(runs);
  const going = new Set<string>();
  let bytes = total;
  for (const run of runs.slice(0, -1)) {
    if (held.has(run.id)) continue;
    const over = runs.length - going.size > maxRuns || bytes > maxBytes || now - run.lastTime > maxAgeMs;
    if (!over) continue;
    going.add(run.id);
    if (maxBytes !== Infinity) bytes -= unitsOf(run.events);
  }
  return going;
}

/** Open runs and, before them, the programs whose globals they use. */
function heldByOpenRuns(runs: readonly RunFacts[]): Set<string> {
  const held = new Set<string>();
  let needsEarlier = false;
  for (const run of [...runs].reverse()) {
    if (!run.ended || (needsEarlier && run.leaves)) held.add(run.id);
    if (run.leaves && held.has(run.id)) needsEarlier = run.builds;
  }
  return held;
}

function leaves(event: JournalEvent, going: ReadonlySet<string>, catalogs: ReadonlySet<string>): boolean {
  if (event.type === 'journal.trimmed') return true;
  if (event.type === 'catalog.changed') return !catalogs.has(event.data.version);
  return event.runId !== undefined && going.has(event.runId) && !outlivesRun(event);
}

function outlivesRun(event: JournalEvent): boolean {
  switch (event.type) {
    case 'grant.created':
      return event.data.scope === 'session' || event.data.scope === 'always';
    case 'grant.revoked':
      return event.data.why !== 'run_ended';
    case 'tool_call.started':
      return event.data.reserved?.some(({ per }) => per === 'session') ?? false;
    case 'limit.released':
      return true;
    default:
      return false;
  }
}

/** Catalogues that kept runs were written against, and the newest. */
function neededCatalogs(kept: readonly RunFacts[], events: readonly JournalEvent[]): Set<string> {
  const needed = new Set<string>();
  for (const { events: own } of kept)
    for (const event of own) if (event.type === 'run.started') needed.add(event.data.catalogVersion);
  const newest = events.findLast((event) => event.type === 'catalog.changed');
  if (newest?.type === 'catalog.changed') needed.add(newest.data.version);
  return needed;
}

function merge(ranges: readonly SeqRange[]): SeqRange[] {
  const merged: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

const sizes = new WeakMap<JournalEvent, number>();

/** UTF-16 units of events as JSON and of the values they refer to. Events never change, so each is measured once. */
function unitsOf(events: readonly JournalEvent[]): number {
  return events.reduce((sum, event) => sum + sizeOf(event), 0);
}

function sizeOf(event: JournalEvent): number {
  const known = sizes.get(event);
  if (known !== undefined) return known;
  const size =
    JSON.stringify(event).length + storedValuesOf(event).reduce((sum, value) => sum + ('ref' in value ? value.bytes : 0), 0);
  sizes.set(event, size);
  return size;
}

function refsOf(event: JournalEvent): string[] {
  return storedValuesOf(event).flatMap((value) => ('ref' in value ? [value.ref] : []));
}

/** All values of an event, wherever they stand: they are fields of `data`. */
export function storedValuesOf({ data }: JournalEvent): StoredValue[] {
  return Object.values(data as Readonly<Record<string, unknown>>).filter(isStored);
}

function isStored(value: unknown): value is StoredValue {
  return typeof value === 'object' && value !== null && ('inline' in value || ('ref' in value && 'preview' in value));
}
