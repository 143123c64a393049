'use client';
import type React from 'react';
import { memo, type NamedExoticComponent, type ReactElement } from 'react';
import type { CallView } from '../../store/state.ts';
import { review } from '../approval/approval-ui.ts';
import { Icon } from '../Icon.tsx';
import { VisibleText } from '../text/Text.tsx';
import { lineOf, sameNode, type TraceNode } from './nodes.ts';
import type { TraceRow } from './row-list.ts';
import { durationOf, rowName, rowTitle, statusWord } from './row-words.ts';
import { iconOf, statusOf } from './status.ts';
import { TimelineBar } from './TimelineBar.tsx';
import type { Axis } from './times.ts';
import { useIsLinked, useTraceModel } from './trace-context.ts';
import { progressWords, type RowWords, useRowWords } from './use-row-words.ts';

export interface TraceRowViewProps {
  readonly row: TraceRow;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly selected: boolean;
  /** The event that a person has stepped to is about it. */
  readonly isMoment: boolean;
  /** Holds the tree's one tab stop. */
  readonly current: boolean;
  /** Epoch ms while the row goes on, 0 when it is over. */
  readonly now: number;
  /** Set in the timeline. */
  readonly axis: Axis | undefined;
  readonly onSelect: (row: TraceRow) => void;
  readonly onToggle: (ids: readonly string[]) => void;
}

/** One row of the tree. It renders when something of it changed; its place among all rows the tree tells it. */
export const TraceRowView: NamedExoticComponent<TraceRowViewProps> = memo(Row, sameRow);

function sameRow(a: TraceRowViewProps, b: TraceRowViewProps): boolean {
  const { row: x, axis: p, index: _, ...restA } = a;
  const { row: y, axis: q, index: _other, ...restB } = b;
  return (
    sameNode(x.node, y.node) &&
    x.level === y.level &&
    x.expandable === y.expandable &&
    x.expanded === y.expanded &&
    x.failures === y.failures &&
    p?.from === q?.from &&
    p?.to === q?.to &&
    (Object.keys(restA) as (keyof typeof restA)[]).every((key) => restA[key] === restB[key])
  );
}

function Row(props: TraceRowViewProps): ReactElement {
  const { row, now, axis } = props;
  const { node } = row;
  const { labels, format, links } = useTraceModel();
  const words = useRowWords(node);
  const line = lineOf(node);
  const linked = useIsLinked(line);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree handles the keys of its rows
    <div
      role="treeitem"
      id={`cm-row-${node.id}`}
      className="cm-row"
      data-kind={node.kind}
      data-status={statusOf(node)}
      data-simulated={(node.kind === 'call' && node.call.simulated) || undefined}
      data-linked={linked || undefined}
      data-moment={props.isMoment || undefined}
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
      onPointerEnter={() => links.setState({ line })}
      onPointerLeave={() => links.setState({ line: undefined })}
    >
      <RowContent
        node={node}
        expandable={row.expandable}
        expanded={row.expanded}
        failures={row.failures}
        words={words}
        now={now}
        axis={axis}
        onToggle={props.onToggle}
      />
    </div>
  );
}

interface ContentProps extends Pick<TraceRowViewProps, 'now' | 'axis' | 'onToggle'> {
  readonly node: TraceNode;
  readonly expandable: boolean;
  readonly expanded: boolean;
  readonly failures: number;
  readonly words: RowWords;
}

