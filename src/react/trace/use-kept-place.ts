'use client';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { TraceRows } from './row-list.ts';
import type { RowWindow } from './use-row-window.ts';

/** A trace whose end is at most so far out of sight is at its end, px. */
const END = 8;
/** So many rows below the first in sight are tried, when that one is gone. */
const TRIED = 1_024;

/**
 * Keeps what is in sight there while the trace grows: its end for who looks at the end and does not work in the tree, else
 * the rows one reads, whatever comes, goes or folds above them. What the person opens, closes or filters moves as it will.
 */
export function useKeptPlace(
  scroller: RefObject<HTMLElement | null>,
  { sight, scrollTo }: RowWindow,
  rows: TraceRows,
  rowHeight: number,
  /** A person looks at one moment: what comes after does not pull them away. */
  held: boolean,
): void {
  const before = useRef<TraceRows>(undefined);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    if (held || old === rows) return;
    const { top, height } = sight.current;
    const atEnd = top + height >= (old?.length ?? 0) * rowHeight - END;
    if (atEnd && !scroller.current?.contains(document.activeElement)) {
      if (old?.length !== rows.length) scrollTo(rows.length * rowHeight);
    } else if (old && old.arrangement === rows.arrangement) {
      const moved = movedBy(old, rows, Math.floor(top / rowHeight));
      if (moved !== 0) scrollTo(top + moved * rowHeight);
    }
  }, [scroller, sight, scrollTo, rows, rowHeight, held]);
}

/** By how many rows the first that is left of those from `first` on has moved. */
function movedBy(old: TraceRows, rows: TraceRows, first: number): number {
  const together = rows.movedFrom(old, first);
  if (together !== undefined) return together;
  for (let at = first; at < Math.min(old.length, first + TRIED); at += 1) {
    const now = rows.indexOf(old.at(at)?.node.id);
    if (now >= 0) return now - at;
  }
  return 0;
}
