'use client';
import { type RefObject, useLayoutEffect } from 'react';

/** Where a panel's own button took it away, the button that had opened it gets the focus; not where a question took its place. */
export function useFocusBack(panel: RefObject<HTMLElement | null>, opener: string): void {
  useLayoutEffect(() => {
    const element = panel.current;
    const surface = element?.closest('[data-cm-dialog]');
    return () => {
      if (!surface || !element?.contains(document.activeElement)) return;
      queueMicrotask(() => {
        if (surface.isConnected && !surface.contains(document.activeElement))
          surface.querySelector<HTMLElement>(`[data-action="${opener}"]`)?.focus();
      });
    };
  }, [panel, opener]);
}
