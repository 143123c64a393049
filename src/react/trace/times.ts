import type { CallView, RunView } from '../../store/state.ts';
import { blocksOf, isCall, perBlock } from './blocks.ts';

/** Where a call's time went, ms. They add up to `total`. */
export interface CallTimes {
  readonly total: number;
  readonly queue: number;
  readonly approval: number;
  readonly handler: number;
  /** From the end until the program had it. */
  readonly transfer: number;
}

/** @param now epoch ms, for what is not over */
export function callTimes(call: CallView, now: number): CallTimes {
  const end = call.endedAt ?? Math.max(now, call.requestedAt);
  const total = Math.max(0, end - call.requestedAt);
  const asked = call.approval;
  const approval = asked ? Math.max(0, (asked.decidedAt ?? end) - asked.requestedAt) : 0;
  const handler = call.startedAt === undefined ? 0 : Math.max(0, end - call.startedAt);
  const transfer = Math.max(0, (call.deliveredAt ?? end) - end);
  return { total: total + transfer, approval, handler, transfer, queue: Math.max(0, total - approval - handler) };
}

export interface Segment {
  readonly kind: 'queue' | 'approval' | 'handler' | 'transfer' | 'computing';
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
  if (call.deliveredAt !== undefined) add('transfer', end, call.deliveredAt);
  return segments;
}

/** Gaps below this share of the run are left out: between fast calls they would be a row of splinters. */
const LEAST_GAP = 0.005;

/** Stretches of a run in which no call was open: the program computed (or waited for a timer). */
export function computingGaps(run: RunView, now: number): Segment[] {
  const start = run.startedAt;
  if (start === undefined) return [];
  const end = run.endedAt ?? now;
  const { over, open } = workOf(run);
  const busy = over.flatMap((work) => work.busy).concat(open.map(({ requestedAt }) => [requestedAt, end]));
  const gaps: Segment[] = [];
  let at = start;
  for (const [from, to] of busy.sort((a, b) => a[0] - b[0])) {
    if (from > at) gaps.push({ kind: 'computing', from: at, to: from });
    at = Math.max(at, to);
  }
  if (end > at) gaps.push({ kind: 'computing', from: at, to: end });
  const least = (end - start) * LEAST_GAP;
  return gaps.filter((gap) => gap.to - gap.from >= least);
}

/** From the first request to the last end. */
export function spanOf(calls: readonly CallView[], now: number): Axis {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const { requestedAt, endedAt } of calls) {
    from = Math.min(from, requestedAt);
    to = Math.max(to, endedAt ?? now);
  }
  return { from, to };
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

/** Where a run's time went, ms. Each moment counts once; together they are the run's time. */
export interface RunTimes {
  /** Before it started. */
  readonly queued: number;
  /** At least one handler worked. */
  readonly tools: number;
  /** No handler worked, and somebody was asked. */
  readonly people: number;
  /** The rest: the program computed, or waited for a timer. */
  readonly program: number;
}

/** @param now epoch ms, for what is not over */
export function runTimes(run: RunView, now: number): RunTimes {
  const begin = run.startedAt ?? run.endedAt ?? Math.max(now, run.queuedAt);
  const end = Math.max(begin, run.endedAt ?? now);
  const { over, open } = workOf(run);
  const working = over.flatMap((work) => work.working);
  const asking = over.flatMap((work) => work.asking);
  if (run.plan) asking.push([run.plan.requestedAt, run.plan.decidedAt ?? end]);
  for (const { startedAt, approval } of open) {
    if (startedAt !== undefined) working.push([startedAt, end]);
    if (approval) asking.push([approval.requestedAt, approval.decidedAt ?? end]);
  }
  const tools = covered(working, begin, end);
  const people = asking.length === 0 ? 0 : covered([...working, ...asking], begin, end) - tools;
  return { queued: begin - run.queuedAt, tools, people, program: Math.max(0, end - begin - tools - people) };
}

type Stretch = readonly [from: number, to: number];

/** What the calls of a block that are over come to, and those that are not. */
interface Work {
  readonly bytes: number;
  /** A call was open. */
  readonly busy: readonly Stretch[];
  /** A handler worked. */
  readonly working: readonly Stretch[];
  /** Somebody was asked. */
  readonly asking: readonly Stretch[];
  readonly open: readonly CallView[];
}

/** Once per block: of a run of ten thousand calls that goes on only the last few are looked at again. */
const workIn = perBlock(({ entries }): Work => {
  const busy: Stretch[] = [];
  const working: Stretch[] = [];
  const asking: Stretch[] = [];
  const open: CallView[] = [];
  let bytes = 0;
  for (const call of entries) {
    if (!isCall(call)) continue;
    const { requestedAt, startedAt, endedAt, approval, outputBytes = 0 } = call;
    bytes += outputBytes;
    if (endedAt === undefined) {
      open.push(call);
      continue;
    }
    join(busy, requestedAt, endedAt);
    if (startedAt !== undefined) join(working, startedAt, endedAt);
    if (approval) asking.push([approval.requestedAt, approval.decidedAt ?? endedAt]);
  }
  return { bytes, busy, working, asking, open };
});

function workOf(run: RunView): { readonly over: readonly Work[]; readonly open: readonly CallView[] } {
  const over = blocksOf(run).map(workIn);
  return { over, open: over.flatMap((work) => work.open) };
}

/** Calls of a run that are not over. */
export const openCalls = (run: RunView): readonly CallView[] => workOf(run).open;

/** Ten thousand calls one after another are few stretches, if any gap at all: what touches the last one makes it longer. */
function join(stretches: Stretch[], from: number, to: number): void {
  const last = stretches.at(-1);
  if (last && from >= last[0] && from <= last[1]) stretches[stretches.length - 1] = [last[0], Math.max(last[1], to)];
  else stretches.push([from, to]);
}

/** How much of an axis the stretches cover together. */
function covered(stretches: Stretch[], begin: number, end: number): number {
  let sum = 0;
  let at = begin;
  for (const [from, to] of stretches.sort((a, b) => a[0] - b[0])) {
    const until = Math.min(to, end);
    if (until <= at) continue;
    sum += until - Math.max(at, from);
    at = until;
  }
  return sum;
}

/** Bytes that tools returned and the model does not get, because only the program's value goes to it. Measured. */
export function bytesKeptOut(run: RunView): number {
  const all = workOf(run).over.reduce((sum, { bytes }) => sum + bytes, 0);
  const value = run.value === undefined ? 0 : 'inline' in run.value ? run.value.inline.length : run.value.bytes;
  return Math.max(0, all - value);
}
