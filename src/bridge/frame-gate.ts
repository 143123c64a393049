import {
  type CallKind,
  type Delivery,
  type Frame,
  MAX_OUTPUT_ITEMS,
  MAX_PREFLIGHT_CHARS,
  MAX_TIMERS,
  type OutputLevel,
  PREFLIGHT_ID,
  type WireCall,
  type WireOutput,
  type WorkerLimits,
} from '../protocol/wire.ts';
import { unpackFrame } from '../protocol/packing.ts';
import { clip, isAmount, isFields, isListOf, isSite, isString, isText, isWhole } from './guards.ts';

// Names and reasons inform a person. A program may write longer ones; the end is cut off, which no known tool's name survives.
const MAX_NAME_CHARS = 1_024;
const MAX_INTENT_CHARS = 16_384;
// Only a program's first wait can be without anything to tell; the rest is somebody who wants to keep the page busy.
const MAX_EMPTY_FRAMES = 100;
// One drain is cut into slices of 8 ms, in which the sandbox delivers some thousand.
const MAX_DELIVERED = 20_000;
// Timers of the platform take no more, and fire at once instead.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
// One entry a millisecond of computing: a program that looks at the clock for its whole budget.
const MAX_CLOCK_READS = 100_000;

/** A frame that may pass, made of nothing but what was looked at, or the reason why not. */
export type GateVerdict = { readonly ok: true; readonly frame: Frame } | { readonly ok: false; readonly why: string };

/** Remembers what one run has sent and lets the next frame pass only when it follows from that. */
export interface FrameGate {
  check(message: unknown): GateVerdict;
  /** Frames that passed. */
  readonly frames: number;
}

/**
 * The guard of one run: sizes, counts and sequence, all from the page's own limits.
 * @param preflight the first frame may carry the question whether to run the program
 */
export function createFrameGate(runId: string, limits: WorkerLimits, preflight = false): FrameGate {
  let frames = 0;
  let lastCall = 0;
  let outputChars = 0;
  let outputItems = 0;
  let empty = 0;
  // Every call once, the question before the program, and timers as the sandbox counts them.
  const mostDelivered = limits.maxCalls + 1 + MAX_TIMERS;
  let delivered = 0;
  let clockReads = 0;
  const most = {
    output: MAX_OUTPUT_ITEMS,
    delivered: MAX_DELIVERED,
    clock: Math.max(MAX_CLOCK_READS, limits.timeoutMs),
    calls: Math.max(1, limits.maxCalls),
  };

  function isCall(value: unknown): value is WireCall {
    return (
      isFields(value) &&
      isWhole(value.id, 1, limits.maxCalls) &&
      isCallKind(value.kind) &&
      isString(value.tool) &&
      isText(value.input, limits.maxInputBytes) &&
      (value.intent === undefined || isString(value.intent)) &&
      isSite(value.site)
    );
  }

  function isOutput(value: unknown): value is WireOutput {
    if (!isFields(value) || !isSite(value.site)) return false;
    if (value.kind === 'console') return isLevel(value.level) && isText(value.text, limits.maxOutputBytes);
    return value.kind === 'emit' && isText(value.value, limits.maxOutputBytes);
  }

  function callsFault(list: unknown): string | undefined {
    if (preflight && frames === 0 && isPreflight(list)) return undefined;
    if (!isListOf(list, limits.maxCalls, isCall)) return 'calls';
    return list.some((call, index) => call.id !== lastCall + index + 1) ? 'calls.id' : undefined;
  }

  /** What is wrong with the shape; sequence and sums come after. */
  function fault(value: Frame): string | undefined {
    if (value.runId !== runId) return 'runId';
    if (value.seq !== frames + 1) return 'seq';
    if (!isListOf(value.output, most.output, isOutput)) return 'output';
    if (!isListOf(value.delivered, most.delivered, isDelivery)) return 'delivered';
    if (!isListOf(value.clock, most.clock, isClockRead)) return 'clock';
    const calls = callsFault(value.calls);
    if (calls !== undefined) return calls;
    if (!isAmount(value.computeMs)) return 'computeMs';
    if (!isAmount(value.memoryBytes)) return 'memoryBytes';
    if (typeof value.quiescent !== 'boolean') return 'quiescent';
    if (value.nextTimerMs !== undefined && !isAmount(value.nextTimerMs)) return 'nextTimerMs';
    return undefined;
  }

  return {
    check(message) {
      const frame = unpackFrame(message, most);
      if (frame === undefined) return { ok: false, why: 'no frame' };
      const why = fault(frame);
      if (why !== undefined) return { ok: false, why };
      // The sandbox counts bytes and cuts at the limit; a text has at least as many bytes as characters.
      outputItems += frame.output.length;
      for (const item of frame.output) outputChars += item.kind === 'console' ? item.text.length : item.value.length;
      if (outputChars > limits.maxOutputBytes || outputItems > MAX_OUTPUT_ITEMS) return { ok: false, why: 'output' };
      delivered += frame.delivered.length;
      if (delivered > mostDelivered) return { ok: false, why: 'delivered' };
      clockReads += frame.clock.length;
      if (clockReads > mostDelivered + limits.timeoutMs + MAX_CLOCK_READS) return { ok: false, why: 'clock' };
      if (isEmpty(frame) && ++empty > MAX_EMPTY_FRAMES) return { ok: false, why: 'empty' };
      frames++;
      lastCall = frame.calls.at(-1)?.id ?? lastCall;
      return { ok: true, frame: shortened(frame) };
    },
    get frames() {
      return frames;
    },
  };
}

