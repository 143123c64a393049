/** Results of earlier programs of a session, which a later one loads by the name that stood in a shortened text. */
import type { Journal } from '../journal/journal.ts';
import { decode } from '../protocol/codec.ts';
import type { Limits } from '../protocol/limits.ts';
import { utf8Length } from '../protocol/utf8.ts';
import type { WireCall, WireReply } from '../protocol/wire.ts';
import type { RunView, SessionState } from '../store/state.ts';
import { callError, wireError } from './call-errors.ts';
import { transferError } from './call-failure.ts';

/** Results that can be loaded; the oldest goes first. A conversation comes back to the last few. */
export const MAX_KEPT_RESULTS = 20;

interface Asked {
  readonly state: SessionState;
  readonly journal: Journal;
  readonly limits: Limits;
  /** Counts bytes that cross; false when the run may not have so many. */
  transfer(bytes: number): boolean;
}

/** Answers `codemode.results.load(name)` with the text that the journal keeps. Never rejects. */
export async function answerResult({ state, journal, limits, transfer }: Asked, call: WireCall): Promise<WireReply> {
  const refuse = (message: string): WireReply => ({
    id: call.id,
    ok: false,
    error: wireError(callError('invalid_input', message)),
  });
  const name = textOf(call.input);
  if (name === undefined) return refuse('codemode.results.load takes the name of a result, like codemode.results.load("r1").');
  const kept = keptResults(state);
  const stored = kept.get(name);
  if (!stored) return refuse(`${whyNot(name, state)} ${listed([...kept.keys()])}`);
  try {
    const text = await journal.load(stored);
    if (transfer(utf8Length(text))) return { id: call.id, ok: true, value: text };
    return { id: call.id, ok: false, error: wireError(transferError(limits.maxTransferBytes)) };
  } catch {
    return refuse(`The result ${name} is no longer stored. Compute it again.`);
  }
}

function keptResults(state: SessionState): ReadonlyMap<string, NonNullable<RunView['value']>> {
  const all = state.runOrder.flatMap((id, i) => {
    const value = state.runs[id]?.value;
    return value ? [[`r${state.removedRuns + i + 1}`, value] as const] : [];
  });
  return new Map(all.slice(-MAX_KEPT_RESULTS));
}

function whyNot(name: string, state: SessionState): string {
  const number = /^r\d{1,9}$/.test(name) ? Number(name.slice(1)) : 0;
  if (number > 0 && number <= state.removedRuns) return `The result ${name} is no longer kept. Compute it again.`;
  const run = state.runs[state.runOrder[number - state.removedRuns - 1] ?? ''];
  if (run?.value) return `The result ${name} is no longer kept: only the last ${MAX_KEPT_RESULTS} are. Compute it again.`;
  if (run) return `The program ${name} left no result.`;
  return `There is no result ${JSON.stringify(name.slice(0, 100))}.`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'No result is kept yet.' : `Kept: ${names.join(', ')}.`;
}

function textOf(input: string): string | undefined {
  try {
    const name = decode(input, { maxDepth: 1 });
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
