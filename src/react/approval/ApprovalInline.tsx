'use client';
import { type ReactElement, type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Session } from '../../session/types.ts';
import { useLabels } from '../context.ts';
import type { Labels } from '../labels.ts';
import { usePart } from '../lazy-part.ts';
import { ApprovalActions } from './ApprovalActions.tsx';
import { ApprovalInput } from './ApprovalInput.tsx';
import { ApprovalHeader, ApprovalIntent, ApprovalProgram, ApprovalQuestion } from './ApprovalParts.tsx';
import { addInline } from './approval-ui.ts';
import { DecidedList } from './DecidedList.tsx';
import { DialogContext } from './dialog-context.ts';
import { editParts } from './edit-parts.ts';
import type { GuardPolicy } from './guard.ts';
import { PlanActions } from './PlanActions.tsx';
import { PlanBody } from './PlanBody.tsx';
import { riskOf } from './PlanDialog.tsx';
import { PlanHeader } from './PlanHeader.tsx';
import { questionWords } from './question-words.ts';
import { type Approval, useApproval } from './use-approval.ts';
import { useDialogModel, useSettle } from './use-dialog-model.ts';
import { useDrafts } from './use-drafts.ts';

export interface ApprovalInlineProps {
  /** Asks for this run only, and keeps what was decided about it. @default every run of the session */
  readonly runId?: string;
  /** @default the provider's session */
  readonly session?: Session;
  /** Quiet period before a decision counts, ms. @default 500 */
  readonly guardMs?: number;
  /** For component tests only (`testGuard()` of the testing entry). */
  readonly guard?: GuardPolicy;
  readonly labels?: Partial<Labels>;
  readonly className?: string;
  /** Other parts between header and buttons of a call's question. @default question, input, program, intent */
  readonly children?: ReactNode;
  /** List what was decided about the run. @default true */
  readonly decided?: boolean;
  /** The dialog asks the same questions as well, and one answer counts. @default false */
  readonly shared?: boolean;
}

/**
 * The question in the flow of the page, for a transcript or a phone: the same parts, the same rules against accidents, but it never
 * takes the focus. While it is mounted the dialog leaves its questions alone, unless somebody asks to review.
 */
export function ApprovalInline(props: ApprovalInlineProps): ReactElement {
  const { session, guardMs, guard, runId, className = '', decided = true, shared = false } = props;
  const labels = useLabels(props.labels);
  const draftsOf = useDrafts();
  const [shownId, setShownId] = useState<string>();
  const drafts = useMemo(() => draftsOf(shownId), [draftsOf, shownId]);
  const approval = useApproval({ session, guardMs, guard, runId, inline: true, panel: drafts.panel });
  const current = approval.request?.call.id ?? approval.plan?.run.id;
  if (current !== shownId) setShownId(current);
  const model = useDialogModel(approval, drafts, labels);
  const settle = useSettle(drafts.setStatus, labels);
  const { plan, request } = approval;
  const id = useId();
  useClaim(shared ? undefined : approval.session, runId);
  usePart(editParts);
  const question = request ? questionWords(request.call, labels) : plan && labels.planQuestion;
  const risk = request?.approval.risk ?? (plan && riskOf(plan));
  return (
    <div
      className={`cm-root cm-approval cm-inline ${className}`}
      tabIndex={-1}
      data-cm-inline=""
      data-waiting={current !== undefined}
    >
      {decided && runId !== undefined && <DecidedList session={approval.session} runId={runId} labels={labels} />}
      {current !== undefined && (
        <Question
          key={current}
          titleId={model?.titleId ?? `${id}title`}
          questionId={model?.questionId ?? `${id}question`}
          marks={{ 'data-risk': risk, 'data-panel': drafts.panel, 'data-ready': approval.guard.ready }}
        >
          {plan && (
            <>
              <PlanHeader approval={approval} risk={riskOf(plan)} labels={labels} titleId={`${id}title`} />
              <div className="cm-inline-body">
                <PlanBody plan={plan} labels={labels} questionId={`${id}question`} />
              </div>
              <PlanActions approval={approval} plan={plan} drafts={drafts} labels={labels} settle={settle} />
            </>
          )}
          {model && (
            <DialogContext.Provider value={model}>
              <ApprovalHeader />
              <div className="cm-inline-body">
                <ApprovalQuestion />
                {props.children ?? (
                  <>
                    <ApprovalInput key={current} />
                    <ApprovalProgram key={`program ${current}`} />
                    <ApprovalIntent />
                  </>
                )}
              </div>
              <ApprovalActions key={`actions ${current}`} />
            </DialogContext.Provider>
          )}
        </Question>
      )}
      {/* Once, and at once: nothing else tells those who do not see that something waits. */}
      <p className="cm-hidden" role="alert">
        {question !== undefined && `${labels.approvalNeeded}: ${question}`}
      </p>
      <p className="cm-hidden" role="status">
        {drafts.status}
      </p>
    </div>
  );
}

interface QuestionProps {
  readonly titleId: string;
  readonly questionId: string;
  readonly marks: Readonly<Record<`data-${string}`, string | boolean | undefined>>;
  readonly children: ReactNode;
}

/** One question. Where the focus was in it when it goes, the focus goes to the run it was about, not to the top of the page. */
function Question({ titleId, questionId, marks, children }: QuestionProps): ReactElement {
  const group = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = group.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const around = element.closest<HTMLElement>('[data-cm-run]') ?? element.closest<HTMLElement>('[data-cm-inline]');
      around?.focus({ preventScroll: true });
    };
  }, []);
  return (
    // In a log all that is added would be read out; the alert says it in one sentence.
    <div
      ref={group}
      role="group"
      aria-live="off"
      aria-labelledby={titleId}
      aria-describedby={questionId}
      className="cm-inline-question"
      data-cm-dialog=""
      {...marks}
    >
      {children}
    </div>
  );
}

/** Tells the dialog whose questions are asked here. */
function useClaim(session: Approval['session'], runId: string | undefined): void {
  useEffect(() => {
    if (!session) return undefined;
    return addInline(session, { id: Symbol('inline'), ...(runId !== undefined && { runId }) });
  }, [session, runId]);
}
