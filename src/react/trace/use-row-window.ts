'use client';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Height assumed where nothing can be measured, px: in a hidden panel, and in tests without layout. */
const UNMEASURED = 600;
const START = { top: 0, height: UNMEASURED } as const;
/** Rows come and go by so many, and at least so many wait outside of the sight on each side. */
const STEP = 8;

interface Sight {
  readonly top: number;
  readonly height: number;
}

/** Which rows of a long list are in the document. */
export interface RowWindow {
  readonly from: number;
  /** The row after the last. */
  readonly to: number;
  /** Where the sight begins and how high it is, px, without asking the browser: that would make it lay the page out. */
  readonly sight: RefObject<Sight>;
  /** Scrolls to a place, px. */
  readonly scrollTo: (top: number) => void;
  /** Scrolls until that row is in sight, if it is not. */
  readonly show: (index: number) => void;
}

/** The window of a list whose rows all have one height, so that none is ever measured. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  /** What comes last is what one wants to see: the end stays in sight when the list becomes lower. */
  keepsEnd: boolean,
): RowWindow {
  const sight = useRef<Sight>(START);
  const [inSight, setInSight] = useState(() => rangeOf(START, rowHeight));
  const current = useRef(inSight);
  // What is seen after the list became shorter than where one stood: its end.
  const last = Math.min(inSight.last, Math.ceil(count / STEP) * STEP);
  const first = Math.max(0, last - (inSight.last - inSight.first));

  const look = useCallback(
    (next: Sight, now: (change: () => void) => void): void => {
      sight.current = next;
      const range = rangeOf(next, rowHeight);
      if (range.first === current.current.first && range.last === current.current.last) return;
      current.current = range;
      now(() => setInSight(range));
    },
    [rowHeight],
  );
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    // Measured this once; from here on the browser tells.
    look({ top: element.scrollTop, height: element.clientHeight || UNMEASURED }, (change) => change());
    // At once: with the next task the rows would come a frame after their place.
    const onScroll = (): void => look({ ...sight.current, top: element.scrollTop }, flushSync);
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(([entry]) => {
      const { top, height: before } = sight.current;
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
  }, [scroller, look, keepsEnd]);

  const total = count * rowHeight;
  const scrollTo = useCallback(
    (wanted: number): void => {
      const { height } = sight.current;
      const top = Math.max(0, Math.min(wanted, total - height));
      scroller.current?.scrollTo({ top });
      look({ top, height }, (change) => change());
    },
    [scroller, look, total],
  );
  const show = useCallback(
    (index: number): void => {
      const { top, height } = sight.current;
      const start = index * rowHeight;
      if (start < top) scrollTo(start);
      else if (start + rowHeight > top + height) scrollTo(start + rowHeight - height);
    },
    [scrollTo, rowHeight],
  );
  return { from: Math.max(0, first - STEP), to: Math.min(count, last + STEP), sight, scrollTo, show };
}

function rangeOf({ top, height }: Sight, rowHeight: number) {
  const step = STEP * rowHeight;
  return { first: Math.floor(Math.max(0, top) / step) * STEP, last: Math.ceil((top + height) / step) * STEP };
}
