/** What happened in the guest since the host last asked. Kept as text: appending to it looks nothing up. */
import { MAX_OUTPUT_ITEMS } from '../../src/protocol/wire.ts';
import { bareList, indexOf, join, NativeError, quote, slice } from './primordials.ts';

// Numbers and quoted texts, written by `join`: `JSON.stringify` keeps a stack in an ordinary array for an object, whose setters
// would see it.
let output = bareList<unknown>();
let calls = bareList<unknown>();
let timers = bareList<unknown>();
let cleared = bareList<unknown>();
let positional = bareList<unknown>();
let outputBody = '';
let callBody = '';
let end = '';
let outputUnits = 0;
let maxOutputUnits = 0;
let outputItems = 0;
let count = 0;

/** Forgets what an earlier run left behind. */
export function resetReport(maxOutputBytes: number): void {
  clear();
  outputUnits = outputItems = 0;
  maxOutputUnits = maxOutputBytes;
}

/** Most reports fill one list: an empty one is kept. */
function clear(): void {
  if (output.length > 0) output = bareList<unknown>();
  if (calls.length > 0) calls = bareList<unknown>();
  if (timers.length > 0) timers = bareList<unknown>();
  if (cleared.length > 0) cleared = bareList<unknown>();
  if (positional.length > 0) positional = bareList<unknown>();
  outputBody = callBody = end = '';
  count = 0;
}

let lastStack = '';
let lastSite = '';

/** Position of the program's innermost frame as the engine writes it, `3:14` (code points); '' outside of the program. */
export function here(): string {
  return siteOf(new NativeError().stack);
}

/**
 * The first position of the program in an engine's stack text; a place that was written into the call, as it is. A loop
 * makes the same stack again and again.
 */
export function siteOf(stack: unknown): string {
  if (stack === lastStack) return lastSite;
  if (typeof stack !== 'string') return '';
  if (stack[0] === '0') return stack;
  const at = indexOf(stack, 'program.js:');
  lastSite = at < 0 ? '' : slice(stack, at + 11, indexOf(stack, ')', at));
  lastStack = stack;
  return lastSite;
}

/**
 * Adds a console line or an emitted value. Its UTF-8 length is at least its length here, so what is dropped here would
 * be dropped by the host, which counts bytes; one text above the limit is kept, for the host to see it.
 */
export function addOutput(level: number, text: string, site: string): void {
  // One more than is kept, for the host to see it.
  if (outputUnits > maxOutputUnits || outputItems > MAX_OUTPUT_ITEMS) return;
  outputItems++;
  outputUnits += text.length;
  // Unpaired surrogates and NUL do not cross as they are.
  const safe = level < 5 ? quote(text.length > maxOutputUnits + 4 ? slice(text, 0, maxOutputUnits + 4) : text) : text;
  count++;
  output[output.length] = level;
  output[output.length] = safe.length;
  output[output.length] = quotedSite(site);
  outputBody += safe;
}

/** @param kind 0 tool, 1 unknown tool, 2 search, 3 describe, 4 result */
export function addCall(
  id: number,
  kind: number,
  index: number,
  name: string,
  site: string,
  input: string,
  intent: string,
): void {
  count++;
  const at = calls.length;
  calls[at] = id;
  calls[at + 1] = kind;
  calls[at + 2] = index;
  calls[at + 3] = name === '' ? '""' : quote(name);
  calls[at + 4] = quotedSite(site);
  calls[at + 5] = input.length;
  calls[at + 6] = intent.length;
  callBody += intent === '' ? input : input + intent;
}

export function addTimer(id: number, delay: number): void {
  count++;
  timers[timers.length] = id;
  timers[timers.length] = delay;
}

export function addCleared(id: number): void {
  count++;
  cleared[cleared.length] = id;
}

export function addPositional(id: number, field: string): void {
  count++;
  positional[positional.length] = id;
  positional[positional.length] = quote(field);
}

/** The end of the program: JSON of `ReportedEnd`. */
export function addEnd(facts: string): void {
  count++;
  end = facts;
}

/** What `collect` gives; '' when nothing happened. The program's value is the last text of the body. */
export function takeReport(value: string): string {
  if (count === 0) return '';
  const rest =
    timers.length + cleared.length + positional.length === 0 ? EMPTY : `${json(timers)},${json(cleared)},${json(positional)}`;
  const report = `[${json(output)},${json(calls)},${rest}${end && `,${end}`}]\n${outputBody}${callBody}${value}`;
  clear();
  return report;
}

const EMPTY = '[],[],[]';

function json(items: readonly unknown[]): string {
  return items.length === 0 ? '[]' : `[${join(items, ',')}]`;
}

let quoted = '';
let quotedText = '""';

function quotedSite(site: string): string {
  if (site !== quoted) {
    quoted = site;
    quotedText = quote(site);
  }
  return quotedText;
}
