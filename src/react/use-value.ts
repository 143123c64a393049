'use client';
import { useEffect, useState } from 'react';
import type { StoredValue } from '../journal/events.ts';
import type { Session } from '../session/types.ts';

/** A decoded copy on its way. */
export type ReadState =
  | { readonly status: 'reading' }
  | { readonly status: 'ready'; readonly value: unknown }
  | { readonly status: 'failed' };

const READING: ReadState = { status: 'reading' };
const known = new WeakMap<StoredValue, ReadState>();

/** Decodes a stored value through the session: the very text the handler's copy is decoded from. */
export function useValue(session: Session | undefined, stored: StoredValue | undefined): ReadState {
  const [, rerender] = useState(0);
  const state = (stored && known.get(stored)) ?? READING;
  useEffect(() => {
    if (!session || !stored || known.has(stored)) return undefined;
    let alive = true;
    const done = (result: ReadState): void => {
      known.set(stored, result);
      if (alive) rerender((count) => count + 1);
    };
    session.readValue(stored).then(
      (value) => done({ status: 'ready', value }),
      () => done({ status: 'failed' }),
    );
    return () => {
      alive = false;
    };
  }, [session, stored]);
  return state;
}

/** Bytes of a stored value's text, roughly: UTF-16 units for those in place. */
export function storedSize(stored: StoredValue): number {
  return 'inline' in stored ? stored.inline.length : stored.bytes;
}
