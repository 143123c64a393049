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
  /** How many may be open between batches (the spare's) and at the end; on a page one more, its own for turns of the event loop. */
  readonly mostPorts: { readonly between: number; readonly atEnd: number };
  readonly samples: readonly Sample[];
  readonly wrong: readonly string[];
  /** Bytes of heap that a run leaves in a session that stays open. */
  readonly keptPerRun?: readonly { readonly what: string; readonly bytes: number }[];
  readonly atEnd: { readonly workers: number; readonly ports: number };
}

/** Bytes of heap and of resident memory. */
export interface Memory {
  readonly heap: number;
  readonly rss: number;
}

/**
 * What a line through the last two thirds of the samples may rise. The heap still takes up compiled code by the hundred kilobytes;
 * of 10,000 runs a leak of 330 bytes a run or 2.4 kB a session is seen (a session left behind is above 6 kB, a worker's port likewise).
 * Resident memory comes and goes with threads by 10 MiB; a worker left behind is more.
 */
export const BOUNDS: Memory = { heap: 2 * 2 ** 20, rss: 32 * 2 ** 20 };

/** One spare worker may be up between batches. */
const WORKERS_AT_REST = 1;

/** Growth over the last two thirds, as a fitted line has it: in all, and of each run. */
export function growth(samples: readonly Sample[]): { readonly total: Memory; readonly perRun: Memory } {
  const late = lastTwoThirds(samples);
  const runs = (late.at(-1)?.runs ?? 0) - (late[0]?.runs ?? 0);
  const perRun = {
    heap: slope(late.map((sample) => [sample.runs, sample.heap])),
    rss: slope(late.map((sample) => [sample.runs, sample.rss])),
  };
  return { total: { heap: perRun.heap * runs, rss: perRun.rss * runs }, perRun };
}

/** @returns everything that is wrong, in words; nothing: the soak passed */
export function faults({ mostPorts, samples, wrong, atEnd }: SoakReport): string[] {
  const found =
    wrong.length > 0 ? [`${wrong.length} runs ended otherwise than they should: ${wrong.slice(0, 5).join('; ')}`] : [];
  const most = (name: keyof Sample): number => Math.max(...samples.map((sample) => sample[name]));
  for (const [name, limit] of [
    ['workers', WORKERS_AT_REST],
    ['ports', mostPorts.between],
    ['listeners', 0],
    ['handlersOpen', 0],
    ['journals', 0],
    ['poolBusy', 0],
  ] as const) {
    if (most(name) > limit) found.push(`${name}: ${most(name)} between batches, at most ${limit} may be left`);
  }
  if (atEnd.workers > 0) found.push(`${atEnd.workers} workers after everything was disposed`);
  if (atEnd.ports > mostPorts.atEnd) found.push(`${atEnd.ports} ports after everything was disposed`);
  const { total } = growth(samples);
  for (const name of ['heap', 'rss'] as const) {
    if (total[name] > BOUNDS[name])
      found.push(`${name} grows by ${mib(total[name])} MiB, at most ${mib(BOUNDS[name])} are allowed`);
  }
  return found;
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
