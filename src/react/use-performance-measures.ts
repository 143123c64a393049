'use client';
import { useEffect } from 'react';
import type { Session } from '../session/types.ts';

/** Entries per session; the browser keeps measures until the page ends, so a long conversation must not pile them up. */
const MAX_MEASURES = 5_000;

const watched = new WeakMap<Session, { count: number; stop(): void }>();

/**
 * One `performance.measure` per finished run and call, so that the browser's own performance panel shows them.
 * Several views of one session measure once.
 */
export function usePerformanceMeasures(session: Session | undefined): void {
  useEffect(() => {
    if (!session || typeof performance?.measure !== 'function') return undefined;
    const entry = watched.get(session) ?? { count: 0, stop: watch(session) };
    entry.count += 1;
    watched.set(session, entry);
    return () => {
      entry.count -= 1;
      if (entry.count > 0) return;
      entry.stop();
      watched.delete(session);
    };
  }, [session]);
}

function watch(session: Session): () => void {
  let left = MAX_MEASURES;
  const measure = (name: string, from: number, to: number, detail: unknown): void => {
    if (left-- <= 0) return;
    const start = Math.max(0, from - performance.timeOrigin);
    performance.measure(name, { start, end: Math.max(start, to - performance.timeOrigin), detail });
  };
  return session.store.subscribe((state, before) => {
    if (state.runs === before.runs) return;
    for (const id of state.runOrder) {
      const run = state.runs[id]!;
      if (run.endedAt === undefined || before.runs[id]?.endedAt !== undefined) continue;
      measure(`code mode run: ${run.title ?? id}`, run.startedAt ?? run.queuedAt, run.endedAt, { runId: id, status: run.status });
      for (const call of run.calls) {
        if (call.endedAt === undefined) continue;
        measure(`code mode call: ${call.tool}`, call.startedAt ?? call.requestedAt, call.endedAt, {
          callId: call.id,
          status: call.status,
        });
      }
    }
  });
}
