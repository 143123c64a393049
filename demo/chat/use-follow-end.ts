import { type RefCallback, useCallback } from 'react';

/** Distance from the end that still counts as being there, px. */
const NEAR = 40;

/** Ways to scroll by hand. */
const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerup', 'scrollend'] as const;

/**
 * Keeps a list at its end while it or its box changes size, until one scrolls away from it. A run inside a message grows
 * by itself, so the messages alone do not tell when.
 *
 * @returns a ref for the scrolling element; its first child holds the content
 */
export function useFollowEnd(): RefCallback<HTMLElement> {
  return useCallback((box: HTMLElement) => {
    let atEnd = true;
    const follow = (): void => {
      if (atEnd) box.scrollTop = box.scrollHeight;
    };
    const look = (): void => {
      atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    // Only what a person does tells that they leave the end; a box that shrinks scrolls, too.
    const lookSoon = (): number => requestAnimationFrame(look);
    for (const type of MOVES) box.addEventListener(type, lookSoon, { passive: true });
    return () => {
      observer.disconnect();
      for (const type of MOVES) box.removeEventListener(type, lookSoon);
    };
  }, []);
}
