/** Finding a call in the read model: calls stand in their run, in submission order. */
import type { CallView, SessionState } from './state.ts';

/** The call of that id, whatever its run. */
export function callById(state: SessionState, id: string): CallView | undefined {
  const runId = runOfCall(id);
  const run = Object.hasOwn(state.runs, runId) ? state.runs[runId] : undefined;
  return run?.calls[indexOfCall(run.calls, id)];
}

/** Id of the run a call belongs to: a call's id is its run's, a colon and its ordinal. */
export function runOfCall(id: string): string {
  return id.slice(0, id.lastIndexOf(':'));
}

/** Where the call of that id stands, or -1. Ordinals rise. */
export function indexOfCall(calls: readonly CallView[], id: string): number {
  const ordinal = Number(id.slice(id.lastIndexOf(':') + 1));
  // In a run of which nothing is missing each stands in its place.
  if (calls[ordinal - 1]?.id === id) return ordinal - 1;
  let low = 0;
  let high = calls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((calls[middle] as CallView).ordinal < ordinal) low = middle + 1;
    else high = middle;
  }
  return calls[low]?.id === id ? low : -1;
}
