/// <reference types="vite/client" />
/** The stored journal, once the package has one. */
import type { JournalStorage } from 'react-code-mode/core';

interface JournalEntry {
  readonly indexedDbStorage?: (options: { readonly name: string }) => JournalStorage;
}

/** The public entry, where it exists. */
const entries = import.meta.glob<JournalEntry>('../../src/journal.ts');

let next = 0;

/** An empty one each time. @throws where the package has none */
export async function createStorage(): Promise<JournalStorage> {
  const [load] = Object.values(entries);
  const { indexedDbStorage } = (await load?.()) ?? {};
  if (!indexedDbStorage) throw new Error('the package has none yet');
  return indexedDbStorage({ name: `bench-${next++}` });
}
