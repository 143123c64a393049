/** Runs of a session that an earlier life of the page began. What it takes is loaded when there is one. */
import type { Journal } from '../journal/journal.ts';
import { openRuns } from '../journal/open-runs.ts';
import type { RunRecording } from '../journal/recording.ts';
import type { SessionStore } from '../store/create-store.ts';
import { loadRuntime } from './load-runtime.ts';
import type { RunHandle } from './run-types.ts';
import { lateRun } from './late-run.ts';

export interface SessionResumeDeps {
  readonly journal: Journal;
  readonly store: SessionStore;
  /** The run of that id that runs, waits or stands still in this page. */
  live(runId: string): RunHandle | undefined;
  /** Lets a recorded run go on from where it was. */
  carryOn(recording: RunRecording, dormant: boolean): RunHandle;
}

/** What a recorded run must be for its id to be given again. */
export interface SameProgram {
  readonly source: string;
  /** Of a call without a program. */
  readonly input?: unknown;
}

export interface SessionResume {
  /** Something to wait for before anything is decided or started; nothing when there is nothing to take up. */
  ready(): Promise<void> | undefined;
  /** The run of that id as it is: its recorded end, or it goes on. @param program refuses a run of another one */
  attach(runId: string, program?: SameProgram): RunHandle;
  /** A new run from one call of an earlier one on. */
  fork(callId: string, id: string): RunHandle;
}

export function createSessionResume(deps: SessionResumeDeps): SessionResume {
  const { journal, store, live, carryOn } = deps;
  let taking: Promise<void> | undefined;

  const begin = (): void => {
    if (journal.ownership !== 'owner' || openRuns(journal.events).every((id) => live(id))) return;
    const taken = loadRuntime()
      .then(({ takeUp }) =>
        takeUp({ journal, isLive: (id) => live(id) !== undefined, stand: (recording) => carryOn(recording, true) }),
      )
      .catch(() => undefined) // the runs stay as they are; the next run tells why nothing can run
      .then(() => {
        if (taking === taken) taking = undefined;
        store.flush();
      });
    taking = taken;
  };
  begin();
  journal.onOwnership(begin);

  return {
    ready: () => taking,
    attach: (runId, program) =>
      lateRun(runId, async () => {
        await taking;
        const known = live(runId);
        if (known) {
          known.wake?.();
          return known;
        }
        const { recordedRun } = await loadRuntime();
        return recordedRun({ journal, store, carryOn }, runId, program);
      }),
    fork: (callId, id) =>
      lateRun(id, async () => {
        await taking;
        const { forkRun } = await loadRuntime();
        return carryOn(forkRun(journal, callId, id), false);
      }),
  };
}
