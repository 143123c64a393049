'use client';
import type { ReactElement } from 'react';
import type React from 'react';
import type { TraceNode } from './nodes.ts';
import { type Axis, callSegments, computingGaps, type Segment } from './times.ts';
import { useTraceModel } from './trace-context.ts';
import { useSelected } from '../use-selected.ts';
import type { SessionState } from '../../store/state.ts';

export interface TimelineBarProps {
  readonly node: TraceNode;
  readonly axis: Axis;
  readonly now: number;
}

const callsOf = (state: SessionState): SessionState['calls'] => state.calls;
/** A gap narrower than this share of the axis carries no words. */
const WORDS_FROM = 0.16;

/** The row on the shared axis. A picture only: the row's name says the same in words. */
export function TimelineBar({ node, axis, now }: TimelineBarProps): ReactElement {
  const { session, labels } = useTraceModel();
  const calls = useSelected(session, callsOf, Object.is);
  const span = axis.to - axis.from;
  const place = ({ from, to }: { from: number; to: number }): React.CSSProperties => ({
    insetInlineStart: `${(100 * Math.max(0, from - axis.from)) / span}%`,
    inlineSize: `${(100 * Math.max(0, Math.min(to, axis.to) - Math.max(from, axis.from))) / span}%`,
  });
  return (
    <span className="cm-timeline-bar" aria-hidden="true">
      {segmentsOf(node, calls, now).map((segment) => (
        <span key={`${segment.kind}${segment.from}`} className="cm-segment" data-segment={segment.kind} style={place(segment)}>
          {segment.kind === 'computing' && (segment.to - segment.from) / span > WORDS_FROM && (
            <span className="cm-segment-words">{labels.computing}</span>
          )}
        </span>
      ))}
      {(node.kind === 'console' || node.kind === 'emit') && (
        <span className="cm-mark" style={{ insetInlineStart: `${(100 * (node.item.time - axis.from)) / span}%` }} />
      )}
    </span>
  );
}

function segmentsOf(node: TraceNode, calls: SessionState['calls'], now: number): Segment[] {
  switch (node.kind) {
    case 'run':
      return computingGaps(node.run, calls, now);
    case 'call':
      return callSegments(node.call, now);
    case 'group':
    case 'fold': {
      const from = Math.min(...node.calls.map((call) => call.requestedAt));
      return [{ kind: 'queue', from, to: Math.max(...node.calls.map((call) => call.endedAt ?? now)) }];
    }
    default:
      return [];
  }
}
