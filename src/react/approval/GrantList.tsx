'use client';
import { type ReactElement, useState } from 'react';
import type { Session } from '../../session/types.ts';
import type { GrantView } from '../../store/state.ts';
import { useLabels } from '../context.ts';
import type { Labels } from '../labels.ts';
import { Text } from '../text/Text.tsx';
import { visibleText } from '../text/visible-text.ts';
import { useGrants } from './use-grants.ts';

export interface GrantListProps {
  /** @default the provider's session */
  readonly session?: Session;
  readonly labels?: Partial<Labels>;
  readonly className?: string;
}

/** What may run without asking, in words, each with a button that takes it back. */
export function GrantList({ session, labels: words, className = '' }: GrantListProps): ReactElement {
  const labels = useLabels(words);
  const { list, revoke } = useGrants({ session });
  const [status, setStatus] = useState('');
  const takeBack = async (grant: GrantView): Promise<void> => {
    try {
      await revoke(grant.id);
      setStatus(labels.revoked(wordsOf(grant, labels)));
    } catch (error) {
      setStatus(labels.revokeFailed(error instanceof Error ? error.message : String(error)));
    }
  };
  return (
    <section className={`cm-root cm-grants ${className}`} aria-label={labels.permissions} data-part="grants" tabIndex={-1}>
      <h3>{labels.permissions}</h3>
      {list.length === 0 ? (
        <p className="cm-muted">{labels.noPermissions}</p>
      ) : (
        <ul>
          {list.map((grant) => (
            <li key={grant.id} data-scope={typeof grant.scope === 'string' ? grant.scope : 'next'}>
              <span className="cm-grant-words">
                <Text value={labels.permission(grant.tool, grant.match, grant.scope)} labels={labels} />
              </span>
              <span className="cm-muted">
                {grant.used > 0 && <bdi>{labels.usedTimes(grant.used)}</bdi>}
                {grant.left !== undefined && <bdi> · {labels.leftCalls(grant.left)}</bdi>}
              </span>
              <button
                type="button"
                className="cm-button"
                data-action="revoke"
                aria-label={labels.revokeWhat(wordsOf(grant, labels))}
                onClick={({ currentTarget }) => {
                  // This button goes away.
                  currentTarget.closest<HTMLElement>('.cm-grants')?.focus();
                  void takeBack(grant);
                }}
              >
                {labels.revoke}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="cm-hidden" role="status">
        {status}
      </p>
    </section>
  );
}

function wordsOf({ tool, match, scope }: GrantView, labels: Labels): string {
  return visibleText(labels.permission(tool, match, scope));
}
