'use client';
import type { ReactElement } from 'react';
import { useDialog } from './dialog-context.ts';

/** Denies all that waits of the run and ends it. */
export function StopButton(): ReactElement {
  const { approval, labels, settle } = useDialog();
  return (
    <button
      type="button"
      className="cm-button"
      data-kind="plain"
      data-action="stop"
      {...approval.guard.button(() => void settle(approval.cancelRun(), labels.decided.cancelRun), approval.deciding)}
    >
      {labels.stopRun}
    </button>
  );
}