function isEmpty({ output, delivered, clock, calls }: Frame): boolean {
  return output.length + delivered.length + clock.length + calls.length === 0;
}

/** What a program can ask for. */
function isCallKind(value: unknown): value is CallKind {
  return value === 'tool' || value === 'search' || value === 'describe' || value === 'result';
}

/** The question whether to run the program, and nothing else. */
function isPreflight(list: unknown): boolean {
  if (!Array.isArray(list) || list.length !== 1 || !isFields(list[0])) return false;
  const { id, kind, tool, input, site, intent } = list[0];
  const bare = tool === '' && site === undefined && intent === undefined;
  return id === PREFLIGHT_ID && kind === 'preflight' && bare && isText(input, MAX_PREFLIGHT_CHARS);
}

function isLevel(value: unknown): value is OutputLevel {
  return value === 'debug' || value === 'log' || value === 'info' || value === 'warn' || value === 'error';
}

function isDelivery(value: unknown): value is Delivery {
  return isFields(value) && (value.kind === 'call' || value.kind === 'timer') && isWhole(value.id, 0, Number.MAX_SAFE_INTEGER);
}

function isClockRead(value: unknown): value is readonly [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  return isWhole(value[0], 0, Number.MAX_SAFE_INTEGER) && isWhole(value[1], 1, Number.MAX_SAFE_INTEGER);
}

/** Without the ends of texts that only inform. */
function shortened(frame: Frame): Frame {
  const { calls, nextTimerMs } = frame;
  const isShort = calls.every(({ tool, intent = '' }) => tool.length <= MAX_NAME_CHARS && intent.length <= MAX_INTENT_CHARS);
  if (isShort && (nextTimerMs ?? 0) <= LONGEST_TIMER_MS) return frame;
  return {
    ...frame,
    calls: calls.map((call) => ({
      ...call,
      tool: clip(call.tool, MAX_NAME_CHARS),
      ...(call.intent !== undefined && { intent: clip(call.intent, MAX_INTENT_CHARS) }),
    })),
    ...(nextTimerMs !== undefined && { nextTimerMs: Math.min(nextTimerMs, LONGEST_TIMER_MS) }),
  };
}
