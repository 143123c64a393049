'use client';
import { type ReactElement, useEffect, useRef } from 'react';
import type { Session } from '../../session/types.ts';
import { useLabels } from '../context.ts';
import { Icon } from '../Icon.tsx';
import type { Labels } from '../labels.ts';
import { Text } from '../text/Text.tsx';
import { useSelected } from '../use-selected.ts';
import { useSession } from '../use-session.ts';
import type { CallView, SessionState } from '../../store/state.ts';
import { review } from './approval-ui.ts';
import { questionWords } from './question-words.ts';
import { callById } from '../../store/calls.ts';

export interface ApprovalBarProps {
  /** @default the provider's session */
  readonly session?: Session;
  readonly labels?: Partial<Labels>;
  /** Sits above the page instead of in its flow. @default false */
  readonly floating?: boolean;
  readonly reason?: 'later' | 'typing';
  readonly className?: string;
}

interface Waiting {
  readonly count: number;
  /** Call, or run that waits as a whole. */
  readonly id: string | undefined;
  readonly call: CallView | undefined;
}

const waiting = (state: SessionState): Waiting => {
  const first = callById(state, state.pending[0] ?? '');
  const id = first?.id ?? state.pendingPlans[0];
  const count = state.pending.length + state.pendingPlans.length;
  return { count, id, call: first };
};

/** One line: what waits, how many, and the way to it. Nothing when nothing waits. */
export function ApprovalBar({
  session: own,
  labels: words,
  floating = false,
  reason,
  className = '',
}: ApprovalBarProps): ReactElement | null {
  const session = useSession(own);
  const labels = useLabels(words);
  const { count, id, call } = useSelected(session, waiting);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The top layer keeps a floating bar above the page's own layers.
    if (floating) bar.current?.showPopover?.();
  }, [floating, count]);
  if (!session || id === undefined) return null;
  return (
    <div
      ref={bar}
      data-part="bar"
      popover={floating ? 'manual' : undefined}
      className={`cm-root cm-bar ${className}`}
      data-floating={floating || undefined}
      data-risk={call?.approval?.risk}
      data-reason={reason}
    >
      <Icon name="waiting" />
      <span className="cm-bar-text">
        <span className="cm-bar-question">
          <Text value={call ? questionWords(call, labels) : labels.planQuestion} labels={labels} />
        </span>
        <span className="cm-bar-count">{reason === 'typing' ? labels.barTyping : labels.barWaiting(count)}</span>
      </span>
      <button type="button" className="cm-button" data-kind="primary" data-action="review" onClick={() => review(session, id)}>
        {labels.review}
      </button>
    </div>
  );
}
