'use client';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { shallow } from 'zustand/shallow';
import type { Session } from '../session/types.ts';
import { emptyState } from '../store/reduce.ts';
import type { ReadonlyStore, SessionState } from '../store/state.ts';

/** State of a view that has no session yet, and of every server rendering. */
export const IDLE_STATE: SessionState = emptyState('');

const IDLE_STORE: ReadonlyStore<SessionState> = {
  getState: () => IDLE_STATE,
  getInitialState: () => IDLE_STATE,
  subscribe: () => () => {},
};

interface Memory<T> {
  last?: { readonly value: T };
}

/**
 * Reads from a session's store. The selector may return a new array or object each time: one state gives one value, and
 * an equal value keeps its identity, so nothing loops and nothing renders without a change.
 */
export function useSelected<T>(
  session: Pick<Session, 'store'> | undefined,
  selector: (state: SessionState) => T,
  isEqual: (a: T, b: T) => boolean = shallow,
): T {
  const store = session?.store ?? IDLE_STORE;
  const [memory] = useState<Memory<T>>(() => ({}));
  const [read, readIdle] = useMemo(
    () => [selecting(store.getState, selector, isEqual, memory), selecting(IDLE_STORE.getState, selector, isEqual, {})],
    [store, selector, isEqual, memory],
  );
  return useSyncExternalStore(store.subscribe, read, readIdle);
}

function selecting<T>(
  getState: () => SessionState,
  selector: (state: SessionState) => T,
  isEqual: (a: T, b: T) => boolean,
  memory: Memory<T>,
): () => T {
  let seen: SessionState | undefined;
  let value: T;
  return () => {
    const state = getState();
    if (state === seen) return value;
    const fresh = selector(state);
    value = memory.last && isEqual(memory.last.value, fresh) ? memory.last.value : fresh;
    memory.last = { value };
    seen = state;
    return value;
  };
}