const RowContent: NamedExoticComponent<ContentProps> = memo(function RowContent(props: ContentProps) {
  const { node, expandable, expanded, failures, words, now, axis, onToggle } = props;
  const { labels, format } = useTraceModel();
  const line = lineOf(node);
  const duration = durationOf(node, now);
  return (
    <>
      <span className="cm-row-label">
        <button
          type="button"
          className="cm-twisty"
          tabIndex={-1}
          aria-hidden="true"
          hidden={!expandable}
          data-open={expanded || undefined}
          onClick={(event) => {
            event.stopPropagation();
            onToggle([node.id]);
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
        {axis === undefined && <Words words={words} running={node.kind === 'call' && node.call.status === 'running'} />}
        {axis === undefined && failures > 0 && expandable && node.kind !== 'run' && (
          <span className="cm-row-failures">{labels.failedInside(failures)}</span>
        )}
        {axis === undefined && <StatusWord node={node} />}
      </span>
      {axis === undefined ? (
        <bdi className="cm-row-line">{line !== undefined && labels.line(line)}</bdi>
      ) : (
        <TimelineBar node={node} axis={axis} now={now} />
      )}
      <bdi className="cm-row-time">{duration !== undefined && format.duration(duration)}</bdi>
      {isWaiting(node) && <ReviewButton about={node.kind === 'call' ? node.call.id : node.runId} />}
    </>
  );
}, sameContent);

function sameContent(a: ContentProps, b: ContentProps): boolean {
  return (
    sameNode(a.node, b.node) &&
    a.expandable === b.expandable &&
    a.expanded === b.expanded &&
    a.failures === b.failures &&
    a.now === b.now &&
    a.axis?.from === b.axis?.from &&
    a.axis?.to === b.axis?.to &&
    a.onToggle === b.onToggle &&
    a.words.said === b.words.said &&
    a.words.input === b.words.input
  );
}

/** The middle of a row: short input → short output, a progress, or the text of a line. */
function Words({ words, running }: { readonly words: RowWords; readonly running: boolean }): ReactElement {
  const { input, text, failed, progress } = words;
  return (
    <span className="cm-row-details">
      {input !== '' && <Code text={input} />}
      {running && progress && <ProgressBar {...progress} />}
      {input !== undefined && text !== '' && <span className="cm-arrow" aria-hidden="true" />}
      {text !== '' && <Code text={text} error={failed} />}
    </span>
  );
}

function Code({
  text = '',
  error = false,
}: {
  readonly text: string | undefined;
  readonly error?: boolean;
}): ReactElement | null {
  const { labels } = useTraceModel();
  if (text === '') return null;
  return (
    <bdi className="cm-row-text" data-error={error || undefined}>
      <VisibleText value={text.length > 300 ? `${text.slice(0, 300)}…` : text} labels={labels} />
    </bdi>
  );
}

/** Ran, and what it did stands. */
function isPlain({ status, simulated, undoneBy }: CallView): boolean {
  return status === 'succeeded' && simulated !== true && undoneBy === undefined;
}

function isDone(node: TraceNode): boolean {
  return (node.kind === 'run' && node.run.status === 'completed') || (node.kind === 'plan' && node.plan.decision === 'allow');
}

/** The word is shown where the icon alone would leave a question. */
function StatusWord({ node }: { readonly node: TraceNode }): ReactElement | null {
  const { labels } = useTraceModel();
  const plain = node.kind === 'call' ? isPlain(node.call) : isDone(node);
  const word = statusWord(node, labels);
  return word === undefined || plain ? null : (
    <span className="cm-row-status" data-status={statusOf(node)}>
      {word}
    </span>
  );
}

const isWaiting = (node: TraceNode): boolean =>
  (node.kind === 'call' && node.call.status === 'waiting_approval') || (node.kind === 'plan' && node.plan.decision === undefined);

/** @param about id of the call, or of the run whose program waits as a whole */
function ReviewButton({ about }: { readonly about: string }): ReactElement | null {
  const { session, labels, canReview } = useTraceModel();
  if (!session || !canReview) return null;
  return (
    <button
      type="button"
      className="cm-button cm-row-review"
      data-kind="primary"
      onClick={(event: React.MouseEvent) => {
        event.stopPropagation();
        review(session, about);
      }}
    >
      {labels.review}
    </button>
  );
}

function ProgressBar(progress: NonNullable<RowWords['progress']>): ReactElement {
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
