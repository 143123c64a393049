'use client';
import { type ReactElement, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Session } from '../../session/types.ts';
import { useLabels } from '../context.ts';
import type { Labels } from '../labels.ts';
import { usePart } from '../lazy-part.ts';
import { ApprovalActions } from './ApprovalActions.tsx';
import { ApprovalBar } from './ApprovalBar.tsx';
import { ApprovalInput } from './ApprovalInput.tsx';
import { ApprovalHeader, ApprovalIntent, ApprovalProgram, ApprovalQuestion } from './ApprovalParts.tsx';
import { addDialog } from './approval-ui.ts';
import { DialogContext, type DialogModel } from './dialog-context.ts';
import { editParts } from './edit-parts.ts';
import type { GuardPolicy } from './guard.ts';
import { type Approval, useApproval } from './use-approval.ts';
import { useDialogModel, useDrafts } from './use-dialog-model.ts';
import { useModal } from './use-modal.ts';
import { useApprovalUi } from './use-approval-ui.ts';

export interface ApprovalDialogProps {
  /** @default the provider's session */
  readonly session?: Session;
  /** Quiet period before a decision counts, ms. @default 500 */
  readonly guardMs?: number;
  /** For component tests only (`testGuard()` of the testing entry). */
  readonly guard?: GuardPolicy;
  readonly labels?: Partial<Labels>;
  readonly className?: string;
  /** Other parts between header and footer. @default question, input, program, intent */
  readonly children?: ReactNode;
}

/**
 * Asks a person about calls that wait, one after another: a modal that shows what will run, and a one-line bar while they
 * type or chose "later". Put it once near the root; of several for one session the first shows.
 */
export function ApprovalDialog(props: ApprovalDialogProps): ReactElement | null {
  const { session, guardMs, guard, className = '' } = props;
  const labels = useLabels(props.labels);
  const draftsOf = useDrafts();
  const [shownId, setShownId] = useState<string>();
  const drafts = useMemo(() => draftsOf(shownId), [draftsOf, shownId]);
  const approval = useApproval({ session, guardMs, guard, panel: drafts.panel });
  const current = approval.request?.call.id;
  if (current !== shownId) setShownId(current);
  const model = useDialogModel(approval, drafts, labels);
  const active = useFirstDialog(approval.session);
  if (!active) return null;
  const words =
    approval.mode === 'bar' ? labels.barWaiting(approval.position.total) : approval.mode === 'closed' ? drafts.status : '';
  return (
    <>
      <div className="cm-root cm-hidden" role="status" aria-live="polite">
        {words}
      </div>
      {approval.mode === 'bar' && <ApprovalBar session={approval.session} labels={labels} floating reason={approval.barReason} />}
      {approval.mode === 'modal' && model && (
        <DialogContext.Provider value={model}>
          <DialogFrame model={model} className={className}>
            {props.children}
          </DialogFrame>
        </DialogContext.Provider>
      )}
    </>
  );
}

interface FrameProps {
  readonly model: DialogModel;
  readonly className: string;
  readonly children: ReactNode;
}

function DialogFrame({ model, className, children }: FrameProps): ReactElement {
  const { approval, request } = model;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const runId = request.run.id;
  // While the question is read, so that *Edit* need not wait.
  usePart(editParts);
  const fallback = useCallback(() => document.querySelector<HTMLElement>(`[data-cm-run="${CSS.escape(runId)}"]`), [runId]);
  useModal({
    dialog,
    open: true,
    heading,
    subject: request.call.id,
    onEscape: approval.ended ? approval.dismiss : approval.later,
    fallback,
  });
  useEffect(() => {
    if (body.current) body.current.scrollTop = 0;
  }, [request.call.id]);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      // React sets it as an attribute; the browser's own ways of closing are off.
      closedby="none"
      aria-labelledby={model.titleId}
      aria-describedby={model.questionId}
      className={`cm-root cm-dialog ${className}`}
      data-cm-dialog=""
      data-risk={request.approval.risk}
      data-panel={model.panel}
      data-ended={approval.ended}
      data-ready={approval.guard.ready}
    >
      <ApprovalHeader />
      <div className="cm-dialog-body" ref={body} data-part="body">
        <ApprovalQuestion headingRef={heading} />
        {children ?? (
          <>
            <ApprovalInput key={request.call.id} />
            <ApprovalProgram key={`program ${request.call.id}`} />
            <ApprovalIntent />
          </>
        )}
      </div>
      <ApprovalActions key={request.call.id} />
      <div className="cm-hidden" role="status" aria-live="polite">
        {model.status}
      </div>
    </dialog>
  );
}

/** Only the first mounted dialog of a session asks. */
function useFirstDialog(session: Approval['session']): boolean {
  const [id] = useState(() => Symbol('dialog'));
  useEffect(() => (session ? addDialog(session, id) : undefined), [session, id]);
  return useApprovalUi(session).dialogs[0] === id;
}
