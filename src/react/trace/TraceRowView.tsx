'use client';
import type React from 'react';
import type { ReactElement } from 'react';
import type { StoredValue } from '../../journal/events.ts';
import { review } from '../approval/approval-ui.ts';
import { Icon } from '../Icon.tsx';
import { compact, summarize } from '../text/describe-value.ts';
import { secretPaths } from '../text/secrets.ts';
import { VisibleText } from '../text/Text.tsx';
import { useValue } from '../use-value.ts';
import { lineOf, type TraceNode } from './nodes.ts';
import type { TraceRow } from './rows.ts';
import { durationOf, rowName, rowTitle, statusWord } from './row-words.ts';
import { iconOf, statusOf } from './status.ts';
import { TimelineBar } from './TimelineBar.tsx';
import type { Axis } from './times.ts';
import { useTraceModel } from './trace-context.ts';

export interface TraceRowViewProps {
  readonly row: TraceRow;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly selected: boolean;
  /** Holds the tree's one tab stop. */
  readonly current: boolean;
  readonly now: number;
  /** Set in the timeline. */
  readonly axis: Axis | undefined;
  readonly onSelect: (row: TraceRow) => void;
  readonly onToggle: (row: TraceRow) => void;
}

/** One row of the tree: icon and words, place in the program, time. */
export function TraceRowView(props: TraceRowViewProps): ReactElement {
  const { row, now, axis } = props;
  const { node } = row;
  const { session, labels, format, canReview, linkedLine, linkLine } = useTraceModel();
  const words = useRowWords(node);
  const line = lineOf(node);
  const duration = durationOf(node, now);
  const waiting = node.kind === 'call' && node.call.status === 'waiting_approval';
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree handles the keys of its rows
    <div
      role="treeitem"
      id={`cm-row-${node.id}`}
      className="cm-row"
      data-kind={node.kind}
      data-status={statusOf(node)}
      data-linked={(line !== undefined && line === linkedLine) || undefined}
      data-cm-run={node.kind === 'run' ? node.runId : undefined}
      data-index={props.index}
      tabIndex={props.current ? 0 : -1}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-expanded={row.expandable ? row.expanded : undefined}
      aria-selected={props.selected}
      aria-label={rowName(row, words.said, labels, format, now)}
      style={{ transform: `translateY(${props.top}px)`, blockSize: props.height, ['--cm-level' as string]: row.level - 1 }}
      onClick={() => props.onSelect(row)}
      onPointerEnter={() => linkLine(line)}
      onPointerLeave={() => linkLine(undefined)}
    >
      <span className="cm-row-label">
        <button
          type="button"
          className="cm-twisty"
          tabIndex={-1}
          aria-hidden="true"
          hidden={!row.expandable}
          data-open={row.expanded || undefined}
          onClick={(event) => {
            event.stopPropagation();
            props.onToggle(row);
          }}
        >
          <Icon name="chevron" />
        </button>
        <span className="cm-status" data-status={statusOf(node)}>
          <Icon name={iconOf(node)} />
        </span>
        <span className="cm-row-title">
          <VisibleText value={rowTitle(node, labels)} labels={labels} />
        </span>
        {axis === undefined && <span className="cm-row-details">{words.shown}</span>}
        {axis === undefined && row.failures > 0 && row.expandable && node.kind !== 'run' && (
          <span className="cm-row-failures">{labels.failedInside(row.failures)}</span>
        )}
        {axis === undefined && <StatusWord node={node} />}
      </span>
      {axis === undefined ? (
        <bdi className="cm-row-line">{line !== undefined && labels.line(line)}</bdi>
      ) : (
        <TimelineBar node={node} axis={axis} now={now} />
      )}
      <bdi className="cm-row-time">{duration !== undefined && format.duration(duration)}</bdi>
      {waiting && canReview && session && (
        <button
          type="button"
          className="cm-button cm-row-review"
          data-kind="primary"
          onClick={(event: React.MouseEvent) => {
            event.stopPropagation();
            review(session, node.call.id);
          }}
        >
          {labels.review}
        </button>
      )}
    </div>
  );
}

/** The word is shown where the icon alone would leave a question. */
function StatusWord({ node }: { readonly node: TraceNode }): ReactElement | null {
  const { labels } = useTraceModel();
  const plain =
    (node.kind === 'call' && node.call.status === 'succeeded') || (node.kind === 'run' && node.run.status === 'completed');
  const word = statusWord(node, labels);
  return word === undefined || plain ? null : (
    <span className="cm-row-status" data-status={statusOf(node)}>
      {word}
    </span>
  );
}

