import { openRuns } from '../../journal/open-runs.ts';
import { recordingOf, type RunRecording } from '../../journal/recording.ts';
import { directInput } from '../direct-call.ts';
import { outcomeOf } from '../outcome.ts';
import type { RunHandle } from '../run-types.ts';
import { otherProgram } from '../run-ids.ts';
import type { SameProgram, SessionResumeDeps } from '../session-resume.ts';
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
  program: SameProgram | undefined,
): Promise<RunHandle | RunOutcome> {
  const recording = recordingOf(journal.events, runId);
  if (!recording) throw unknownRun('resume', runId);
  if (program && !(await isSame(journal, recording, program))) throw otherProgram(runId);
  if (openRuns(journal.events).includes(runId)) return carryOn(recording, false);
  store.flush();
  return outcomeOf(store.store.getState(), runId, journal);
}

/** Direct calls of one tool have one source: their inputs tell them apart. */
async function isSame(journal: Deps['journal'], { queued, calls }: RunRecording, program: SameProgram): Promise<boolean> {
  if (queued.source !== program.source) return false;
  const call = 'input' in program ? calls.get(1) : undefined;
  return !call || (await journal.load(call.input)) === directInput(program.input);
}
