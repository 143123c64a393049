/** The calls of a failed run for the model: what was done, so that a second program does not do it twice. */
import type { CallSummary } from './types.ts';

/** More calls than this are counted by tool and fate instead of listed. */
const MAX_LISTED = 30;
const MAX_MESSAGE = 200;

/** One line per call in submission order, under a heading; nothing when there were none. */
export function callLines(calls: readonly CallSummary[]): string[] {
  if (calls.length === 0) return ['No tool was called.'];
  if (calls.length <= MAX_LISTED) return ['Calls, in the order they were submitted:', ...calls.map(callLine)];
  return [`${calls.length} calls, by tool and fate:`, ...grouped(calls)];
}

function callLine(call: CallSummary): string {
  const { error, status } = call;
  // A denial without a reason has its own name as message.
  const message = error && status !== 'succeeded' && error.message !== status ? `: ${cut(error.message)}` : '';
  return `${call.ordinal}. ${cut(call.tool)}: ${fateOf(call)}${message}`;
}

function grouped(calls: readonly CallSummary[]): string[] {
  const groups = new Map<string, number[]>();
  for (const call of calls) {
    const key = `${cut(call.tool)}: ${fateOf(call)}`;
    const group = groups.get(key);
    if (group) group.push(call.ordinal);
    else groups.set(key, [call.ordinal]);
  }
  return [...groups].map(
    ([key, ordinals]) => `- ${key} (${ordinals.length} ${ordinals.length === 1 ? 'call' : 'calls'}: ${ranges(ordinals)})`,
  );
}

/** What became of a call, as an instruction. */
export function fateOf({ status, mayHaveApplied, readOnly, simulated }: CallSummary): string {
  if (simulated) return 'only simulated, nothing was done';
  // What a read returned is gone with its program; forbidding it again would leave the next one without data.
  if (status === 'succeeded' || status === 'replayed')
    return readOnly ? 'succeeded, only read; repeat it if you need it' : 'succeeded, do not repeat';
  if (status === 'denied') return 'denied, not run';
  if (mayHaveApplied) return `${status === 'failed' ? 'failed' : 'stopped'}, may have applied a part; check before you repeat it`;
  return status === 'failed' ? 'failed, nothing was changed' : 'not run';
}

/** `1-40, 45`. */
function ranges(ordinals: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < ordinals.length; ) {
    let end = i;
    while (ordinals[end + 1] === (ordinals[end] ?? 0) + 1) end++;
    parts.push(end > i ? `${ordinals[i]}-${ordinals[end]}` : String(ordinals[i]));
    i = end + 1;
  }
  return parts.length > 12 ? `${parts.slice(0, 12).join(', ')} …` : parts.join(', ');
}

function cut(message: string): string {
  const line = message.replace(/\s+/g, ' ');
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}
