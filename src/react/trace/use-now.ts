'use client';
import { useSyncExternalStore } from 'react';

/** How often running durations move on, ms: a tenth of a second is as exact as they are shown. */
const TICK_MS = 100;

let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = Date.now();
  for (const each of listeners) each();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  now = Date.now();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const still = (): (() => void) => () => {};
const read = (): number => now;
const zero = (): number => 0;

/** Epoch ms, moving only while `running` (0 otherwise). One timer serves all views; one render sees one time. */
export function useNow(running: boolean): number {
  return useSyncExternalStore(running ? subscribe : still, running ? read : zero, zero);
}
