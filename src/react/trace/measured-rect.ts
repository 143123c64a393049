import { observeElementRect, type Virtualizer } from '@tanstack/react-virtual';

/** Size assumed where nothing can be measured: in a hidden panel, and in tests without layout. */
export const UNMEASURED = { width: 800, height: 600 } as const;

type Rect = { readonly width: number; readonly height: number };

/** The scroller's size for a virtualizer; a height of zero counts as unknown. */
export function observeMeasured(instance: Virtualizer<HTMLDivElement, Element>, tell: (rect: Rect) => void): void | (() => void) {
  return observeElementRect(instance, (rect) => tell(rect.height > 0 ? rect : UNMEASURED));
}
