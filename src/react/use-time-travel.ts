'use client';
import { useCallback, useMemo, useState } from 'react';
import type { JournalEvent } from '../journal/events.ts';
import type { RecordedRun } from '../journal/run-file.ts';
import type { Session } from '../session/types.ts';
import { historyOf } from '../store/history.ts';
import type { SessionState } from '../store/state.ts';
import { momentIndex, momentsOf } from './trace/moments.ts';
import { recordingSource, type TraceSource } from './trace/trace-source.ts';
import { useSelected } from './use-selected.ts';
import { useSession } from './use-session.ts';

export interface TimeTravelOptions {
  /** @default the provider's session */
  readonly session?: Session;
  /** A run that was loaded from a file (`importRunFile`), instead of a session. Nothing of it is executed. */
  readonly recording?: RecordedRun;
  /** Stop after the events of this run only. @default all events */
  readonly run?: string;
}

/** A session or a recorded run as of one of its events. */
export interface TimeTravel {
  /** Runs, calls, output and what waits, as of that moment. */
  readonly state: SessionState;
  /** Events one can stop after, first to last. */
  readonly moments: readonly JournalEvent[];
  /** How many of `moments` have happened in `state`. */
  readonly at: number;
  /** The last of them. */
  readonly event: JournalEvent | undefined;
  /** At the end: what happens next shows at once. */
  readonly isLive: boolean;
  /** Stops after so many events; the last one is the present, and follows it. */
  go(at: number): void;
}

const whole = (state: SessionState): SessionState => state;

/** Steps through a run, finished or going on, event by event. The state is `reduce` over the journal up to that event. */
export function useTimeTravel(options: TimeTravelOptions = {}): TimeTravel {
  const session = useSession(options.session);
  return useMomentsOf(options.recording ? recordingSource(options.recording) : session, options.run, true);
}

const NONE: readonly JournalEvent[] = [];

/**
 * `useTimeTravel` of a source.
 * @param wanted without it there are no moments, and a trace that grows need not list them
 */
export function useMomentsOf(source: TraceSource | undefined, run: string | undefined, wanted: boolean): TimeTravel {
  const live = useSelected(source, whole, Object.is);
  const [stop, setStop] = useState<{ readonly source: TraceSource; readonly seq: number }>();
  const seq = stop && stop.source === source ? stop.seq : undefined;
  const events = source?.journal.events ?? NONE;
  // The list is one and the same while it grows: the number of its last event tells when to look again.
  // oxlint-disable-next-line react/exhaustive-deps
  const moments = useMemo(() => (wanted ? momentsOf(events, run) : NONE), [events, live.lastSeq, run, wanted]);
  const state = seq === undefined || !source ? live : historyOf(source.id, events).after(seq);
  const at = seq === undefined ? moments.length : momentIndex(moments, seq) + 1;
  const go = useCallback(
    (to: number): void => {
      const event = moments[Math.max(0, to - 1)];
      setStop(source && event && to < moments.length ? { source, seq: event.seq } : undefined);
    },
    [source, moments],
  );
  return { state, moments, at, event: moments[at - 1], isLive: seq === undefined, go };
}
