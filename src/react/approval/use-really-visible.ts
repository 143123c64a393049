'use client';
import { type RefObject, useEffect, useState } from 'react';

interface VisibilityEntry extends IntersectionObserverEntry {
  readonly isVisible?: boolean;
}

/**
 * Whether this page can tell at all. A page inside a scaled or faded frame is told "not visible" for everything; only
 * where the browser once said yes does its no mean that something covers the element.
 */
let canTell = false;

/** While something covers the element the browser is asked anew: it tells of a change only when it paints, and may not paint again. Milliseconds. */
const ASK_AGAIN_MS = 250;

/**
 * False while the browser says that something covers the element (IntersectionObserver v2: Chromium). Engines and places
 * that cannot tell answer true.
 */
export function useReallyVisible(element: RefObject<Element | null>, active: boolean): boolean {
  const [covered, setCovered] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (!active || !target || typeof IntersectionObserver === 'undefined') return undefined;
    if (!('isVisible' in IntersectionObserverEntry.prototype)) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const options = { threshold: [0.5, 1], trackVisibility: true, delay: 100 };
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1) as VisibilityEntry | undefined;
      if (!last) return;
      canTell ||= last.isVisible === true;
      const isCovered = canTell && last.isIntersecting && last.isVisible === false;
      setCovered(isCovered);
      clearTimeout(timer);
      if (isCovered) timer = setTimeout(askAgain, ASK_AGAIN_MS);
    }, options as IntersectionObserverInit);
    const askAgain = (): void => {
      observer.unobserve(target);
      observer.observe(target);
    };
    observer.observe(target);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element, active]);
  return !(active && covered);
}
