import { useSyncExternalStore } from 'react';

export const VIEWS = ['program', 'chat', 'trace'] as const;
export type View = (typeof VIEWS)[number];

/** The view of the address (`#chat`, `#program?example=deadlock`), so that reload and Back work. */
export function useView(): readonly [View, (view: View) => void] {
  return [useSyncExternalStore(subscribe, current), show];
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

function current(): View {
  const [word] = location.hash.slice(1).split('?');
  return VIEWS.find((view) => view === word) ?? 'program';
}

function show(view: View): void {
  location.hash = view;
}
