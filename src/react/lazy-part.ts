'use client';
import { useEffect, useSyncExternalStore } from 'react';

/** A part of the kit that a page loads when it is first shown. Failing to load is a state, never an exception. */
export type PartState<T> = { readonly status: 'absent' | 'loading' | 'failed' } | { readonly status: 'ready'; readonly value: T };

export interface LazyPart<T> {
  /** Loads it unless it is there or on its way; tries again after a failure. Never rejects. */
  load(): Promise<void>;
  getSnapshot(): PartState<T>;
  subscribe(listener: () => void): () => void;
}

const ABSENT = { status: 'absent' } as const;

/** @param source an `import()` of the part, so that bundlers make a file of its own of it */
export function lazyPart<T>(source: () => Promise<T>): LazyPart<T> {
  let state: PartState<T> = ABSENT;
  let loading: Promise<void> | undefined;
  const listeners = new Set<() => void>();
  const set = (next: PartState<T>): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const fetchIt = async (): Promise<void> => {
    set({ status: 'loading' });
    try {
      set({ status: 'ready', value: await source() });
    } catch {
      loading = undefined;
      set({ status: 'failed' });
    }
  };
  return {
    load: () => (loading ??= fetchIt()),
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const absent = (): typeof ABSENT => ABSENT;

/** The part's state; loads it once the component is on the page. Servers render without it. */
export function usePart<T>(part: LazyPart<T>): PartState<T> {
  return usePartWhen(true, part);
}

/** The part's state; loads it once it is wanted. */
export function usePartWhen<T>(wanted: boolean, part: LazyPart<T>): PartState<T> {
  useEffect(() => {
    if (wanted) void part.load();
  }, [wanted, part]);
  return useSyncExternalStore<PartState<T>>(part.subscribe, part.getSnapshot, absent);
}
