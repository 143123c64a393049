'use client';
import type { ReactElement } from 'react';
import { meaningId } from './DoubtNote.tsx';
import { useDialog } from './dialog-context.ts';

/** The two answers after which nothing runs: the result is known, or the call is left as it is. */
export function DoubtActions(): ReactElement {
  const { approval, labels, setPanel, settle, titleId } = useDialog();
  const leave = (): void => void settle(approval.deny(), labels.doubt.left);
  return (
    <>
      <button
        type="button"
        className="cm-button"
        data-action="deny"
        aria-describedby={meaningId(titleId, 'leave')}
        {...approval.guard.button(leave, approval.deciding)}
      >
        {labels.doubt.leave}
      </button>
      <button
        type="button"
        className="cm-button"
        data-action="edit"
        aria-describedby={meaningId(titleId, 'happened')}
        onClick={() => setPanel('edit')}
      >
        {labels.doubt.happened}
      </button>
    </>
  );
}
