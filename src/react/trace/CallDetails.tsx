'use client';
import type { ReactElement } from 'react';
import type { CallView, GrantView } from '../../store/state.ts';
import { review } from '../approval/approval-ui.ts';
import { questionWords } from '../approval/question-words.ts';
import { Text } from '../text/Text.tsx';
import { Value } from './DetailParts.tsx';
import { callTimes } from './times.ts';
import { useTraceModel } from './trace-context.ts';

export interface CallDetailsProps {
  readonly call: CallView;
  /** Permissions in force, for their words. */
  readonly grants: readonly GrantView[];
  /** Epoch ms, for what is not over. */
  readonly now: number;
}

/** Everything about one call: what is asked, what went wrong, where the time went, who decided, what went in and out. */
export function CallDetails({ call, grants, now }: CallDetailsProps): ReactElement {
  const { source, session, labels, canReview } = useTraceModel();
  const facts = source?.tool?.(call.tool);
  const { approval } = call;
  return (
    <>
      {call.status === 'waiting_approval' && approval && (
        <div className="cm-note cm-review-note" data-tone="waiting">
          <span>
            <Text value={questionWords(call, labels)} labels={labels} />
          </span>
          {session && canReview && (
            <button type="button" className="cm-button" data-kind="primary" onClick={() => review(session, call.id)}>
              {labels.review}
            </button>
          )}
        </div>
      )}
      {call.error && (
        <p className="cm-note" data-tone="error">
          <code>{call.error.code}</code> <Text value={call.error.message} labels={labels} />
        </p>
      )}
      <Times call={call} now={now} />
      <Facts call={call} grants={grants} />
      <Value
        title={call.effectiveInput ? labels.proposedInput : labels.input}
        stored={call.input}
        schema={facts?.inputJsonSchema}
        bytes={call.inputBytes}
      />
      {call.effectiveInput && (
        <Value title={labels.effectiveInput} stored={call.effectiveInput} schema={facts?.inputJsonSchema} />
      )}
      {call.output && (
        <Value title={labels.output} stored={call.output} schema={facts?.outputJsonSchema} bytes={call.outputBytes} />
      )}
    </>
  );
}

/** Who decided, by what, and what the call belongs to: one line each. */
function Facts({ call, grants }: { readonly call: CallView; readonly grants: readonly GrantView[] }): ReactElement | null {
  const { labels } = useTraceModel();
  const { approval, policy, undoes, undoneBy, deferred, endedAt, intent } = call;
  const lines: string[] = [];
  if (call.simulated) lines.push(labels.simulated);
  if (undoneBy !== undefined) lines.push(`${labels.takenBack}: ${undoneBy}`);
  if (undoes !== undefined) lines.push(`${labels.undoRow} ${undoes}`);
  if (deferred !== undefined && endedAt === undefined) lines.push(labels.deferredResult);
  if (approval?.decision) {
    const reason = approval.decisionReason === undefined ? '' : ` · ${approval.decisionReason}`;
    lines.push(`${labels.decision}: ${labels.decisions[approval.decision]}${reason}`);
  }
  const grantId = approval?.grantId ?? policy?.grantId;
  if (grantId !== undefined) lines.push(labels.permittedBy(grants.find(({ id }) => id === grantId)?.words ?? grantId));
  else if (policy && policy.by !== 'default')
    lines.push([labels.judgedBy[policy.by], policy.rule, policy.reason].filter(Boolean).join(' · '));
  if (lines.length === 0 && intent === undefined) return null;
  return (
    <ul className="cm-facts">
      {lines.map((line) => (
        <li key={line}>
          <Text value={line} labels={labels} />
        </li>
      ))}
      {intent !== undefined && (
        <li>
          {labels.assistantSays}: “<Text value={intent} labels={labels} />”
        </li>
      )}
    </ul>
  );
}

const PARTS = ['queue', 'approval', 'handler', 'transfer'] as const;

/** Where the call's time went, as a bar and in words. */
function Times({ call, now }: { readonly call: CallView; readonly now: number }): ReactElement {
  const { labels, format } = useTraceModel();
  const times = callTimes(call, now);
  return (
    <div className="cm-times" data-part="times">
      <div className="cm-times-bar" aria-hidden="true">
        {PARTS.map(
          (part) =>
            times[part] > 0 && (
              <span key={part} data-segment={part} style={{ flexGrow: times[part] / Math.max(1, times.total) }} />
            ),
        )}
      </div>
      <dl className="cm-times-list">
        {PARTS.map((part) => (
          <div
            key={part}
            hidden={(part === 'approval' && !call.approval) || (part === 'transfer' && call.deliveredAt === undefined)}
          >
            <dt>
              <span className="cm-swatch" data-segment={part} />
              {labels[part]}
            </dt>
            <dd>
              <bdi>{format.duration(times[part])}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
