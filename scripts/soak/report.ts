/** What a soak saw, and what is wrong with it. */
import { lastTwoThirds, slope } from './slope.ts';

/** Taken between batches, when every session is closed. */
export interface Sample {
  readonly runs: number;
  readonly sessions: number;
  readonly killed: number;
  /** Bytes after a collection. */
  readonly heap: number;
  readonly rss: number;
  readonly workers: number;
  readonly ports: number;
  /** Of the application's own signal. */
  readonly listeners: number;
  readonly handlersOpen: number;
  readonly journals: number;
  /** What the pool says of itself: busy, idle, queued, waiting for a slot. */
  readonly poolBusy: number;
}

export interface SoakReport {
  readonly platform: string;
  readonly seed: number;
  readonly samples: readonly Sample[];
  readonly wrong: readonly string[];
  /** Bytes of heap that a run leaves in a session that stays open. */
  readonly keptPerRun?: readonly { readonly what: string; readonly bytes: number }[];
  readonly atEnd: { readonly workers: number; readonly ports: number };
}

/** Bytes per run that a line through the last two thirds of the samples may rise. */
export interface Bounds {
  readonly heap: number;
  readonly rss: number;
}

/**
 * 10,000 runs in Node may leave 1 MB of heap and 20 MB of resident memory, which allocators give back late. On a page a tenth of
 * the runs is played, so that warming up weighs more: 0.5 MB of heap, 20 MB resident.
 */
export const BOUNDS: Readonly<Record<'node' | 'chromium', Bounds>> = {
  node: { heap: 100, rss: 2_000 },
  chromium: { heap: 500, rss: 20_000 },
};

/** One spare worker and its port may be up between batches. */
const AT_REST = { workers: 1, ports: 1 };

/** Growth in bytes per run. */
export function growth(samples: readonly Sample[]): Bounds {
  const late = lastTwoThirds(samples);
  return {
    heap: slope(late.map(({ runs, heap }) => [runs, heap])),
    rss: slope(late.map(({ runs, rss }) => [runs, rss])),
  };
}

/** @returns everything that is wrong, in words; nothing: the soak passed */
export function faults({ samples, wrong, atEnd }: SoakReport, bounds: Bounds): string[] {
  const found =
    wrong.length > 0 ? [`${wrong.length} runs ended otherwise than they should: ${wrong.slice(0, 5).join('; ')}`] : [];
  const most = (name: keyof Sample): number => Math.max(...samples.map((sample) => sample[name]));
  for (const [name, limit] of [
    ['workers', AT_REST.workers],
    ['ports', AT_REST.ports],
    ['listeners', 0],
    ['handlersOpen', 0],
    ['journals', 0],
    ['poolBusy', 0],
  ] as const) {
    if (most(name) > limit) found.push(`${name}: ${most(name)} between batches, at most ${limit} may be left`);
  }
  for (const [name, left] of Object.entries(atEnd)) if (left > 0) found.push(`${left} ${name} after everything was disposed`);
  const rise = growth(samples);
  for (const name of ['heap', 'rss'] as const) {
    if (rise[name] > bounds[name]) {
      found.push(`${name} grows by ${Math.round(rise[name])} bytes a run, at most ${bounds[name]} are allowed`);
    }
  }
  return found;
}
