/** A new run that begins as an earlier one did, up to one of its calls. */
import { CodeModeError } from '../../errors.ts';
import type { EventData, EventType, JournalEvent } from '../../journal/events.ts';
import type { Journal } from '../../journal/journal.ts';
import { type RunRecording, recordingOf } from '../../journal/recording.ts';
import { CONTEXT_MISSING } from '../own-context.ts';
import { unknownRun } from './take-up.ts';

/** Facts of a call that has its reply, and that a copy of it must not have. It ran in the other run, which alone can take it back. */
const NOT_OF_DONE: ReadonlySet<EventType> = new Set([
  'tool_call.started',
  'tool_call.interrupted',
  'tool_call.progressed',
  'tool_call.replayed',
]);
/** Facts of any other call: what was decided about it was for the other run. */
const OF_OPEN: ReadonlySet<EventType> = new Set(['tool_call.requested', 'tool_call.started', 'tool_call.deferred']);

/**
 * Writes the beginning of the run under a new id: what came before the program got the reply to `callId`. Calls before that
 * one keep their results, it and those after it are made anew.
 * @throws CodeModeError `invalid_options`
 */
export function forkRun(journal: Journal, callId: string, id: string): RunRecording {
  const colon = callId.lastIndexOf(':');
  const [runId, ordinal] = [callId.slice(0, colon), Number(callId.slice(colon + 1))];
  const events = journal.events.filter((event) => event.runId === runId);
  const known = recordingOf(events, runId);
  if (!known?.started || !known.calls.has(ordinal) || known.undoes) throw unknownRun('retryFrom', callId);
  // Its globals have changed since.
  if (known.started.state === 'session') throw unknownRun('retryFrom', callId);
  if (known.queued.ownContext) throw new CodeModeError('invalid_options', CONTEXT_MISSING, { id: callId });
  const cut = cutOf(events, ordinal);
  const { waitsFor: _, ...queued } = known.queued;
  journal.append('run.queued', { ...queued, retries: { runId, callId } }, id);
  for (const event of events) copy(journal, event, { id, ordinal, cut, known });
  const made = recordingOf(journal.events, id);
  if (!made) throw unknownRun('retryFrom', callId);
  return made;
}

/** Where the program learned of a call from `ordinal` on. */
function cutOf(events: readonly JournalEvent[], ordinal: number): number {
  const delivery = events.find(
    ({ type, data }) => type === 'delivery' && data.items.some(({ kind, id }) => kind === 'call' && id >= ordinal),
  );
  return delivery?.seq ?? Number.POSITIVE_INFINITY;
}

interface Fork {
  readonly id: string;
  readonly ordinal: number;
  readonly cut: number;
  /** The earlier run. */
  readonly known: RunRecording;
}

function copy(journal: Journal, event: JournalEvent, { id, ordinal, cut, known }: Fork): void {
  const put = <T extends EventType>(type: T, data: EventData[T]): void => journal.append(type, data, id);
  switch (event.type) {
    case 'run.started':
    case 'delivery':
    case 'output.written':
    case 'output.emitted':
      if (event.seq < cut) put(event.type, event.data);
      return;
    case 'question.answered':
      if (event.data.ordinal < ordinal) put(event.type, event.data);
      return;
    default: {
      const { callId } = event.data as { readonly callId?: string };
      if (callId === undefined || event.type.startsWith('grant.')) return;
      const place = Number(callId.slice(callId.lastIndexOf(':') + 1));
      const end = known.calls.get(place)?.end;
      const isDone = end !== undefined && end.kind !== 'cancelled';
      if (!(place < ordinal) || (isDone ? NOT_OF_DONE.has(event.type) : !OF_OPEN.has(event.type))) return;
      // The limits of rules and the permissions count it where it ran.
      const { reserved: _, grantId: __, ...data } = event.data as EventData['tool_call.started'] & { grantId?: string };
      put(event.type, { ...data, callId: `${id}:${place}` } as EventData[typeof event.type]);
    }
  }
}
