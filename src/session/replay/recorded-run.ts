import { openRuns } from '../../journal/open-runs.ts';
import { recordingOf } from '../../journal/recording.ts';
import { outcomeOf } from '../outcome.ts';
import type { RunHandle } from '../run-types.ts';
import type { SessionResumeDeps } from '../session-resume.ts';
import type { RunOutcome } from '../types.ts';
import { unknownRun } from './take-up.ts';

type Deps = Pick<SessionResumeDeps, 'journal' | 'store' | 'carryOn'>;

/**
 * A run of an earlier life of the page: its end, or it goes on.
 * @throws CodeModeError `invalid_options` when there is none, or it is of another program
 */
export async function recordedRun(
  { journal, store, carryOn }: Deps,
  runId: string,
  source: string | undefined,
): Promise<RunHandle | RunOutcome> {
  const recording = recordingOf(journal.events, runId);
  if (!recording || (source !== undefined && recording.queued.source !== source)) throw unknownRun('resume', runId);
  if (openRuns(journal.events).includes(runId)) return carryOn(recording, false);
  store.flush();
  return outcomeOf(store.store.getState(), runId, journal);
}
