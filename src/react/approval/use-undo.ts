'use client';
import { useMemo, useState } from 'react';
import type { UndoOutcome, UndoPlan } from '../../session/types.ts';
import type { RunView, SessionState } from '../../store/state.ts';
import { useSelected } from '../use-selected.ts';
import { useSession } from '../use-session.ts';
import type { SessionChoice } from '../use-trace.ts';

/** Taking the calls of one run back. */
export interface RunUndo {
  /** What would be taken back now, and what stays. */
  readonly plan: UndoPlan;
  readonly running: boolean;
  /** How the last one went. */
  readonly outcome: UndoOutcome | undefined;
  /** Last call first; what needs approval asks. */
  undo(): Promise<UndoOutcome>;
}

const NOTHING: UndoPlan = { calls: [], stays: [] };

/** What of a run can be taken back, and the way to do it. Nothing while the run goes on, and for a run that was an undo. */
export function useUndo(runId: string, options: SessionChoice = {}): RunUndo {
  const session = useSession(options.session);
  const [running, setRunning] = useState(false);
  const [outcome, setOutcome] = useState<UndoOutcome>();
  const run = useSelected(session, (state: SessionState): RunView | undefined => own(state, runId), Object.is);
  const plan = useMemo(
    () => (session && run?.endedAt !== undefined && run.undoes === undefined ? session.undoable(run.id) : NOTHING),
    [session, run],
  );
  return {
    plan,
    running,
    outcome,
    async undo() {
      if (!session) return { status: 'nothing', undone: [], failed: [], stays: [] };
      setRunning(true);
      try {
        const done = await session.undo(runId);
        setOutcome(done);
        return done;
      } finally {
        setRunning(false);
      }
    },
  };
}

const own = ({ runs }: SessionState, id: string): RunView | undefined => (Object.hasOwn(runs, id) ? runs[id] : undefined);