interface RowWords {
  readonly shown: ReactElement | string;
  readonly said: string;
}

/** The middle of a row: short input → short output, the text of a line, a progress. */
function useRowWords(node: TraceNode): RowWords {
  const { session, labels, format } = useTraceModel();
  const call = node.kind === 'call' ? node.call : undefined;
  const facts = call && session?.tool?.(call.tool);
  const input = useShort(call?.input, facts?.inputJsonSchema, 80);
  const output = useShort(
    call?.output ?? (node.kind === 'emit' ? node.item.value : node.kind === 'result' ? node.value : undefined),
    facts?.outputJsonSchema,
    60,
  );
  if (node.kind === 'call') {
    const { progress, status, error, outputBytes, approval } = node.call;
    const size = outputBytes !== undefined && outputBytes >= 1_000 ? `, ${format.bytes(outputBytes)}` : '';
    const outcome = error ? error.message : output === undefined ? '' : output + size;
    const decided = approval?.decision === 'allow' || approval?.decision === 'answer' ? labels.decisions[approval.decision] : '';
    const noInput = input === undefined || input === '{}';
    return {
      said: [noInput ? '' : input, outcome, progressWords(progress, labels), decided].filter(Boolean).join(', '),
      shown: (
        <>
          {!noInput && <Code text={input} />}
          {status === 'running' && progress && <ProgressBar {...progress} />}
          {outcome !== '' && <span className="cm-arrow" aria-hidden="true" />}
          {outcome !== '' && <Code text={outcome} error={error !== undefined} />}
        </>
      ),
    };
  }
  const text = plainWords(node, output, labels);
  return {
    said: text,
    shown: node.kind === 'group' || node.kind === 'fold' ? '' : <Code text={text} error={node.kind === 'error'} />,
  };
}

function plainWords(node: TraceNode, value: string | undefined, labels: ReturnType<typeof useTraceModel>['labels']): string {
  switch (node.kind) {
    case 'console':
      return node.item.text;
    case 'emit':
    case 'result':
      return value ?? '';
    case 'warning':
      return node.warning.message;
    case 'error':
      return `${node.error.code}: ${node.error.message}`;
    case 'cancelled':
      return node.reason;
    case 'run':
      return node.run.waitsFor === undefined ? '' : labels.waitsForRun(node.run.waitsFor);
    default:
      return '';
  }
}

function Code({ text, error = false }: { readonly text: string; readonly error?: boolean }): ReactElement {
  const { labels } = useTraceModel();
  return (
    <bdi className="cm-row-text" data-error={error || undefined}>
      <VisibleText value={text.length > 300 ? `${text.slice(0, 300)}…` : text} labels={labels} />
    </bdi>
  );
}

function useShort(stored: StoredValue | undefined, schema: Parameters<typeof secretPaths>[1], limit: number): string | undefined {
  const { session, labels } = useTraceModel();
  const large = stored !== undefined && !('inline' in stored);
  const read = useValue(session, large ? undefined : stored);
  if (stored === undefined) return undefined;
  if (large) return `${stored.preview.slice(0, limit)}…`;
  if (read.status !== 'ready') return '';
  const secrets = secretPaths(read.value, schema);
  return limit > 60 ? compact(read.value, limit, secrets) : summarize(read.value, labels, limit, secrets);
}

type Progress = { readonly done?: number; readonly total?: number; readonly message?: string };

function progressWords(progress: Progress | undefined, labels: ReturnType<typeof useTraceModel>['labels']): string {
  if (!progress) return '';
  const { done, total, message } = progress;
  const count = done === undefined ? '' : total === undefined ? String(done) : labels.progress(String(done), String(total));
  return [count, message].filter(Boolean).join(' ');
}

function ProgressBar(progress: Progress): ReactElement {
  const { labels } = useTraceModel();
  const { done, total } = progress;
  const part = done !== undefined && total !== undefined && total > 0 ? Math.min(1, done / total) : undefined;
  return (
    <span className="cm-progress">
      {part !== undefined && (
        <span className="cm-progress-track" aria-hidden="true">
          <span className="cm-progress-fill" style={{ transform: `scaleX(${part})` }} />
        </span>
      )}
      <bdi className="cm-muted">{progressWords(progress, labels)}</bdi>
    </span>
  );
}
