'use client';
import type React from 'react';
import { type ReactElement, useState } from 'react';
import type { Session } from '../../session/types.ts';
import type { RunView } from '../../store/state.ts';
import type { Labels } from '../labels.ts';

interface RunContinueProps {
  readonly run: RunView;
  readonly session: Session;
  readonly labels: Labels;
}

/** What can be done with a run whose page was gone: it goes on, or where it cannot it is started again. */
export function RunContinue({ run, session, labels }: RunContinueProps): ReactElement | null {
  const [done, setDone] = useState(false);
  const isInterrupted = run.status === 'interrupted';
  if (done || (!isInterrupted && run.error?.code !== 'replay_diverged')) return null;
  const act = ({ currentTarget }: React.MouseEvent): void => {
    // This button goes away.
    currentTarget.closest<HTMLElement>('.cm-run')?.focus();
    setDone(true);
    if (isInterrupted) session.resume(run.id);
    else session.retry(run.id);
  };
  return (
    <div className="cm-run-waiting">
      <button type="button" className="cm-button" data-kind="primary" onClick={act}>
        {isInterrupted ? labels.continueRun : labels.startAgain}
      </button>
    </div>
  );
}
