import type { CallView, RunView } from '../../store/state.ts';

/** Where a call's time went, ms. They add up to `total`. */
export interface CallTimes {
  readonly total: number;
  readonly queue: number;
  readonly approval: number;
  readonly handler: number;
}

/** @param now epoch ms, for what is not over */
export function callTimes(call: CallView, now: number): CallTimes {
  const end = call.endedAt ?? Math.max(now, call.requestedAt);
  const total = Math.max(0, end - call.requestedAt);
  const asked = call.approval;
  const approval = asked ? Math.max(0, (asked.decidedAt ?? end) - asked.requestedAt) : 0;
  const handler = call.startedAt === undefined ? 0 : Math.max(0, end - call.startedAt);
  return { total, approval, handler, queue: Math.max(0, total - approval - handler) };
}

export interface Segment {
  readonly kind: 'queue' | 'approval' | 'handler' | 'computing';
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
}

/** A call's stretches on the axis, in order. */
export function callSegments(call: CallView, now: number): Segment[] {
  const end = call.endedAt ?? Math.max(now, call.requestedAt);
  const asked = call.approval;
  const segments: Segment[] = [];
  const add = (kind: Segment['kind'], from: number, to: number): void => {
    if (to > from) segments.push({ kind, from, to });
  };
  if (asked) {
    const decided = asked.decidedAt ?? end;
    add('queue', call.requestedAt, asked.requestedAt);
    add('approval', asked.requestedAt, decided);
    add('queue', decided, call.startedAt ?? end);
  } else add('queue', call.requestedAt, call.startedAt ?? end);
  if (call.startedAt !== undefined) add('handler', call.startedAt, end);
  return segments;
}

/** Gaps below this share of the run are left out: between fast calls they would be a row of splinters. */
const LEAST_GAP = 0.005;

/** Stretches of a run in which no call was open: the program computed (or waited for a timer). */
export function computingGaps(run: RunView, now: number): Segment[] {
  const start = run.startedAt;
  if (start === undefined) return [];
  const end = run.endedAt ?? now;
  const busy = run.calls.map((call) => [call.requestedAt, call.endedAt ?? end] as const).sort((a, b) => a[0] - b[0]);
  const gaps: Segment[] = [];
  let at = start;
  for (const [from, to] of busy) {
    if (from > at) gaps.push({ kind: 'computing', from: at, to: from });
    at = Math.max(at, to);
  }
  if (end > at) gaps.push({ kind: 'computing', from: at, to: end });
  const least = (end - start) * LEAST_GAP;
  return gaps.filter((gap) => gap.to - gap.from >= least);
}

export interface Axis {
  readonly from: number;
  readonly to: number;
}

export function runAxis(run: RunView, now: number): Axis {
  const from = run.queuedAt;
  return { from, to: Math.max(from + 1, run.endedAt ?? now) };
}

/** Milliseconds a run took so far. */
export function runDuration(run: RunView, now: number): number {
  return Math.max(0, (run.endedAt ?? now) - (run.startedAt ?? run.queuedAt));
}

/** Bytes that tools returned and the model does not get, because only the program's value goes to it. Measured. */
export function bytesKeptOut(run: RunView): number {
  let all = 0;
  for (const call of run.calls) all += call.outputBytes ?? 0;
  const value = run.value === undefined ? 0 : 'inline' in run.value ? run.value.inline.length : run.value.bytes;
  return Math.max(0, all - value);
}
