/** What happened in the guest since the host last asked. Kept as text: appending to it looks nothing up. */
import { indexOf, NativeError, quote, slice, trunc } from './primordials.ts';

let output = '';
let calls = '';
let timers = '';
let cleared = '';
let positional = '';
let outputBody = '';
let callBody = '';
let end = '';
let outputUnits = 0;
let maxOutputUnits = 0;

/** Forgets what an earlier run left behind. */
export function resetReport(maxOutputBytes: number): void {
  output = calls = timers = cleared = positional = outputBody = callBody = end = '';
  outputUnits = 0;
  maxOutputUnits = maxOutputBytes;
}

/** Line and column (code points) of the program's innermost frame, as `line,column`; `0,0` outside of the program. */
export function here(): string {
  return siteOf(new NativeError().stack);
}

/** The first position of the program in an engine's stack text. */
export function siteOf(stack: unknown): string {
  if (typeof stack !== 'string') return '0,0';
  const at = indexOf(stack, 'program.js:');
  if (at < 0) return '0,0';
  const colon = indexOf(stack, ':', at + 11);
  const close = indexOf(stack, ')', colon);
  return `${digits(slice(stack, at + 11, colon))},${digits(slice(stack, colon + 1, close))}`;
}

/** A function may be named like a position: only numbers get into the report. */
function digits(text: string): number {
  const value = trunc(+text);
  return value > 0 && value < 1e9 ? value : 0;
}

/**
 * Adds a console line or an emitted value. Its UTF-8 length is at least its length here, so what is dropped here would
 * be dropped by the host, which counts bytes; one text above the limit is kept, for the host to see it.
 */
export function addOutput(level: number, text: string, site: string): void {
  if (outputUnits > maxOutputUnits) return;
  outputUnits += text.length;
  // Unpaired surrogates and NUL do not cross as they are.
  const safe = level < 5 ? quote(text.length > maxOutputUnits + 4 ? slice(text, 0, maxOutputUnits + 4) : text) : text;
  output += `${output && ','}[${level},${safe.length},${site}]`;
  outputBody += safe;
}

/** @param kind 0 tool, 1 unknown tool, 2 search, 3 describe */
export function addCall(
  id: number,
  kind: number,
  index: number,
  name: string,
  site: string,
  input: string,
  intent: string,
): void {
  calls += `${calls && ','}[${id},${kind},${index},${quote(name)},${site},${input.length},${intent.length}]`;
  callBody += input + intent;
}
export function addTimer(id: number, delay: number): void {
  timers += `${timers && ','}[${id},${delay}]`;
}

export function addCleared(id: number): void {
  cleared += `${cleared && ','}${id}`;
}

export function addPositional(id: number, field: string): void {
  positional += `${positional && ','}[${id},${quote(field)}]`;
}

/** The end of the program. `facts` is the JSON of `ReportedEnd` without its closing brace. */
export function addEnd(facts: string): void {
  end = facts;
}

/** What `collect` gives; '' when nothing happened. The program's value is the last text of the body. */
export function takeReport(value: string): string {
  if (!(output || calls || timers || cleared || positional || end)) return '';
  const tail = end && `,"end":${end}`;
  const report = `{"output":[${output}],"calls":[${calls}],"timers":[${timers}],"cleared":[${cleared}],"positional":[${positional}]${tail}}\n${outputBody}${callBody}${value}`;
  output = calls = timers = cleared = positional = outputBody = callBody = end = '';
  return report;
}
