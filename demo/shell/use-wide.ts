import { useSyncExternalStore } from 'react';

/** Below this the two sides become tabs; styles/shell.css has the same number. */
const WIDE = '(min-width: 900px)';

/** True where two sides fit beside each other. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
