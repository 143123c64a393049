'use client';
import { type ReactElement, useRef } from 'react';
import type { Labels } from '../labels.ts';
import { DenyActions } from './DenyActions.tsx';
import type { PlanRequest } from './asked.ts';
import type { DialogModel } from './dialog-context.ts';
import type { Approval } from './use-approval.ts';
import type { Drafts } from './use-drafts.ts';
import { useReallyVisible } from './use-really-visible.ts';

export interface PlanActionsProps {
  readonly approval: Approval;
  readonly plan: PlanRequest;
  readonly drafts: Drafts;
  readonly labels: Labels;
  readonly settle: DialogModel['settle'];
}

/** Allow the plan, go call by call, or do not run it. */
export function PlanActions({ approval, plan, drafts, labels, settle }: PlanActionsProps): ReactElement {
  const { guard, deciding } = approval;
  const allow = useRef<HTMLButtonElement>(null);
  const visible = useReallyVisible(allow, guard.ready);
  const setPanel = (panel: 'ask' | 'deny'): void => drafts.setPanel(plan.run.id, panel);
  if (drafts.panel === 'deny')
    return (
      <footer className="cm-dialog-footer" data-part="actions">
        <DenyActions
          guard={guard}
          deciding={deciding}
          labels={labels}
          hint={labels.planReasonHint}
          deny={labels.denyPlan}
          onBack={() => setPanel('ask')}
          onDeny={(reason) => void settle(approval.denyPlan(reason), labels.planDecided.deny)}
        />
      </footer>
    );
  return (
    <footer className="cm-dialog-footer" data-part="actions">
      {!visible && (
        <p className="cm-footer-note" data-tone="warning">
          {labels.covered}
        </p>
      )}
      <div className="cm-actions">
        <button type="button" className="cm-button" data-action="deny-open" onClick={() => setPanel('deny')}>
          {labels.denyWithReason}
        </button>
        <span className="cm-spring" />
        <button
          type="button"
          className="cm-button"
          data-action="call-by-call"
          {...guard.button(() => void settle(approval.callByCall(), labels.planDecided.callByCall), deciding)}
        >
          {labels.callByCall}
        </button>
        <button
          type="button"
          ref={allow}
          className="cm-button"
          data-kind="primary"
          data-action="allow-plan"
          {...guard.button(() => void settle(approval.allowPlan(), labels.planDecided.allow), deciding || !visible)}
        >
          {labels.allowPlan}
        </button>
      </div>
    </footer>
  );
}
