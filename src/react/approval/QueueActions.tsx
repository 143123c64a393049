'use client';
import { type ReactElement, useRef } from 'react';
import type { DecisionReceipt } from '../../policy/types.ts';
import { isShownInQueue, worstOf } from './decide.ts';
import { useDialog } from './dialog-context.ts';
import { StopButton } from './StopButton.tsx';
import { useReallyVisible } from './use-really-visible.ts';

/** Answers to all that waits. */
export function QueueActions(): ReactElement {
  const { approval, labels, setPanel, settle } = useDialog();
  const calls = approval.queue.flatMap((each) => (each.group?.callIds ?? [each.call.id]).map(() => each));
  const total = calls.length;
  const safe = calls.filter(isShownInQueue).length;
  const allowAll = useRef<HTMLButtonElement>(null);
  const visible = useReallyVisible(allowAll, approval.guard.ready);
  const all = async (decisions: Promise<readonly DecisionReceipt[]>, done: string): Promise<void> => {
    await settle(decisions.then(worstOf), done);
    setPanel('ask');
  };
  return (
    <>
      {safe < total && <p className="cm-footer-note">{labels.oneByOne(total - safe)}</p>}
      {!visible && (
        <p className="cm-footer-note" data-tone="warning">
          {labels.covered}
        </p>
      )}
      <div className="cm-actions">
        <StopButton />
        <span className="cm-spring" />
        <button type="button" className="cm-button" data-action="back" onClick={() => setPanel('ask')}>
          {labels.back}
        </button>
        <button
          type="button"
          className="cm-button"
          data-action="deny-all"
          {...approval.guard.button(() => void all(approval.denyAll(), labels.decided.deny), approval.deciding)}
        >
          {labels.denyAll(total)}
        </button>
        {safe > 0 && (
          <button
            type="button"
            ref={allowAll}
            className="cm-button"
            data-kind="primary"
            data-action="allow-all"
            {...approval.guard.button(() => void all(approval.allowAll(), labels.decided.allow), approval.deciding || !visible)}
          >
            {labels.allowAll(safe)}
          </button>
        )}
      </div>
    </>
  );
}
