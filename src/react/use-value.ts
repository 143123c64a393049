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
export function useValue(session: Pick<Session, 'readValue'> | undefined, stored: StoredValue | undefined): ReadState {
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
      (value) => done(fits(value) ? { status: 'ready', value } : { status: 'failed' }),
      () => done({ status: 'failed' }),
    );
    return () => {
      alive = false;
    };
  }, [session, stored]);
  return state;
}

/** Parts of a value that a view looks at, counting what is used twice as often as it is used. */
export const MAX_PARTS = 1_000_000;

/**
 * Whether a value unfolds to a size that can be shown. References that are shared in every layer unfold to more parts than
 * there are atoms in the room: a program could stop the page with forty lines.
 */
export function fits(value: unknown, limit: number = MAX_PARTS): boolean {
  let left = limit;
  const above = new Set<unknown>();
  const visit = (item: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (typeof item !== 'object' || item === null || ArrayBuffer.isView(item) || above.has(item)) return true;
    above.add(item);
    const parts: Iterable<unknown> = item instanceof Map || item instanceof Set ? item.values() : Object.values(item);
    for (const part of parts) if (!visit(part)) return false;
    above.delete(item);
    return true;
  };
  return visit(value);
}
