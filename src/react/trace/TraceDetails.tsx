'use client';
import { type ReactElement, type ReactNode, useState } from 'react';
import type { JsonSchema } from '../../catalog/tool.ts';
import type { StoredValue } from '../../journal/events.ts';
import type { CallView, RunView } from '../../store/state.ts';
import { review } from '../approval/approval-ui.ts';
import { Icon } from '../Icon.tsx';
import { ProgramExcerpt } from '../program/ProgramExcerpt.tsx';
import { plainJson } from '../text/describe-value.ts';
import { safePreview, secretPaths } from '../../journal/secrets.ts';
import { Text } from '../text/Text.tsx';
import { ValueView } from '../text/ValueView.tsx';
import { useValue } from '../use-value.ts';
import { exportCall } from './export-run.ts';
import { lineOf, type TraceNode } from './nodes.ts';
import { rowTitle, statusWord } from './row-words.ts';
import { iconOf, statusOf } from './status.ts';
import { callTimes } from './times.ts';
import { useTraceModel } from './trace-context.ts';

export interface TraceDetailsProps {
  readonly node: TraceNode;
  readonly run: RunView | undefined;
  readonly now: number;
  readonly onClose: () => void;
}

/** Everything about one row. */
export function TraceDetails({ node, run, now, onClose }: TraceDetailsProps): ReactElement {
  const { labels } = useTraceModel();
  const line = lineOf(node);
  return (
    <section className="cm-details" aria-label={labels.details} data-part="details">
      <header className="cm-details-head">
        <span className="cm-status" data-status={statusOf(node)}>
          <Icon name={iconOf(node)} />
        </span>
        <h3>
          <Text value={rowTitle(node, labels)} labels={labels} />
        </h3>
        <span className="cm-muted">{statusWord(node, labels)}</span>
        <span className="cm-spring" />
        <CopyButton node={node} />
        <button
          type="button"
          className="cm-button cm-icon-button"
          data-kind="plain"
          aria-label={labels.close}
          title={labels.close}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </header>
      <div className="cm-details-body">
        <NodeDetails node={node} now={now} />
        {run && line !== undefined && (
          <div className="cm-details-excerpt">
            <Part title={`${labels.inProgram} · ${labels.line(line)}`}>
              <ProgramExcerpt source={run.source} line={line} labels={labels} context={2} />
            </Part>
          </div>
        )}
      </div>
    </section>
  );
}

function NodeDetails({ node, now }: { readonly node: TraceNode; readonly now: number }): ReactElement | null {
  const { labels } = useTraceModel();
  switch (node.kind) {
    case 'call':
      return <CallDetails call={node.call} now={now} />;
    case 'group':
    case 'fold':
      return <p className="cm-muted">{labels.calls(node.calls.length)}</p>;
    case 'console':
      return <Words text={node.item.text} />;
    case 'emit':
      return <Value title={labels.emitted} stored={node.item.value} />;
    case 'result':
      return <Value title={labels.result} stored={node.value} />;
    case 'warning':
      return <Words text={node.warning.message} />;
    case 'error':
      return (
        <>
          <p className="cm-note" data-tone="error">
            <code>{node.error.code}</code> <Text value={node.error.message} labels={labels} />
          </p>
          {node.error.excerpt !== undefined && <Words text={node.error.excerpt} />}
          {node.error.stack && <Words text={node.error.stack.join('\n')} />}
        </>
      );
    case 'cancelled':
      return <Words text={node.reason} />;
    case 'run':
      return <RunDetails run={node.run} />;
  }
}

function RunDetails({ run }: { readonly run: RunView }): ReactElement {
  const { labels } = useTraceModel();
  return (
    <>
      {run.warnings.map((warning) => (
        <p className="cm-note" data-tone="warning" key={warning.message}>
          <Text value={warning.message} labels={labels} />
        </p>
      ))}
      {run.value && <Value title={labels.result} stored={run.value} />}
      <Part title={labels.program}>
        <ProgramExcerpt source={run.source} line={undefined} labels={labels} context={20} />
      </Part>
    </>
  );
}

