import type { JournalEvent } from './events.ts';

/** Runs without an end, oldest first. */
export function openRuns(events: readonly JournalEvent[]): readonly string[] {
  const open = new Set<string>();
  for (const { type, runId } of events) {
    if (runId === undefined) continue;
    if (type === 'run.queued') open.add(runId);
    else if (type === 'run.completed' || type === 'run.failed' || type === 'run.cancelled') open.delete(runId);
  }
  return [...open];
}
