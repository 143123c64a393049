/** The moments of a trace: its events, each with the row it is about. Pure. */
import type { JournalEvent } from '../../journal/events.ts';
import { callById } from '../../store/calls.ts';
import { countUpTo } from '../../store/history.ts';
import type { SessionState } from '../../store/state.ts';

/** Events one can stop after: those of a run, or all. The latter is the list itself, which may grow. */
export function momentsOf(events: readonly JournalEvent[], runId: string | undefined): readonly JournalEvent[] {
  return runId === undefined ? events : events.filter((event) => event.runId === runId);
}

/** Place of the moment of that event, or of the last one before it; -1 before the first. */
export function momentIndex(moments: readonly JournalEvent[], seq: number): number {
  return countUpTo(moments, seq) - 1;
}

/** Call an event is about. */
export function callOfEvent(event: JournalEvent): string | undefined {
  if ('callId' in event.data && typeof event.data.callId === 'string') return event.data.callId;
  if (event.type !== 'delivery' || event.runId === undefined) return undefined;
  const item = event.data.items.find(({ kind }) => kind === 'call');
  return item && `${event.runId}:${item.id}`;
}

/** Id of the row an event is about. */
export function rowOfEvent(event: JournalEvent): string | undefined {
  const callId = callOfEvent(event);
  const { runId } = event;
  if (callId !== undefined) return `call:${callId}`;
  if (runId === undefined) return undefined;
  switch (event.type) {
    case 'output.written':
    case 'output.emitted':
      return `out:${runId}:${event.seq}`;
    case 'plan.requested':
    case 'plan.decided':
      return `plan:${runId}`;
    case 'run.completed':
      return event.data.value ? `result:${runId}` : `run:${runId}`;
    case 'run.failed':
      return `error:${runId}`;
    default:
      return `run:${runId}`;
  }
}

/** Whom or what an event is about, in a word: the tool of a call, the text of a line. */
export function subjectOf(event: JournalEvent, state: SessionState): string | undefined {
  if (event.type === 'output.written') return event.data.text;
  if (event.type === 'grant.created') return event.data.words;
  const callId = callOfEvent(event);
  return callId === undefined ? undefined : callById(state, callId)?.tool;
}

/** Line of the program an event belongs to. */
export function lineOfEvent(event: JournalEvent, state: SessionState): number | undefined {
  if ('site' in event.data && event.data.site) return event.data.site.line;
  const callId = callOfEvent(event);
  return callId === undefined ? undefined : callById(state, callId)?.site?.line;
}
