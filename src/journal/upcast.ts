/** Older journals, in the words of the current version. One step per version; recordings of each are in `fixtures/`. */
import type { ClockReads } from '../protocol/wire.ts';
import { JOURNAL_VERSION, type JournalEvent } from './events.ts';

interface AnyEvent {
  readonly v: number;
  readonly type: string;
  readonly runId?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** From one version to the next; it may remember earlier events of the log. */
type Step = (event: AnyEvent) => AnyEvent;

/** Steps by the version they read. */
const STEPS: Readonly<Record<number, () => Step>> = { 1: fromVersion1 };

/** For the events of one log in order: a step may need what came before. An event of the current version is given back as it is. */
export function createUpcaster(): (event: JournalEvent) => JournalEvent {
  const steps = new Map<number, Step>();
  return (event) => {
    let current: AnyEvent = event;
    while (current.v < JOURNAL_VERSION) {
      const make = STEPS[current.v];
      if (!make) throw new Error(`no step reads version ${current.v}`);
      const step = steps.get(current.v) ?? make();
      steps.set(current.v, step);
      current = { ...step(current), v: current.v + 1 };
    }
    return current as unknown as JournalEvent;
  };
}

/** 1 → 2: clock readings count from the one before; `run.started` says what was kept; catalogues say their definitions. */
function fromVersion1(): Step {
  const lastRead = new Map<string | undefined, number>();
  return (event) => {
    const { type, runId, data } = event;
    if (type === 'catalog.changed') return { ...event, data: { ...data, definitions: [] } };
    if (type === 'run.started') return { ...event, data: { ...data, state: 'run', fresh: true } };
    if (type === 'grant.created' && data['match'] === undefined) return { ...event, data: { ...data, match: 'tool' } };
    if (type === 'grant.revoked' && data['why'] === undefined) return { ...event, data: { ...data, why: 'run_ended' } };
    if (type !== 'delivery') return event;
    let base = lastRead.get(runId) ?? 0;
    const clock = (data['clock'] as ClockReads).map(([ms, times]) => {
      const delta = Math.max(0, ms - base);
      base += delta;
      return [delta, times];
    });
    lastRead.set(runId, base);
    return { ...event, data: { ...data, clock } };
  };
}
