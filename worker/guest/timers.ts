/** Timers and microtasks. The host keeps the time and says which timer is due; the callbacks stay here. */
import { MAX_TIMERS } from '../../src/protocol/wire.ts';
import { addStray } from './calls.ts';
import {
  apply,
  define,
  mapDelete,
  mapGet,
  mapSet,
  NativeMap,
  NativePromise,
  NativeRangeError,
  NativeTypeError,
  promiseThen,
  trunc,
} from './primordials.ts';
import { addCleared, addTimer } from './report.ts';

interface Timer {
  readonly callback: (...args: unknown[]) => unknown;
  readonly args: readonly unknown[];
  readonly delay: number;
  readonly repeats: boolean;
}

const LONGEST = 2 ** 31 - 1;
let timers = new NativeMap<number, Timer>();
let lastTimer = 0;
let spent = 0;

export function resetTimers(): void {
  timers = new NativeMap();
  lastTimer = spent = 0;
}

function count(): void {
  if (++spent > MAX_TIMERS)
    throw new NativeRangeError(
      `A program may set at most ${MAX_TIMERS} timers, ticks of intervals included. Wait longer, less often.`,
    );
}

function add(callback: unknown, delay: unknown, args: readonly unknown[], repeats: boolean): number {
  if (typeof callback !== 'function') throw new NativeTypeError('a timer needs a function to call');
  const wanted = trunc(+(delay as number));
  const ms = wanted > 0 ? (wanted < LONGEST ? wanted : LONGEST) : 0;
  count();
  const id = ++lastTimer;
  mapSet(timers, id, { callback: callback as Timer['callback'], args, delay: repeats && ms < 1 ? 1 : ms, repeats });
  addTimer(id, ms);
  return id;
}

function clear(id: unknown): void {
  if (typeof id === 'number' && mapDelete(timers, id)) addCleared(id);
}

/** @returns false when the timer was cleared meanwhile */
export function fire(id: number): boolean {
  const timer = mapGet(timers, id) as Timer | undefined;
  if (timer === undefined) return false;
  mapDelete(timers, id);
  try {
    if (timer.repeats) {
      count();
      mapSet(timers, id, timer);
      addTimer(id, timer.delay);
    }
    apply(timer.callback, undefined, timer.args);
  } catch (error) {
    addStray('A timer’s callback threw', error);
  }
  return true;
}

function queueMicrotask(callback: unknown): void {
  if (typeof callback !== 'function') throw new NativeTypeError('queueMicrotask needs a function to call');
  const done = new NativePromise<void>((resolve) => resolve());
  void promiseThen(done, () => {
    try {
      apply(callback as () => unknown, undefined, []);
    } catch (error) {
      addStray('A microtask threw', error);
    }
  });
}

export function installTimers(): void {
  define(globalThis, 'setTimeout', (callback: unknown, delay: unknown, ...args: unknown[]) => add(callback, delay, args, false));
  define(globalThis, 'setInterval', (callback: unknown, delay: unknown, ...args: unknown[]) => add(callback, delay, args, true));
  define(globalThis, 'setImmediate', (callback: unknown, ...args: unknown[]) => add(callback, 0, args, false));
  define(globalThis, 'clearTimeout', clear);
  define(globalThis, 'clearInterval', clear);
  define(globalThis, 'clearImmediate', clear);
  define(globalThis, 'queueMicrotask', queueMicrotask);
}
