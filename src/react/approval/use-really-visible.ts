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
    const options = { threshold: [0.5, 1], trackVisibility: true, delay: 100 };
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1) as VisibilityEntry | undefined;
      if (!last) return;
      canTell ||= last.isVisible === true;
      setCovered(canTell && last.isIntersecting && last.isVisible === false);
    }, options as IntersectionObserverInit);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element, active]);
  return !(active && covered);
}
