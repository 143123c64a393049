'use client';
import { type ReactElement, type ReactNode, useEffect, useMemo, useState } from 'react';
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
import { ModalFrame } from './ModalFrame.tsx';
import { PlanDialog } from './PlanDialog.tsx';
import { type Approval, useApproval } from './use-approval.ts';
import { useApprovalUi } from './use-approval-ui.ts';
import { useDialogModel } from './use-dialog-model.ts';
import { useDrafts } from './use-drafts.ts';

export interface ApprovalDialogProps {
  /** @default the provider's session */
  readonly session?: Session;
  /** Quiet period before a decision counts, ms. @default 500 */
  readonly guardMs?: number;
  /** For component tests only (`testGuard()` of the testing entry). */
  readonly guard?: GuardPolicy;
  readonly labels?: Partial<Labels>;
  readonly className?: string;
  /** Other parts between header and footer of a call's question. @default question, input, program, intent */
  readonly children?: ReactNode;
}

/**
 * Asks a person about calls and programs that wait, one after another: a modal that shows what will run, and a one-line bar while
 * they type or chose "later". Put it once near the root; of several for one session the first shows.
 */
export function ApprovalDialog(props: ApprovalDialogProps): ReactElement | null {
  const { session, guardMs, guard, className = '' } = props;
  const labels = useLabels(props.labels);
  const draftsOf = useDrafts();
  const [shownId, setShownId] = useState<string>();
  const drafts = useMemo(() => draftsOf(shownId), [draftsOf, shownId]);
  const approval = useApproval({ session, guardMs, guard, panel: drafts.panel });
  const current = approval.request?.call.id ?? approval.plan?.run.id;
  if (current !== shownId) setShownId(current);
  const model = useDialogModel(approval, drafts, labels);
  const active = useFirstDialog(approval.session);
  if (!active) return null;
  const words = approval.mode === 'bar' ? labels.barWaiting(approval.waiting) : approval.mode === 'closed' ? drafts.status : '';
  return (
    <>
      <div className="cm-root cm-hidden" role="status" aria-live="polite">
        {words}
      </div>
      {approval.mode === 'bar' && <ApprovalBar session={approval.session} labels={labels} floating reason={approval.barReason} />}
      {approval.mode === 'modal' && approval.plan && (
        <PlanDialog approval={approval} plan={approval.plan} drafts={drafts} labels={labels} className={className} />
      )}
      {approval.mode === 'modal' && model && (
        <DialogContext.Provider value={model}>
          <CallDialog model={model} className={className}>
            {props.children}
          </CallDialog>
        </DialogContext.Provider>
      )}
    </>
  );
}

interface CallDialogProps {
  readonly model: DialogModel;
  readonly className: string;
  readonly children: ReactNode;
}

function CallDialog({ model, className, children }: CallDialogProps): ReactElement {
  const { approval, request } = model;
  const { id } = request.call;
  // While the question is read, so that *Edit* need not wait.
  usePart(editParts);
  return (
    <ModalFrame
      subject={id}
      runId={request.run.id}
      titleId={model.titleId}
      questionId={model.questionId}
      onEscape={approval.ended ? approval.dismiss : approval.later}
      status={model.status}
      className={className}
      marks={{
        'data-risk': request.approval.risk,
        'data-panel': model.panel,
        'data-ended': approval.ended,
        'data-ready': approval.guard.ready,
      }}
      header={<ApprovalHeader />}
      footer={<ApprovalActions key={id} />}
    >
      {(heading) => (
        <>
          <ApprovalQuestion headingRef={heading} />
          {children ?? (
            <>
              <ApprovalInput key={id} />
              <ApprovalProgram key={`program ${id}`} />
              <ApprovalIntent />
            </>
          )}
        </>
      )}
    </ModalFrame>
  );
}

/** Only the first mounted dialog of a session asks. */
function useFirstDialog(session: Approval['session']): boolean {
  const [id] = useState(() => Symbol('dialog'));
  useEffect(() => (session ? addDialog(session, id) : undefined), [session, id]);
  return useApprovalUi(session).dialogs[0] === id;
}