function CallDetails({ call, now }: { readonly call: CallView; readonly now: number }): ReactElement {
  const { session, labels, canReview } = useTraceModel();
  const facts = session?.tool?.(call.tool);
  const { approval } = call;
  return (
    <>
      {call.status === 'waiting_approval' && approval && (
        <p className="cm-note cm-review-note" data-tone="waiting">
          <Text value={approval.question} labels={labels} />
          {session && canReview && (
            <button type="button" className="cm-button" data-kind="primary" onClick={() => review(session, call.id)}>
              {labels.review}
            </button>
          )}
        </p>
      )}
      {call.error && (
        <p className="cm-note" data-tone="error">
          <code>{call.error.code}</code> <Text value={call.error.message} labels={labels} />
        </p>
      )}
      <Times call={call} now={now} />
      {approval?.decision && (
        <p className="cm-muted">
          {labels.decision}: {labels.decisions[approval.decision]}
          {approval.decisionReason !== undefined && (
            <>
              {' · '}
              <Text value={approval.decisionReason} labels={labels} />
            </>
          )}
        </p>
      )}
      {call.intent !== undefined && (
        <p className="cm-muted">
          {labels.assistantSays}: “<Text value={call.intent} labels={labels} />”
        </p>
      )}
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

const PARTS = ['queue', 'approval', 'handler'] as const;

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
          <div key={part} hidden={part === 'approval' && !call.approval}>
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

function Part({
  title,
  extra,
  children,
}: {
  readonly title: string;
  readonly extra?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="cm-section">
      <div className="cm-section-head">
        <h4>{title}</h4>
        {extra !== undefined && <bdi className="cm-muted">{extra}</bdi>}
      </div>
      {children}
    </div>
  );
}

interface ValueProps {
  readonly title: string;
  readonly stored: StoredValue;
  readonly schema?: JsonSchema;
  readonly bytes?: number;
}

const NOTHING_OPEN: ReadonlySet<string> = new Set();

function Value({ title, stored, schema, bytes }: ValueProps): ReactElement {
  const { session, labels, format } = useTraceModel();
  // A value in the store may be large: it is fetched when somebody asks for it.
  const [wanted, setWanted] = useState('inline' in stored);
  const read = useValue(session, wanted ? stored : undefined);
  const [opened, setOpened] = useState(NOTHING_OPEN);
  const toggle = (path: string): void =>
    setOpened((old) => {
      const next = new Set(old);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  return (
    <Part title={title} extra={bytes === undefined ? undefined : format.bytes(bytes)}>
      {!wanted && !('inline' in stored) && (
        <p className="cm-collapsed">
          <Text value={safePreview(stored.preview, schema, 120)} labels={labels} />
          <button type="button" className="cm-link" onClick={() => setWanted(true)}>
            {labels.open} (<bdi>{format.bytes(stored.bytes)}</bdi>)
          </button>
        </p>
      )}
      {wanted && read.status === 'reading' && <p className="cm-muted">…</p>}
      {read.status === 'failed' && (
        <p className="cm-note">
          <Text value={safePreview('inline' in stored ? stored.inline : stored.preview, schema, 500)} labels={labels} />
        </p>
      )}
      {read.status === 'ready' && (
        <ValueView
          value={read.value}
          labels={labels}
          secrets={secretPaths(read.value, schema)}
          opened={opened}
          onToggle={toggle}
        />
      )}
    </Part>
  );
}

function Words({ text }: { readonly text: string }): ReactElement {
  const { labels } = useTraceModel();
  return (
    <pre className="cm-code">
      <Text value={text} labels={labels} foldBlank />
    </pre>
  );
}

/** Copies a row as JSON, secrets masked. */
function CopyButton({ node }: { readonly node: TraceNode }): ReactElement {
  const { session, labels } = useTraceModel();
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(await copyText(node, session));
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <button
        type="button"
        className="cm-button cm-icon-button"
        data-kind="plain"
        aria-label={labels.copy}
        title={labels.copy}
        onClick={() => void copy()}
      >
        <Icon name={state === 'copied' ? 'succeeded' : 'copy'} />
      </button>
      <span className="cm-hidden" role="status">
        {state === 'copied' ? labels.copied : state === 'failed' ? labels.copyFailed : ''}
      </span>
    </>
  );
}

async function copyText(node: TraceNode, session: ReturnType<typeof useTraceModel>['session']): Promise<string> {
  if (!session) return '';
  const calls = node.kind === 'call' ? [node.call] : node.kind === 'group' || node.kind === 'fold' ? node.calls : [];
  if (calls.length === 1) return JSON.stringify(await exportCall(session, calls[0]!), null, 2);
  if (calls.length > 1) return JSON.stringify(await Promise.all(calls.map((call) => exportCall(session, call))), null, 2);
  if (node.kind === 'console') return node.item.text;
  if (node.kind === 'warning') return node.warning.message;
  if (node.kind === 'error') return `${node.error.code}: ${node.error.message}`;
  if (node.kind === 'run') return node.run.source;
  if (node.kind === 'cancelled') return node.reason;
  const stored = node.kind === 'emit' ? node.item.value : node.kind === 'result' ? node.value : undefined;
  return stored ? (plainJson(await session.readValue(stored)) ?? '') : '';
}
