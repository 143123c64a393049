/** `Date` and `performance.now` in whole milliseconds of the host's clock: every reading is recorded, for replays. */
import { now } from './host.ts';
import { construct, define, NativeDate } from './primordials.ts';

let start = 0;

/** `performance.now` counts from its first use in a run. */
export function resetClock(): void {
  start = 0;
}

export function installClock(): void {
  const { prototype, parse, UTC } = NativeDate;
  const made = function Date(this: unknown, ...args: unknown[]) {
    if (new.target === undefined) return (construct(NativeDate, [now()]) as Date).toString();
    return construct(NativeDate, args.length === 0 ? [now()] : args, new.target === made ? NativeDate : new.target);
  };
  define(made, 'name', 'Date');
  define(made, 'length', 7);
  made.prototype = prototype;
  define(made, 'now', () => now());
  define(made, 'parse', parse);
  define(made, 'UTC', UTC);
  define(prototype, 'constructor', made);
  define(globalThis, 'Date', made);
  define(globalThis, 'performance', { now: elapsed, timeOrigin: 0, mark() {}, measure() {} });
}

function elapsed(): number {
  const at = now();
  if (start === 0) start = at;
  return at - start;
}
