'use client';
import type { ReactElement } from 'react';
import type { Labels } from '../labels.ts';
import type { Approval } from './use-approval.ts';
import { LaterButton } from './LaterButton.tsx';
import { RiskBadge } from './RiskBadge.tsx';

export interface PlanHeaderProps {
  readonly approval: Approval;
  readonly risk: 'read' | 'write' | 'danger';
  readonly labels: Labels;
  readonly titleId: string;
  /** Absent where there is no way to put it off. */
  readonly onLater?: () => void;
}

/** The worst risk of a program, and its place in the queue. */
export function PlanHeader({ approval, risk, labels, titleId, onLater }: PlanHeaderProps): ReactElement {
  const { at, total } = approval.position;
  return (
    <header className="cm-dialog-header" data-part="header">
      <p className="cm-dialog-title" id={titleId}>
        <RiskBadge risk={risk} labels={labels} />
        <span className="cm-tool-name">{labels.plan}</span>
      </p>
      {total > 1 && <span className="cm-muted">{labels.position(at, total)}</span>}
      {onLater && <LaterButton labels={labels} onLater={onLater} />}
    </header>
  );
}
