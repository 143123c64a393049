/** The stored journal. */
import type { JournalStorage } from 'react-code-mode/core';

/** Databases of an earlier page of this browser are none of ours. */
const page = Math.random().toString(36).slice(2);
let next = 0;

/** An empty one each time. */
export async function createStorage(): Promise<JournalStorage> {
  const { indexedDbStorage } = await import('react-code-mode/journal');
  return indexedDbStorage({ name: `bench-${page}-${next++}` });
}
