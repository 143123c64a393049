'use client';
import type React from 'react';
import type { ReactElement } from 'react';
import type { RunView } from '../../store/state.ts';
import type { TraceNode } from './nodes.ts';
import { tickStep, ticksOf } from './ticks.ts';
import { type Axis, callSegments, computingGaps, type Segment, spanOf } from './times.ts';
import { useTraceModel } from './trace-context.ts';

export interface TimelineBarProps {
  readonly node: TraceNode;
  readonly axis: Axis;
  /** Epoch ms, for what goes on. */
  readonly now: number;
}

/** The row on the shared axis. A picture only: the row's name says the same in words. */
export function TimelineBar({ node, axis, now }: TimelineBarProps): ReactElement {
  return (
    <span className="cm-timeline-bar" aria-hidden="true" data-ruler={node.kind === 'run' || undefined} style={grid(axis)}>
      {node.kind === 'run' ? (
        <>
          <Ruler axis={axis} />
          <RunGaps run={node.run} axis={axis} now={now} />
        </>
      ) : (
        <Segments axis={axis} segments={segmentsOf(node, now)} />
      )}
      {(node.kind === 'console' || node.kind === 'emit') && (
        <span className="cm-mark" style={{ insetInlineStart: percent(node.item.time - axis.from, axis) }} />
      )}
    </span>
  );
}

/** The lines of the ruler go through all rows of the run. */
const grid = (axis: Axis): React.CSSProperties =>
  ({ '--cm-tick': percent(tickStep(axis.to - axis.from), axis) }) as React.CSSProperties;

/** A mark further along than this share has no room for its words. */
const LAST_WORDS = 0.92;

/** Time since the run was queued, over its own row. */
function Ruler({ axis }: { readonly axis: Axis }): ReactElement {
  const { format } = useTraceModel();
  const span = axis.to - axis.from;
  return (
    <>
      {ticksOf(span).map(
        (ms) =>
          ms < span * LAST_WORDS && (
            <span key={ms} className="cm-tick" style={{ insetInlineStart: percent(ms, axis) }}>
              <bdi>{format.duration(ms)}</bdi>
            </span>
          ),
      )}
    </>
  );
}

function RunGaps({ run, axis, now }: { readonly run: RunView; readonly axis: Axis; readonly now: number }): ReactElement {
  return <Segments axis={axis} segments={computingGaps(run, now)} />;
}

/** A segment narrower than this share of the axis carries no words. */
const WORDS_FROM = 0.16;

function Segments({ axis, segments }: { readonly axis: Axis; readonly segments: readonly Segment[] }): ReactElement {
  const { labels } = useTraceModel();
  const share = ({ from, to }: Segment): number => (Math.min(to, axis.to) - Math.max(from, axis.from)) / (axis.to - axis.from);
  const place = (segment: Segment): React.CSSProperties => ({
    insetInlineStart: percent(Math.max(0, segment.from - axis.from), axis),
    inlineSize: `${100 * Math.max(0, share(segment))}%`,
  });
  return (
    <>
      {segments.map((segment) => (
        <span key={`${segment.kind}${segment.from}`} className="cm-segment" data-segment={segment.kind} style={place(segment)}>
          {(segment.kind === 'computing' || segment.kind === 'approval') && share(segment) > WORDS_FROM && (
            <span className="cm-segment-words">{segment.kind === 'computing' ? labels.computing : labels.approval}</span>
          )}
        </span>
      ))}
    </>
  );
}

const percent = (ms: number, axis: Axis): string => `${(100 * ms) / (axis.to - axis.from)}%`;

function segmentsOf(node: TraceNode, now: number): Segment[] {
  switch (node.kind) {
    case 'call':
      return callSegments(node.call, now);
    case 'plan':
      return [{ kind: 'approval', from: node.plan.requestedAt, to: node.plan.decidedAt ?? now }];
    case 'group':
    case 'fold':
      return [{ kind: 'queue', ...spanOf(node.calls, now) }];
    default:
      return [];
  }
}
