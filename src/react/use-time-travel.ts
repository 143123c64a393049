'use client';
import { useCallback, useMemo } from 'react';
import type { JournalEvent } from '../journal/events.ts';
import type { RecordedRun } from '../journal/run-file.ts';
import type { Session } from '../session/types.ts';
import type { SessionState } from '../store/state.ts';
import { momentIndex, momentsOf } from './trace/moments.ts';
import { recordingSource, type TraceSource } from './trace/trace-source.ts';
import { type Standpoint, useStandpoint } from './trace/use-standpoint.ts';
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

/** Events one can stop after, and which of them one has stopped after. */
export interface Moments {
  /** Events one can stop after, first to last. */
  readonly moments: readonly JournalEvent[];
  /** How many of `moments` have happened in `state`. */
  readonly at: number;
  /** Stops after so many events; the last one is the present, and follows it. */
  go(at: number): void;
}

/** A session or a recorded run as of one of its events. */
export interface TimeTravel extends Moments {
  /** Runs, calls, output and what waits, as of that moment. */
  readonly state: SessionState;
  /** The last of the events that have happened in `state`. */
  readonly event: JournalEvent | undefined;
  /** At the end: what happens next shows at once. */
  readonly isLive: boolean;
}

/** Steps through a run, finished or going on, event by event. The state is `reduce` over the journal up to that event. */
export function useTimeTravel(options: TimeTravelOptions = {}): TimeTravel {
  const { recording, run } = options;
  const session = useSession(options.session);
  const source = recording ? recordingSource(recording) : session;
  const standpoint = useStandpoint(source, run);
  const { state, event, isLive } = standpoint;
  return { ...useMoments(source, run, standpoint, copiedMoments), state, event, isLive };
}

/** A list of its own each time: what depends on it sees that it has grown. */
const copiedMoments = (events: readonly JournalEvent[], run: string | undefined): readonly JournalEvent[] => [
  ...momentsOf(events, run),
];

const NONE: readonly JournalEvent[] = [];

/** The moments of a source. Renders with every event, whatever moment one has stopped at: who shows the past alone does without. */
export function useMoments(
  source: TraceSource | undefined,
  run: string | undefined,
  standpoint: Standpoint,
  choose: typeof momentsOf = momentsOf,
): Moments {
  const { stopAfter, seq } = standpoint;
  const lastSeq = useSelected(source, lastOf);
  const events = source?.journal.events ?? NONE;
  // The events are one and the same list while it grows: the number of the last one tells when to look again.
  // oxlint-disable-next-line react/exhaustive-deps
  const moments = useMemo(() => choose(events, run), [choose, events, lastSeq, run]);
  const go = useCallback((to: number): void => stopAfter(seqOfMoment(moments, to)), [stopAfter, moments]);
  return { moments, at: seq === undefined ? moments.length : momentIndex(moments, seq) + 1, go };
}

const lastOf = ({ lastSeq }: SessionState): number => lastSeq;

/** Event after which `at` moments have happened; none for all of them, which is the present. */
export function seqOfMoment(moments: readonly JournalEvent[], at: number): number | undefined {
  return at < moments.length ? moments[Math.max(0, at - 1)]?.seq : undefined;
}
