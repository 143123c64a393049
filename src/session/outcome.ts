import type { StoredValue } from '../journal/events.ts';
import type { Journal } from '../journal/journal.ts';
import { decode } from '../protocol/codec.ts';
import type { EncodedText, RunStats } from '../protocol/wire.ts';
import type { RunView, SessionState } from '../store/state.ts';
import { callSummary } from './call-summary.ts';
import type { CallSummary, OutputItem, RunOutcome } from './types.ts';

const UNREADABLE = '[not readable]';
const NO_STATS: RunStats = { computeMs: 0, peakMemoryBytes: 0, calls: 0, transferBytes: 0 };

/** A fresh copy of a stored value. */
export async function readStored(journal: Journal, value: StoredValue): Promise<unknown> {
  return decode(await journal.load(value));
}

/** A value that was readable; in an object, so that `undefined` is one too. */
export interface Decoded {
  readonly value: unknown;
}

/** Decodes text of a worker, which may be anything; nothing when it is not readable within `maxDepth`. */
export function decodeSafely(text: EncodedText, maxDepth: number): Decoded | undefined {
  try {
    return { value: decode(text, { maxDepth }) };
  } catch {
    return undefined;
  }
}

/**
 * What a finished run resolves to, told from the read model.
 * `decoded`: the run's value, if somebody decoded the stored text already and kept it for nobody else.
 */
export async function outcomeOf(state: SessionState, runId: string, journal: Journal, decoded?: Decoded): Promise<RunOutcome> {
  const run = state.runs[runId];
  if (!run) throw new Error(`run ${runId} is not in the journal`);
  const parts = { output: await outputOf(run, journal), warnings: run.warnings, stats: run.stats ?? NO_STATS };
  if (run.status === 'completed') {
    const value = decoded ? decoded.value : run.value && (await readStored(journal, run.value));
    return withCalls({ ...parts, status: 'completed', value }, run);
  }
  if (run.status === 'failed' && run.error) return withCalls({ ...parts, status: 'failed', error: run.error }, run);
  return withCalls({ ...parts, status: 'cancelled', ...(run.cancelReason !== undefined && { reason: run.cancelReason }) }, run);
}

type WithoutCalls<T> = T extends unknown ? Omit<T, 'calls'> : never;

/** Its calls are summed up when somebody looks at them. */
function withCalls(outcome: WithoutCalls<RunOutcome>, { calls }: RunView): RunOutcome {
  let summaries: readonly CallSummary[] | undefined;
  const get = (): readonly CallSummary[] => (summaries ??= calls.map(callSummary));
  return Object.defineProperty(outcome, 'calls', { enumerable: true, configurable: true, get }) as RunOutcome;
}

function outputOf(run: RunView, journal: Journal): Promise<OutputItem[]> {
  const items = run.items.flatMap((item): Promise<OutputItem>[] => {
    if (item.kind === 'call') return [];
    const site = item.site && { site: item.site };
    if (item.kind === 'console') return [Promise.resolve({ kind: 'console', level: item.level, text: item.text, ...site })];
    const emitted = readStored(journal, item.value).catch(() => UNREADABLE);
    return [emitted.then((value) => ({ kind: 'emit', value, ...site }))];
  });
  return Promise.all(items);
}
