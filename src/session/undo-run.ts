import type { Journal } from '../journal/journal.ts';
import type { SessionStore } from '../store/create-store.ts';
import { unknownRun } from './run-ids.ts';
import type { RunExecutor, RunRequest } from './run-types.ts';
import type { SessionCatalog } from './session-catalog.ts';
import type { Run, UndoOutcome } from './types.ts';
import { createUndo, undoOutcomeOf } from './undo.ts';
import { undoPlanOf } from './undo-plan.ts';

export interface UndoDeps {
  readonly journal: Journal;
  readonly store: SessionStore['store'];
  readonly catalog: Pick<SessionCatalog, 'latest'>;
  /** Starts a run that is no program. */
  begin(title: string, executor: RunExecutor, reverts: RunRequest['reverts'], signal: AbortSignal | undefined): Run;
}

/** Takes back what can be taken back of a run, when it is its turn. @throws CodeModeError for a run that is unknown */
export async function undoRun(deps: UndoDeps, runId: string, signal: AbortSignal | undefined): Promise<UndoOutcome> {
  const { journal, store, catalog, begin } = deps;
  const planNow = (): ReturnType<typeof undoPlanOf> => undoPlanOf(store.getState(), runId, catalog.latest);
  const run = store.getState().runs[runId];
  if (!run) throw unknownRun('undo', runId);
  let plan = planNow();
  if (run.endedAt !== undefined && plan.calls.length === 0)
    return { status: 'nothing', undone: [], failed: [], stays: plan.stays };
  const { executor, reverts } = createUndo(journal, runId, store.getState, () => {
    plan = planNow();
    return plan.views;
  });
  const undoing = begin(`Undo ${run.title ?? runId}`, executor, reverts, signal);
  const outcome = await undoing.outcome;
  const { calls, stays } = plan;
  if (calls.length === 0 && outcome.status === 'completed')
    return { status: 'nothing', runId: undoing.id, undone: [], failed: [], stays };
  return undoOutcomeOf(store.getState(), undoing.id, outcome, stays, calls);
}
