'use client';
import type { ReactElement } from 'react';
import { AskActions } from './AskActions.tsx';
import { DenyActions } from './DenyActions.tsx';
import { useDialog } from './dialog-context.ts';
import { QueueActions } from './QueueActions.tsx';

/** The pinned footer: what can be decided now. */
export function ApprovalActions(): ReactElement | null {
  const { approval, labels, panel, setPanel, settle, setEditFooter } = useDialog();
  if (approval.ended) return <EndedActions />;
  if (panel === 'edit') return <footer className="cm-dialog-footer" data-part="actions" ref={setEditFooter} />;
  return (
    <footer className="cm-dialog-footer" data-part="actions">
      {panel === 'deny' ? (
        <DenyActions
          guard={approval.guard}
          deciding={approval.deciding}
          labels={labels}
          hint={labels.reasonHint}
          deny={labels.deny}
          onBack={() => setPanel('ask')}
          onDeny={(reason) => void settle(approval.deny(reason), labels.decided.deny)}
        />
      ) : panel === 'queue' ? (
        <QueueActions />
      ) : (
        <AskActions />
      )}
    </footer>
  );
}

function EndedActions(): ReactElement {
  const { approval, labels } = useDialog();
  return (
    <footer className="cm-dialog-footer" data-part="actions">
      <div className="cm-actions">
        <span className="cm-spring" />
        <button type="button" className="cm-button" data-action="close" onClick={approval.dismiss}>
          {approval.queue.length > 0 ? labels.next : labels.close}
        </button>
      </div>
    </footer>
  );
}
