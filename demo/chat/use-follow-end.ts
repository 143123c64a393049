import { type RefCallback, useCallback } from 'react';

/** Distance from the end that still counts as being there, px. */
const NEAR = 40;

/**
 * Keeps a list at its end while it or its box changes size, until one scrolls back from it. A run inside a message grows
 * by itself, so the messages alone do not tell when.
 *
 * @returns a ref for the scrolling element; its first child holds the content
 */
export function useFollowEnd(): RefCallback<HTMLElement> {
  return useCallback((box: HTMLElement) => {
    let following = true;
    let last = box.scrollTop;
    const follow = (): void => {
      if (following) box.scrollTop = box.scrollHeight;
    };
    // Growing content moves the end away without a scroll; only going back is a person's wish.
    const look = (): void => {
      if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR) following = true;
      else if (box.scrollTop < last) following = false;
      last = box.scrollTop;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, []);
}
