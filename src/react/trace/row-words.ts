import type { Labels } from '../labels.ts';
import type { Format } from '../text/format.ts';
import { visibleText } from '../text/visible-text.ts';
import { lineOf, type TraceNode } from './nodes.ts';
import type { TraceRow } from './row-list.ts';
import { callTimes, runDuration, spanOf } from './times.ts';

/** Milliseconds a row took, if that means something for it. */
export function durationOf(node: TraceNode, now: number): number | undefined {
  switch (node.kind) {
    case 'run':
      return runDuration(node.run, now);
    case 'call':
      return callTimes(node.call, now).total;
    case 'group':
    case 'fold': {
      const { from, to } = spanOf(node.calls, now);
      return Math.max(0, to - from);
    }
    case 'plan':
      return Math.max(0, (node.plan.decidedAt ?? now) - node.plan.requestedAt);
    default:
      return undefined;
  }
}

/** First words of a row: the tool, the group, the kind of line. */
export function rowTitle(node: TraceNode, labels: Labels): string {
  switch (node.kind) {
    case 'run':
      return node.run.title ?? labels.untitledRun;
    case 'plan':
      return labels.plan;
    case 'dropped':
      return labels.dropped(node.count);
    case 'group':
      return labels.parallel(node.calls.length);
    case 'fold':
      return `${node.calls[0]!.tool} ${labels.times(node.calls.length)}`;
    case 'call':
      return node.call.tool;
    case 'console':
      return labels.console;
    case 'emit':
      return labels.emitted;
    case 'warning':
      return labels.warning;
    case 'error':
      return labels.error;
    case 'cancelled':
      return labels.runStatus.cancelled;
    case 'result':
      return labels.result;
  }
}

/** The status in a word, where a row has one. */
export function statusWord(node: TraceNode, labels: Labels): string | undefined {
  if (node.kind === 'plan') return labels.planState[node.plan.decision ?? 'waiting'];
  if (node.kind === 'run') return labels.runStatus[node.run.status];
  if (node.kind === 'call') {
    const { status, simulated, undoneBy } = node.call;
    if (status === 'succeeded' && simulated) return labels.simulated;
    return status === 'succeeded' && undoneBy !== undefined ? labels.takenBack : labels.callStatus[status];
  }
  return undefined;
}

/** The whole row in words, for its accessible name. */
export function rowName(row: TraceRow, details: string, labels: Labels, format: Format, now: number): string {
  const { node } = row;
  const line = lineOf(node);
  const duration = durationOf(node, now);
  const parts = [
    rowTitle(node, labels),
    statusWord(node, labels),
    details,
    row.failures > 0 && row.expandable ? labels.failedInside(row.failures) : undefined,
    line === undefined ? undefined : labels.line(line),
    duration === undefined ? undefined : format.duration(duration),
  ];
  return parts
    .filter((part) => part !== undefined && part !== '')
    .map((part) => visibleText(part!))
    .join(', ');
}
