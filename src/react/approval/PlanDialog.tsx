'use client';
import { type ReactElement, useId } from 'react';
import type { Labels } from '../labels.ts';
import type { PlanRequest } from './asked.ts';
import { ModalFrame } from './ModalFrame.tsx';
import { PlanActions } from './PlanActions.tsx';
import { PlanBody } from './PlanBody.tsx';
import { PlanHeader } from './PlanHeader.tsx';
import type { Approval } from './use-approval.ts';
import { useSettle } from './use-dialog-model.ts';
import type { Drafts } from './use-drafts.ts';

export interface PlanSurfaceProps {
  readonly approval: Approval;
  readonly plan: PlanRequest;
  readonly drafts: Drafts;
  readonly labels: Labels;
  readonly className: string;
}

/** Asks about a program as a whole, before anything of it runs. */
export function PlanDialog(props: PlanSurfaceProps): ReactElement {
  const { approval, plan, drafts, labels, className } = props;
  const id = useId();
  const settle = useSettle(drafts.setStatus, labels);
  return (
    <ModalFrame
      subject={plan.run.id}
      runId={plan.run.id}
      titleId={`${id}title`}
      questionId={`${id}question`}
      onEscape={approval.later}
      status={drafts.status}
      className={className}
      marks={{ 'data-risk': riskOf(plan), 'data-plan': '', 'data-panel': drafts.panel, 'data-ready': approval.guard.ready }}
      header={
        <PlanHeader approval={approval} risk={riskOf(plan)} labels={labels} titleId={`${id}title`} onLater={approval.later} />
      }
      footer={<PlanActions approval={approval} plan={plan} drafts={drafts} labels={labels} settle={settle} />}
    >
      {(heading) => <PlanBody plan={plan} labels={labels} questionId={`${id}question`} headingRef={heading} />}
    </ModalFrame>
  );
}

/** The worst of what it can reach; a computed name can reach anything. */
export function riskOf({ plan }: PlanRequest): 'read' | 'write' | 'danger' {
  if (plan.tools.some(({ risk }) => risk === 'danger')) return 'danger';
  return plan.anyOf !== undefined || plan.tools.some(({ risk }) => risk === 'write') ? 'write' : 'read';
}
