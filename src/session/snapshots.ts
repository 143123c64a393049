import type { CallView, ReadonlyStore, RunView, SessionState } from '../store/state.ts';
import type { RunSnapshot } from './types.ts';

/** The run as it changes, equal neighbours left out; ends with the run. A slow reader gets the latest state, not a backlog. */
export async function* snapshotsOf(
  store: ReadonlyStore<SessionState>,
  runId: string,
  over: Promise<unknown>,
): AsyncGenerator<RunSnapshot, void, undefined> {
  let last = '';
  let ended = false;
  void over.finally(() => {
    ended = true;
  });
  for (;;) {
    const final = ended;
    const snapshot = snapshotOf(store.getState(), runId);
    const key = JSON.stringify(snapshot);
    if (snapshot && key !== last) {
      last = key;
      yield snapshot;
    }
    if (final) return;
    await nextChange(store, over);
  }
}

function nextChange(store: ReadonlyStore<SessionState>, over: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const off = store.subscribe(() => {
      off();
      resolve();
    });
    void over.finally(() => {
      off();
      resolve();
    });
  });
}

function snapshotOf(state: SessionState, runId: string): RunSnapshot | undefined {
  const run: RunView | undefined = Object.hasOwn(state.runs, runId) ? state.runs[runId] : undefined;
  if (!run) return undefined;
  const { calls } = run;
  const count = (...statuses: CallView['status'][]): number => calls.filter((call) => statuses.includes(call.status)).length;
  return {
    status: run.status,
    calls: {
      total: calls.length,
      waiting: count('waiting_approval'),
      running: count('running'),
      done: count('succeeded', 'replayed'),
      failed: count('failed', 'denied', 'cancelled', 'interrupted'),
    },
  };
}
