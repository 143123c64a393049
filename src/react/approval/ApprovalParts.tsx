'use client';
import { type ReactElement, type Ref, useMemo, useState } from 'react';
import { Icon } from '../Icon.tsx';
import { ProgramExcerpt } from '../program/ProgramExcerpt.tsx';
import { plainJson } from '../text/describe-value.ts';
import { masked, secretPaths } from '../../journal/secrets.ts';
import { Text } from '../text/Text.tsx';
import { withoutSecrets } from '../text/without-secrets.ts';
import { mixedScript } from '../text/visible-text.ts';
import { useValue } from '../use-value.ts';
import { useDialog } from './dialog-context.ts';
import { Quoted } from './Quoted.tsx';
import type { ApprovalRequest } from './asked.ts';
import { isShownInQueue } from './decide.ts';
import { Consequence } from './Consequence.tsx';
import { DoubtNote } from './DoubtNote.tsx';
import { questionWords } from './question-words.ts';
import { SameCalls } from './SameCalls.tsx';
import { LaterButton } from './LaterButton.tsx';
import { RiskBadge } from './RiskBadge.tsx';
import { ToolWords } from './ToolWords.tsx';

/** Risk, tool, place in the queue, and the way out that decides nothing. */
export function ApprovalHeader(): ReactElement {
  const { approval, request, labels, titleId, panel, setPanel } = useDialog();
  const { call } = request;
  const { risk } = request.approval;
  const { at, total } = approval.position;
  return (
    <header className="cm-dialog-header" data-part="header">
      <p className="cm-dialog-title" id={titleId}>
        <RiskBadge risk={risk} labels={labels} />
        <span className="cm-tool-name">
          <Text value={call.tool} labels={labels} />
        </span>
        {call.title !== undefined && call.title !== call.tool && (
          <span className="cm-muted cm-tool-title">
            <Text value={call.title} labels={labels} />
          </span>
        )}
      </p>
      {total > 1 && !approval.ended && (
        <button
          type="button"
          className="cm-button cm-position"
          data-kind="plain"
          data-action="queue"
          aria-expanded={panel === 'queue'}
          onClick={() => setPanel(panel === 'queue' ? 'ask' : 'queue')}
        >
          {labels.position(at, total)}
          <Icon name="chevron" />
        </button>
      )}
      {!approval.ended && approval.mode === 'modal' && <LaterButton labels={labels} onLater={approval.later} />}
    </header>
  );
}

/** The application's question; first focus of the dialog. */
export function ApprovalQuestion({ headingRef }: { readonly headingRef?: Ref<HTMLHeadingElement> }): ReactElement {
  const { approval, request, labels, questionId, panel } = useDialog();
  const { call } = request;
  const question = questionWords(request.call, labels);
  const script = mixedScript(call.tool) ?? mixedScript(question);
  return (
    <div data-part="question">
      <h2 className="cm-question" id={questionId} ref={headingRef} tabIndex={-1}>
        <Text value={question} labels={labels} />
      </h2>
      {approval.ended && (
        <p className="cm-note" data-tone="warning">
          {approval.ended === 'expired' ? labels.expired : labels.alreadyEnded}
        </p>
      )}
      <DoubtNote />
      <Consequence />
      {script && (
        <p className="cm-note" data-tone="warning">
          {labels.mixedScript(script)}
        </p>
      )}
      <ToolWords />
      <SameCalls />
      {request.approval.reason !== undefined && !request.approval.doubt && (
        <p className="cm-note">
          {labels.whyAsked}: <Text value={request.approval.reason} labels={labels} />
        </p>
      )}
      {panel === 'queue' && <ApprovalQueue />}
    </div>
  );
}

/** All questions that wait, to go to one or to answer them together. */
export function ApprovalQueue(): ReactElement {
  const { approval, request, labels, setPanel } = useDialog();
  return (
    <ol className="cm-queue" data-part="queue" aria-label={labels.allWaiting(approval.waiting)}>
      {approval.queue.map((each) => (
        <li key={each.call.id}>
          <button
            type="button"
            className="cm-queue-item"
            aria-current={each.call.id === request.call.id || undefined}
            onClick={() => {
              setPanel('ask');
              approval.review(each.call.id);
            }}
          >
            <RiskBadge risk={each.approval.risk} labels={labels} />
            <span>
              <Text value={questionWords(each.call, labels)} labels={labels} />
              {each.group && each.group.count > 1 && <strong> {labels.times(each.group.count)}</strong>}
              <QueueInput request={each} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** The input as it will run, secrets masked. One that is too long for the list is not shown, and not allowed with the others. */
function QueueInput({ request }: { readonly request: ApprovalRequest }): ReactElement | null {
  const { approval, labels } = useDialog();
  const shown = isShownInQueue(request);
  const input = useValue(approval.session, shown ? request.approval.input : undefined);
  if (!shown || input.status !== 'ready') return null;
  const secrets = secretPaths(input.value, approval.session?.tool?.(request.call.tool)?.inputJsonSchema);
  return (
    <code className="cm-queue-input">
      <Text value={oneLine(masked(input.value, secrets))} labels={labels} />
    </code>
  );
}

const oneLine = (value: unknown): string => (plainJson(value) === undefined ? '' : JSON.stringify(value));

/**
 * The program around the call's line; where it spells out what the input masks, that is masked too.
 * @param props.context lines shown before and after that one
 */
export function ApprovalProgram({ context = 2 }: { readonly context?: number }): ReactElement {
  const { request, labels, input, secrets } = useDialog();
  const [whole, setWhole] = useState(false);
  const { call, run } = request;
  const source = useMemo(
    () => withoutSecrets(run.source, input.status === 'ready' ? input.value : undefined, secrets),
    [run.source, input, secrets],
  );
  return (
    <section className="cm-section" data-part="program">
      <div className="cm-section-head">
        <h3>{labels.inProgram}</h3>
        <span className="cm-muted">
          {call.site && `${labels.line(call.site.line)} · `}
          {labels.callOf(call.ordinal, Math.max(call.ordinal, run.calls.length))}
        </span>
        <button type="button" className="cm-link" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? labels.showExcerpt : labels.showProgram}
        </button>
      </div>
      <ProgramExcerpt
        source={source}
        line={call.site?.line}
        labels={labels}
        context={whole ? Number.POSITIVE_INFINITY : context}
      />
    </section>
  );
}

/** The assistant's own words, visibly not the application's. */
export function ApprovalIntent(): ReactElement | null {
  const { request, labels } = useDialog();
  const { intent } = request.call;
  if (intent === undefined || intent === '') return null;
  return <Quoted data-part="intent" caption={labels.assistantSays} words={intent} labels={labels} />;
}
