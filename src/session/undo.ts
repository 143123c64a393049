/** Taking the calls of a run back: a run of its own, whose "program" are the tools' `revert`s, last call first. */
import type { Executor, ToolHost } from '../bridge/executor.ts';
import type { Journal } from '../journal/journal.ts';
import type { ExecuteReply, WireCall } from '../protocol/wire.ts';
import type { CallView, SessionState } from '../store/state.ts';
import type { Revert } from './dispatch-call.ts';
import { aborted, frameOf, NOTHING } from './direct-call.ts';
import { NO_ENGINE } from './session-memory.ts';
import type { RunOutcome, UndoOutcome, UndoPlan } from './types.ts';

/** The executor of one undo, and what its calls take back. */
export interface Undo {
  readonly executor: Pick<Executor, 'execute' | 'engine'>;
  /** By the number of the call in the undoing run. */
  readonly reverts: ReadonlyMap<number, Revert>;
}

/** `plan`: asked when it is the undo's turn, so that what an earlier one took back is not taken back again. */
export function createUndo(journal: Journal, of: string, state: () => SessionState, plan: () => readonly CallView[]): Undo {
  const reverts = new Map<number, Revert>();
  return {
    reverts,
    executor: {
      engine: NO_ENGINE,
      async execute({ runId }, host, signal) {
        host.started({ fresh: true });
        const views = plan();
        journal.append('undo.requested', { of, callIds: views.map(({ id }) => id) }, runId);
        return Promise.race([takeBack(host, runId, views), aborted(signal)]);
      },
    },
  };

  async function takeBack(host: ToolHost, runId: string, views: readonly CallView[]): Promise<ExecuteReply> {
    for (const [index, view] of views.entries()) {
      const id = index + 1;
      const input = await journal.load(view.effectiveInput ?? view.input);
      const output = view.output ? await journal.load(view.output) : 'null';
      reverts.set(id, { callId: view.id, output, doubt: isInDoubt(state(), view) });
      const call: WireCall = { id, kind: 'tool', tool: view.tool, input };
      host.frame(frameOf(runId, call));
      // One failure does not keep the others from being taken back: the outcome names each.
      await host.call(call);
    }
    return { ...NOTHING, status: 'completed', value: undefined };
  }
}

/** True when an earlier undo began with it, and nobody knows whether that took effect. */
function isInDoubt({ runs }: SessionState, { id }: CallView): boolean {
  return Object.values(runs).some(({ calls }) =>
    calls.some(({ undoes, startedAt, status, error }) => {
      const isStopped = status === 'interrupted' || status === 'cancelled' || error?.code === 'tool_timeout';
      return undoes === id && startedAt !== undefined && isStopped;
    }),
  );
}

/** What an undo did, told from its run. */
export function undoOutcomeOf(
  state: SessionState,
  runId: string,
  outcome: RunOutcome,
  stays: UndoPlan['stays'],
  wanted: readonly { readonly callId: string; readonly tool: string }[],
): UndoOutcome {
  const calls = state.runs[runId]?.calls ?? [];
  const undone = calls.flatMap((call) => (call.undoes !== undefined && isDone(call) ? [call.undoes] : []));
  const rest = wanted.filter(({ callId }) => !undone.includes(callId));
  const failed = rest.map(({ callId, tool }) => ({
    callId,
    tool,
    error: errorOf(
      calls.find(({ undoes }) => undoes === callId),
      outcome,
    ),
  }));
  const status = failed.length === 0 ? 'undone' : undone.length > 0 ? 'partly' : 'failed';
  return { status, runId, undone, failed, stays };
}

function isDone(call: CallView): boolean {
  return call.status === 'succeeded' && call.simulated !== true;
}

function errorOf(call: CallView | undefined, outcome: RunOutcome): { code: string; message: string } {
  if (call?.error) return { code: call.error.code, message: call.error.message };
  if (call?.simulated) return { code: 'policy_failed', message: 'It was only simulated: a rule says so.' };
  if (outcome.status === 'failed') return { code: outcome.error.code, message: outcome.error.message };
  return { code: 'cancelled', message: 'The undo ended before this call was taken back.' };
}
