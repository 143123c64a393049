import { createStore } from 'zustand/vanilla';
import type { JournalEvent } from '../journal/events.ts';
import type { RunStats } from '../protocol/wire.ts';
import { emptyState, reduceAll } from './reduce.ts';
import type { ReadonlyStore, SessionState } from './state.ts';

/** Plans one call of `flush` soon; see `frameScheduler`. */
export type FlushScheduler = (flush: () => void) => void;

/** The store of a session and the way facts get into it. */
export interface SessionStore {
  readonly store: ReadonlyStore<SessionState>;
  /** Takes a fact over at the next flush; facts a person waits for are flushed in the same turn. */
  push(event: JournalEvent): void;
  /** Live figures of a running program: shown, never journaled. */
  setStats(runId: string, stats: RunStats): void;
  /** Takes over what an asynchronous storage held when it was opened. */
  load(history: readonly JournalEvent[]): void;
  setOwnership(ownership: SessionState['ownership']): void;
  /** Brings the store up to the last pushed fact now. */
  flush(): void;
}

const URGENT = new Set<JournalEvent['type']>([
  'approval.requested',
  'approval.decided',
  'approval.expired',
  'run.queued',
  'run.completed',
  'run.failed',
  'run.cancelled',
]);

/** Updates take at most a tenth of the time: a session with ten thousand calls, whose state is dear to copy, is shown less often. */
const REST_FACTOR = 9;
/** However dear, the view is never older than this. */
const MAX_REST_MS = 500;

/** A read model that applies facts in batches: once per frame, so that a thousand calls cost one render. */
export function createSessionStore(sessionId: string, history: readonly JournalEvent[], schedule: FlushScheduler): SessionStore {
  const store = createStore<SessionState>(() => reduceAll(emptyState(sessionId), history));
  let queue: JournalEvent[] = [];
  let stats = new Map<string, RunStats>();
  let planned = false;
  let urgent = false;
  let restUntil = 0;
  let watchers = 0;

  const flush = (): void => {
    if (queue.length === 0 && stats.size === 0) return;
    const begin = performance.now();
    const events = queue;
    const figures = stats;
    queue = [];
    stats = new Map();
    store.setState((state) => withStats(reduceAll(state, events), figures), true);
    const end = performance.now();
    restUntil = end + REST_FACTOR * (end - begin);
  };
  const due = (): void => {
    const rest = restUntil - performance.now();
    if (rest > 0) return void setTimeout(due, Math.min(rest, MAX_REST_MS));
    planned = false;
    flush();
  };
  const plan = (): void => {
    if (planned || watchers === 0) return;
    planned = true;
    schedule(due);
  };

  /** Nobody watches: the state is made when somebody asks for it. While somebody does, reading must not notify. */
  const read = (): SessionState => {
    if (watchers === 0) flush();
    return store.getState();
  };
  const watch: typeof store.subscribe = (listener) => {
    if (watchers === 0) flush();
    watchers++;
    const off = store.subscribe(listener);
    let on = true;
    return () => {
      if (on) watchers--;
      on = false;
      off();
    };
  };

  return {
    store: { getState: read, getInitialState: store.getInitialState, subscribe: watch },
    push(event) {
      queue.push(event);
      if (!URGENT.has(event.type)) return plan();
      if (urgent || watchers === 0) return;
      urgent = true;
      queueMicrotask(() => {
        urgent = false;
        flush();
      });
    },
    setStats(runId, value) {
      stats.set(runId, value);
      plan();
    },
    load(history) {
      queue = [...history, ...queue];
      flush();
    },
    setOwnership(ownership) {
      store.setState({ ownership });
    },
    flush,
  };
}

function withStats(state: SessionState, figures: ReadonlyMap<string, RunStats>): SessionState {
  let runs = state.runs;
  for (const [id, stats] of figures) {
    const run = Object.hasOwn(runs, id) ? runs[id] : undefined;
    if (run && run.endedAt === undefined) runs = { ...runs, [id]: { ...run, stats } };
  }
  return runs === state.runs ? state : { ...state, runs };
}

/** Once per animation frame where there are frames, else every 16 ms; a hidden page gets 100 ms. */
export function frameScheduler(flush: () => void): void {
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    flush();
  };
  if (typeof requestAnimationFrame === 'function') {
    requestAnimationFrame(once);
    setTimeout(once, 100); // frames stop in hidden pages
  } else setTimeout(once, 16);
}
