import type { RecordedRun } from '../../journal/run-file.ts';
import type { Session } from '../../session/types.ts';
import { historyOf } from '../../store/history.ts';
import type { SessionState } from '../../store/state.ts';

/** What a trace is read from: a session, or a recorded run. Reading is all that it can do. */
export type TraceSource = Pick<Session, 'id' | 'store' | 'readValue' | 'tool'> & {
  readonly journal: Pick<Session['journal'], 'events' | 'load'>;
};

const known = new WeakMap<RecordedRun, TraceSource>();

/** A recorded run as the views read one. The same recording gives the same source. */
export function recordingSource(recording: RecordedRun): TraceSource {
  let source = known.get(recording);
  if (!source) known.set(recording, (source = open(recording)));
  return source;
}

function open({ sessionId, events, load, readValue }: RecordedRun): TraceSource {
  const state: SessionState = historyOf(sessionId, events).after(Number.POSITIVE_INFINITY);
  const read = (): SessionState => state;
  return {
    id: sessionId,
    store: { getState: read, getInitialState: read, subscribe: () => () => {} },
    readValue,
    journal: { events, load },
  };
}
