'use client';
import type { ReactElement } from 'react';
import { useDialog } from './dialog-context.ts';

const CHOICES = ['happened', 'run', 'leave'] as const;

/** Ids of what each choice means, for the buttons. */
export function meaningId(titleId: string, choice: (typeof CHOICES)[number]): string {
  return `${titleId}${choice}`;
}

/** Of a call that may have happened: what is known, and what each answer does. */
export function DoubtNote(): ReactElement | null {
  const { request, labels, format, titleId } = useDialog();
  const { doubt } = labels;
  const { startedAt } = request.call;
  if (!request.approval.doubt) return null;
  return (
    <div className="cm-note cm-doubt" data-tone="waiting" data-part="doubt">
      <p>
        {startedAt !== undefined && `${doubt.started(format.time(startedAt))} `}
        {doubt.what} {doubt.look}
      </p>
      <dl>
        {CHOICES.map((choice) => (
          <div key={choice}>
            <dt>{doubt[choice]}</dt>
            <dd id={meaningId(titleId, choice)}>{doubt.means[choice]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
