'use client';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { JournalEvent } from '../../journal/events.ts';
import { whenIdle } from '../../session/when-idle.ts';
import { countUpTo, historyOf } from '../../store/history.ts';
import type { SessionState } from '../../store/state.ts';
import { useSelected } from '../use-selected.ts';
import type { TraceSource } from './trace-source.ts';

/** Where one stands in the events of a source. */
export interface Standpoint {
  /** As of the event stopped after, or of now. */
  readonly state: SessionState;
  /** The last event in `state`, of the run where there is one. */
  readonly event: JournalEvent | undefined;
  /** Number of the event stopped after; none in the present. */
  readonly seq: number | undefined;
  readonly isLive: boolean;
  /** Stops after the event of that number; without one: follows the present. */
  stopAfter(seq: number | undefined): void;
}

const whole = (state: SessionState): SessionState => state;

/** The present of a source or any moment of it. In the past nothing renders for what happens now. */
export function useStandpoint(source: TraceSource | undefined, run: string | undefined): Standpoint {
  const [stop, setStop] = useState<{ readonly source: TraceSource; readonly seq: number }>();
  const seq = stop && stop.source === source ? stop.seq : undefined;
  const read = useMemo(() => {
    if (seq === undefined || !source) return whole;
    const past = historyOf(source.id, source.journal.events).after(seq);
    return () => past;
  }, [source, seq]);
  const state = useSelected(source, read, Object.is);
  const stopAfter = useCallback(
    (to: number | undefined): void => setStop(source && to !== undefined ? { source, seq: to } : undefined),
    [source],
  );
  const event = source && lastEvent(source.journal.events, run, seq ?? state.lastSeq);
  return { state, event, seq, isLive: seq === undefined, stopAfter };
}

function lastEvent(events: readonly JournalEvent[], run: string | undefined, seq: number): JournalEvent | undefined {
  const last = events[countUpTo(events, seq) - 1];
  if (run === undefined || last?.runId === run) return last;
  return events.findLast((event) => event.seq <= seq && event.runId === run);
}

/** While `wanted`: makes what a step far away needs, bit by bit in the page's idle time. */
export function usePreparedHistory(source: TraceSource | undefined, wanted: boolean): void {
  useEffect(() => {
    if (!source || !wanted) return undefined;
    let on = true;
    const history = historyOf(source.id, source.journal.events);
    const prepare = (): void => {
      if (on && history.prepare()) whenIdle(prepare);
    };
    whenIdle(prepare);
    return () => {
      on = false;
    };
  }, [source, wanted]);
}
