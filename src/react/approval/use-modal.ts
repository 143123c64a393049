'use client';
import { type RefObject, useLayoutEffect, useRef } from 'react';

export interface ModalOptions {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly open: boolean;
  /** Gets the focus on opening and whenever `subject` changes. */
  readonly heading: RefObject<HTMLElement | null>;
  readonly subject: string | undefined;
  readonly onEscape: () => void;
  /** Where the focus goes when its old place is gone. */
  readonly fallback: () => HTMLElement | null;
}

/** Opens a native dialog as a modal, moves the focus in, and gives it back to where it came from, caret included. */
export function useModal({ dialog, open, heading, subject, onEscape, fallback }: ModalOptions): void {
  const handlers = useRef({ onEscape, fallback });
  useLayoutEffect(() => {
    handlers.current = { onEscape, fallback };
  });

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!open || !element) return undefined;
    const place = rememberFocus();
    if (!element.open) element.showModal();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Tab') cycle(event, element);
      if (event.key !== 'Escape' || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) handlers.current.onEscape();
    };
    // Engines that do not know `closedby` still close on their own Escape.
    const onCancel = (event: Event): void => event.preventDefault();
    document.addEventListener('keydown', onKeyDown, true);
    element.addEventListener('cancel', onCancel);
    return () => {
      document.removeEventListener('keydown', onKeyDown, true);
      element.removeEventListener('cancel', onCancel);
      if (element.open) element.close();
      place.restore(handlers.current.fallback);
    };
  }, [dialog, open]);

  useLayoutEffect(() => {
    if (open && subject !== undefined) heading.current?.focus({ preventScroll: true });
  }, [open, subject, heading]);
}

const TABBABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** Tab goes round inside the dialog: a browser's own modal lets it out to the browser's controls. */
function cycle(event: KeyboardEvent, dialog: HTMLElement): void {
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const stops = [...dialog.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (each) => each.tabIndex >= 0 && !each.matches(':disabled') && each.getClientRects().length > 0,
  );
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (!to || document.activeElement !== from) return;
  event.preventDefault();
  to.focus();
}

interface Place {
  restore(fallback: () => HTMLElement | null): void;
}

function rememberFocus(): Place {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const caret = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? caretOf(element) : undefined;
  return {
    restore(fallback) {
      const target = element instanceof HTMLElement && element !== document.body && element.isConnected ? element : fallback();
      if (!target) return;
      target.focus({ preventScroll: target === element });
      if (caret && target === element) caret(target as HTMLInputElement);
    },
  };
}

/** Inputs without a selection (number, date) throw or answer null. */
function caretOf(field: HTMLInputElement | HTMLTextAreaElement): ((field: HTMLInputElement) => void) | undefined {
  const { selectionStart, selectionEnd, selectionDirection } = field;
  if (selectionStart === null) return undefined;
  return (target) => target.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
}
