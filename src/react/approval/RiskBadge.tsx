'use client';
import type { ReactElement } from 'react';
import { Icon } from '../Icon.tsx';
import type { Labels } from '../labels.ts';

/** How much is at stake, as a word and a sign. */
export function RiskBadge({
  risk,
  labels,
}: {
  readonly risk: 'read' | 'write' | 'danger';
  readonly labels: Labels;
}): ReactElement {
  return (
    <span className="cm-badge" data-risk={risk}>
      <Icon name={risk} />
      {labels.risk[risk]}
    </span>
  );
}
