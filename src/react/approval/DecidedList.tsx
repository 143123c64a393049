'use client';
import type { ReactElement } from 'react';
import type { Session } from '../../session/types.ts';
import type { CallView, SessionState } from '../../store/state.ts';
import { Icon } from '../Icon.tsx';
import type { Labels } from '../labels.ts';
import { Text } from '../text/Text.tsx';
import { useSelected } from '../use-selected.ts';
import { questionWords } from './question-words.ts';

export interface DecidedListProps {
  readonly session: Session | undefined;
  readonly runId: string;
  readonly labels: Labels;
}

/** What was asked about a run and how it was answered; no buttons. */
export function DecidedList({ session, runId, labels }: DecidedListProps): ReactElement | null {
  const decided = useSelected(session, (state: SessionState) => decidedOf(state, runId));
  if (decided.length === 0) return null;
  return (
    <ul className="cm-decided" data-part="decided">
      {decided.map(({ approval, ...call }) => (
        <li key={call.id} data-decision={approval?.decision}>
          <Icon name={isYes(approval?.decision) ? 'succeeded' : 'denied'} />
          <span>
            <Text value={questionWords({ ...call, approval }, labels)} labels={labels} />
            <span className="cm-muted">
              {' '}
              {labels.decisions[approval?.decision ?? 'ended']}
              {approval?.decisionReason !== undefined && (
                <>
                  : <Text value={approval.decisionReason} labels={labels} />
                </>
              )}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

const isYes = (decision: string | undefined): boolean => decision === 'allow' || decision === 'answer';

function decidedOf({ runs }: SessionState, runId: string): readonly CallView[] {
  const run = Object.hasOwn(runs, runId) ? runs[runId] : undefined;
  return (
    run?.calls.filter(({ approval, endedAt }) => approval !== undefined && (approval.decision ?? endedAt) !== undefined) ?? []
  );
}
