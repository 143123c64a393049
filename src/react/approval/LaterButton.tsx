'use client';
import type { ReactElement } from 'react';
import type { Labels } from '../labels.ts';

/** The way out that decides nothing. */
export function LaterButton({ labels, onLater }: { readonly labels: Labels; readonly onLater: () => void }): ReactElement {
  return (
    <button
      type="button"
      className="cm-button"
      data-kind="plain"
      data-action="later"
      aria-keyshortcuts="Escape"
      onClick={onLater}
    >
      {labels.later}
    </button>
  );
}
