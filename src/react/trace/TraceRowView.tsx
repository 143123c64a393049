'use client';
import type React from 'react';
import { memo, type NamedExoticComponent, type ReactElement, type ReactNode } from 'react';
import type { CallView } from '../../store/state.ts';
import { review } from '../approval/approval-ui.ts';
import { iconElement } from '../Icon.tsx';
import type { Labels } from '../labels.ts';
import { visibleNode } from '../text/Text.tsx';
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
  return (
    a.top === b.top &&
    a.height === b.height &&
    a.selected === b.selected &&
    a.isMoment === b.isMoment &&
    a.current === b.current &&
    a.now === b.now &&
    a.axis?.from === b.axis?.from &&
    a.axis?.to === b.axis?.to &&
    a.onSelect === b.onSelect &&
    a.onToggle === b.onToggle &&
    a.row.level === b.row.level &&
    a.row.expandable === b.row.expandable &&
    a.row.expanded === b.row.expanded &&
    a.row.failures === b.row.failures &&
    sameNode(a.row.node, b.row.node)
  );
}

/** All in one component, and a piece of text no component at all: a page of rows is made at once when one jumps. */
function Row(props: TraceRowViewProps): ReactElement {
  const { row, now, axis } = props;
  const { node, expandable, expanded } = row;
  const { labels, format, links } = useTraceModel();
  const words = useRowWords(node);
  const line = lineOf(node);
  const linked = useIsLinked(line);
  const status = statusOf(node);
  const duration = durationOf(node, now);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree handles the keys of its rows
    <div
      role="treeitem"
      className="cm-row"
      data-kind={node.kind}
      data-status={status}
      data-simulated={(node.kind === 'call' && node.call.simulated) || undefined}
      data-linked={linked || undefined}
      data-moment={props.isMoment || undefined}
      data-cm-run={node.kind === 'run' ? node.runId : undefined}
      data-index={props.index}
      tabIndex={props.current ? 0 : -1}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-expanded={expandable ? expanded : undefined}
      aria-selected={props.selected}
      aria-label={rowName(row, words.said, labels, format, now)}
      style={{ transform: `translateY(${props.top}px)`, blockSize: props.height, ['--cm-level' as string]: row.level - 1 }}
      onClick={() => props.onSelect(row)}
      onPointerEnter={() => links.setState({ line })}
      onPointerLeave={() => links.setState({ line: undefined })}
    >
      <span className="cm-row-label">
        {expandable && (
          <button
            type="button"
            className="cm-twisty"
            tabIndex={-1}
            aria-hidden="true"
            data-open={expanded || undefined}
            onClick={(event) => {
              event.stopPropagation();
              props.onToggle([node.id]);
            }}
          >
            {iconElement('chevron')}
          </button>
        )}
        <span className="cm-status" data-status={status}>
          {iconElement(iconOf(node))}
        </span>
        <span className="cm-row-title" dir="auto">
          {visibleNode(rowTitle(node, labels), labels)}
        </span>
        {axis === undefined && details(node, words, labels)}
        {axis === undefined && row.failures > 0 && expandable && node.kind !== 'run' && (
          <span className="cm-row-failures">{labels.failedInside(row.failures)}</span>
        )}
        {axis === undefined && statusPill(node, status, labels)}
      </span>
      {axis !== undefined && <TimelineBar node={node} axis={axis} now={now} />}
      {axis === undefined && line !== undefined && <bdi className="cm-row-line">{labels.line(line)}</bdi>}
      {(axis ?? line ?? duration) !== undefined && (
        <bdi className="cm-row-time">{duration !== undefined && format.duration(duration)}</bdi>
      )}
      {isWaiting(node) && <ReviewButton about={node.kind === 'call' ? node.call.id : node.runId} />}
    </div>
  );
}

/** The middle of a row: short input → short output, a progress, or the text of a line. */
function details(node: TraceNode, { input, text, failed, progress }: RowWords, labels: Labels): ReactElement {
  return (
    <span className="cm-row-details" data-failed={failed || undefined}>
      {code(input, false, labels)}
      {progress && node.kind === 'call' && node.call.status === 'running' && <ProgressBar {...progress} />}
      {input !== undefined && text !== '' && <span className="cm-arrow" aria-hidden="true" />}
      {code(text, failed, labels)}
    </span>
  );
}

function code(text: string | undefined, error: boolean, labels: Labels): ReactNode {
  if (text === undefined || text === '') return undefined;
  return (
    <bdi className="cm-row-text" data-error={error || undefined}>
      {visibleNode(text.length > 300 ? `${text.slice(0, 300)}…` : text, labels)}
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

/** The status in a word, where the icon alone would leave a question. */
function statusPill(node: TraceNode, status: string, labels: Labels): ReactNode {
  const plain = node.kind === 'call' ? isPlain(node.call) : isDone(node);
  const word = statusWord(node, labels);
  return word === undefined || plain ? undefined : (
    <span className="cm-row-status" data-status={status}>
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
