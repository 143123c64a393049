'use client';
import { type RefObject, useCallback, useLayoutEffect, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';

/** Height assumed where nothing can be measured, px: in a hidden panel, and in tests without layout. */
const UNMEASURED = 600;
/** Rows come and go by so many, and so many wait outside of the sight on each side. */
const STEP = 4;
/** After a jump only rows in sight are made, until one has stayed so long, ms: who drags a slider jumps again with the next frame. */
const REST_MS = 150;

/** Where the sight begins and how high it is, px. */
export interface Sight {
  readonly top: number;
  readonly height: number;
}

/** Which rows of a long list are in the document. */
export interface RowWindow {
  readonly from: number;
  /** The row after the last. */
  readonly to: number;
  /** By how many rows those one reads have moved. */
  readonly moved: number;
  /** No row is left of those that were in sight: one has jumped. */
  readonly jumps: boolean;
  /** Scrolls until that row is in sight, if it is not. */
  readonly show: (index: number) => void;
}

/** Known without asking the browser: that would make it lay the page out. */
interface Memory {
  sight: Sight;
  /** Rows in sight that are in the document. */
  shown?: Range;
  /** Until then, ms of the page's clock, there are only rows in sight; 0 when one has come to rest after a jump. */
  restsAt: number;
}

/** Where the sight is to begin, px, and by how many rows those in it have moved. */
export interface Place {
  readonly top: number;
  readonly moved: number;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

const START: Sight = { top: 0, height: UNMEASURED };
const stays = ({ top }: Sight): Place => ({ top, moved: 0 });

/** The window of a list whose rows all have one height, so that none is ever measured. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  /** What comes last is what one wants to see: the end stays in sight when the list becomes lower. */
  keepsEnd: boolean,
  /** Where one is to stand with this rendering. Asked before it, so that rows which will not be seen are never made. */
  place: (sight: Sight) => Place = stays,
): RowWindow {
  const [memory] = useState<Memory>(() => ({ sight: START, restsAt: 0 }));
  const [, render] = useReducer((renders: number) => renders + 1, 0);
  const look = useCallback(
    (next: Sight, now: (change: () => void) => void): void => {
      if (takesIn(memory, next, rowHeight)) now(render);
    },
    [memory, rowHeight],
  );
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    // Measured this once; from here on the browser tells.
    look({ top: element.scrollTop, height: element.clientHeight || UNMEASURED }, (change) => change());
    // At once: with the next task the rows would come a frame after their place.
    const onScroll = (): void => look({ ...memory.sight, top: element.scrollTop }, flushSync);
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(([entry]) => {
      const { top, height: before } = memory.sight;
      const height = entry?.contentRect.height || UNMEASURED;
      // Who looked at the end goes on doing so in a list that became lower.
      const lost = keepsEnd && height < before && top + before >= element.scrollHeight - 1 ? before - height : 0;
      if (lost > 0) element.scrollTo({ top: top + lost });
      look({ top: top + lost, height }, (change) => change());
    });
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [scroller, memory, look, keepsEnd]);

  // No further than the end: a list may have become shorter than where one stood.
  const within = (top: number, { height }: Sight): number => Math.max(0, Math.min(top, count * rowHeight - height));
  const seen = memory.sight;
  const { top: wish, moved } = place(seen);
  const top = within(wish, seen);
  const range = rangeOf({ top, height: seen.height }, rowHeight);
  const jumps = isElsewhere(range, memory.shown, moved);
  // After each rendering; it renders again only where other rows are in sight than it was rendered for.
  // oxlint-disable-next-line react/exhaustive-deps
  useLayoutEffect(() => {
    settle(memory, range, jumps ? render : undefined);
    const now = memory.sight;
    // One may have scrolled since it was rendered.
    const wanted = now === seen ? top : within(place(now).top, now);
    if (wanted !== now.top) scroller.current?.scrollTo({ top: wanted });
    look({ top: wanted, height: now.height }, (change) => change());
  });

  const show = useCallback(
    (index: number): void => {
      const { top: from, height } = memory.sight;
      const to = Math.max(0, Math.min(placeShowing(index, memory.sight, rowHeight), count * rowHeight - height));
      if (to === from) return;
      scroller.current?.scrollTo({ top: to });
      look({ top: to, height }, (change) => change());
    },
    [scroller, memory, look, count, rowHeight],
  );
  const more = jumps || memory.restsAt > 0 ? 0 : STEP;
  return { from: Math.max(0, range.first - more), to: Math.min(count, range.last + more), moved, jumps, show };
}

/** Where the sight is to begin so that the row is in it; where it begins, if it is. */
export function placeShowing(index: number, { top, height }: Sight, rowHeight: number): number {
  const start = index * rowHeight;
  return start < top ? start : Math.max(top, start + rowHeight - height);
}

const isElsewhere = ({ first, last }: Range, old: Range | undefined, moved: number): boolean =>
  old !== undefined && (first >= old.last + moved || last <= old.first + moved);

/** @param rested told when one has stayed after a jump */
function settle(memory: Memory, shown: Range, rested: (() => void) | undefined): void {
  memory.shown = shown;
  if (!rested) return;
  const isWaiting = memory.restsAt > 0;
  memory.restsAt = performance.now() + REST_MS;
  if (isWaiting) return;
  const check = (): void => {
    const left = memory.restsAt - performance.now();
    if (left > 1) return void setTimeout(check, left);
    memory.restsAt = 0;
    rested();
  };
  setTimeout(check, REST_MS);
}

/** @returns whether other rows must be rendered for it */
function takesIn(memory: Memory, sight: Sight, rowHeight: number): boolean {
  if (sight.top !== memory.sight.top || sight.height !== memory.sight.height) memory.sight = sight;
  const { first, last } = rangeOf(sight, rowHeight);
  return first !== memory.shown?.first || last !== memory.shown.last;
}

function rangeOf({ top, height }: Sight, rowHeight: number): Range {
  const step = STEP * rowHeight;
  return { first: Math.floor(Math.max(0, top) / step) * STEP, last: Math.ceil((top + height) / step) * STEP };
}
