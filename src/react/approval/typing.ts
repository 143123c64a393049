/** Whether the person is typing somewhere on the page, outside of the approval dialog. */

/** Pause after which typing counts as over, ms. */
export const TYPING_PAUSE_MS = 800;

const listeners = new Set<() => void>();
let typing = false;
let composing = false;
let timer: ReturnType<typeof setTimeout> | undefined;

function set(next: boolean): void {
  if (typing === next) return;
  typing = next;
  for (const listener of listeners) listener();
}

function pauseSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (composing) pauseSoon();
    else set(false);
  }, TYPING_PAUSE_MS);
}

function onKey(event: Event): void {
  const target = event.composedPath()[0];
  if (!isEditable(target) || (target as Element).closest('[data-cm-dialog]')) return;
  set(true);
  pauseSoon();
}

function onComposition(event: Event): void {
  composing = event.type !== 'compositionend';
  onKey(event);
}

const EVENTS: readonly (readonly [string, (event: Event) => void])[] = [
  ['keydown', onKey],
  ['compositionstart', onComposition],
  ['compositionend', onComposition],
];

/** For `useSyncExternalStore`. Listens to the document while somebody wants to know. */
export function watchTyping(listener: () => void): () => void {
  if (listeners.size === 0) for (const [type, handler] of EVENTS) document.addEventListener(type, handler, true);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    for (const [type, handler] of EVENTS) document.removeEventListener(type, handler, true);
    clearTimeout(timer);
    typing = false;
    composing = false;
  };
}

export const isTyping = (): boolean => typing;

const TEXT_INPUTS = new Set([
  'text',
  'search',
  'email',
  'url',
  'tel',
  'password',
  'number',
  'date',
  'time',
  'month',
  'week',
  'datetime-local',
]);

/** A field that takes text: its keys are the person's words, not decisions. */
export function isEditable(target: unknown): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return TEXT_INPUTS.has(target.type) && !target.readOnly && !target.disabled;
  if (target instanceof HTMLTextAreaElement) return !target.readOnly && !target.disabled;
  return target.isContentEditable;
}
