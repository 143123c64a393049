/** The read model of any moment of a journal: `reduce` over a prefix. Looks only; nothing runs, nothing is written. */
import type { JournalEvent } from '../journal/events.ts';
import { emptyState, reduceAll } from './reduce.ts';
import type { SessionState } from './state.ts';

/** States kept on the way, one in so many events: a step back costs at most as many events as lie between two. */
const KEEP_EVERY = 512;

interface Kept {
  readonly count: number;
  /** Of the last event in it; retention may have removed events since. */
  readonly seq: number;
  readonly state: SessionState;
}

/** A journal that can be looked at as of any of its events. */
export interface History {
  /** The state after the event of that number and all before it; before the first event: the empty state. */
  after(seq: number): SessionState;
  /** Makes one more of the states that steps start from; a millisecond of work. @returns whether there are more to make */
  prepare(): boolean;
}

const known = new WeakMap<readonly JournalEvent[], History>();

/** The history of these events; the list may grow. The same list gives the same history. */
export function historyOf(sessionId: string, events: readonly JournalEvent[]): History {
  let history = known.get(events);
  if (!history) known.set(events, (history = createHistory(sessionId, events)));
  return history;
}

function createHistory(sessionId: string, events: readonly JournalEvent[]): History {
  let kept: Kept[] = [];
  let last: Kept | undefined;

  const from = (count: number): Kept => {
    kept = kept.filter((each) => events[each.count - 1]?.seq === each.seq);
    const near = kept.findLast((each) => each.count <= count);
    const start = last && last.count <= count && last.count > (near?.count ?? 0) ? last : near;
    const fits = start && events[start.count - 1]?.seq === start.seq;
    return fits ? start : { count: 0, seq: 0, state: emptyState(sessionId) };
  };

  const reach = (count: number): Kept => {
    let at = from(count);
    while (at.count < count) {
      const next = Math.min(count, (Math.floor(at.count / KEEP_EVERY) + 1) * KEEP_EVERY);
      at = { count: next, seq: events[next - 1]!.seq, state: reduceAll(at.state, events.slice(at.count, next)) };
      if (next % KEEP_EVERY === 0 && !kept.some((each) => each.count === next)) kept.push(at);
    }
    return at;
  };

  return {
    after(seq) {
      const count = countUpTo(events, seq);
      const wanted = events[count - 1]?.seq;
      if (wanted === undefined) return emptyState(sessionId);
      if (last?.count !== count || last.seq !== wanted) last = reach(count);
      return last.state;
    },
    prepare() {
      const next = (kept.at(-1)?.count ?? 0) + KEEP_EVERY;
      if (next > events.length) return false;
      reach(next);
      return next + KEEP_EVERY <= events.length;
    },
  };
}

/** How many events have a number of at most `seq`. Numbers rise. */
export function countUpTo(events: readonly JournalEvent[], seq: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.seq <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
