'use client';
import { type RefObject, useLayoutEffect, useState } from 'react';
import type { TraceRows } from './row-list.ts';
import { type Place, placeShowing, type RowWindow, type Sight, useRowWindow } from './use-row-window.ts';

/** A trace whose end is at most so far out of sight is at its end, px. */
const END = 8;

export interface TreeWindow extends RowWindow {
  /**
   * The row that all are placed from. When the oldest give way it moves with those one reads, after a jump to where the next rows
   * take the old ones' places: then this one place changes and no other.
   */
  readonly base: number;
}

/** A row that comes into sight when it becomes the one that is meant; what one scrolls by hand afterwards stays. */
export interface Wanted {
  readonly id: string | undefined;
  /** -1 where it is not shown. */
  readonly index: number;
}

/** What was in the document last. */
interface Shown {
  readonly rows?: TraceRows;
  readonly base: number;
  readonly from: number;
  readonly wanted: readonly (string | undefined)[];
}

interface Memory {
  shown: Shown;
}

/**
 * The rows of a trace that are in the document. What is in sight stays there while the trace grows: its end for who looks at
 * the end and does not work in the tree, else the rows one reads, whatever comes, goes or folds above them. What the person
 * opens, closes or filters moves as it will.
 */
export function useTreeWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: TraceRows,
  rowHeight: number,
  wanted: readonly Wanted[],
  /** A person looks at one moment: what comes after does not pull them away. */
  held: boolean,
): TreeWindow {
  const [memory] = useState<Memory>(() => ({ shown: { base: 0, from: 0, wanted: [] } }));
  const { shown } = memory;
  const kept = ({ top, height }: Sight, moved: number): number => {
    if (held || shown.rows === rows) return top;
    const atEnd = top + height >= (shown.rows?.length ?? 0) * rowHeight - END;
    if (atEnd && !scroller.current?.contains(document.activeElement))
      return shown.rows?.length === rows.length ? top : rows.length * rowHeight;
    return top + moved * rowHeight;
  };
  const place = (sight: Sight): Place => {
    const moved = movedBy(shown.rows, rows, sight.top / rowHeight);
    const top = wanted.reduce(
      (at, { id, index }, which) =>
        index < 0 || id === shown.wanted[which] ? at : placeShowing(index, { ...sight, top: at }, rowHeight),
      kept(sight, moved),
    );
    return { top, moved };
  };
  const list = useRowWindow(scroller, rows.length, rowHeight, true, place);
  const { from, moved, jumps } = list;
  const base = jumps ? from - (shown.from - shown.base) : shown.base + moved;
  useLayoutEffect(() => {
    // One that is not there yet comes into sight when it is.
    const ids = wanted.map(({ id, index }, at) => (index < 0 && id !== undefined ? shown.wanted[at] : id));
    remember(memory, { rows, base, from, wanted: ids });
  });
  return { ...list, base };
}

function movedBy(old: TraceRows | undefined, rows: TraceRows, first: number): number {
  return old && old !== rows && old.arrangement === rows.arrangement ? rows.movedFrom(old, Math.floor(first)) : 0;
}

function remember(memory: Memory, shown: Shown): void {
  memory.shown = shown;
}
