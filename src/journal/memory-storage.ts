import type { EncodedText } from '../protocol/wire.ts';
import type { JournalEvent } from './events.ts';
import type { JournalLog, JournalStorage } from './storage.ts';

interface Shelf {
  readonly events: JournalEvent[];
  readonly values: Map<string, EncodedText>;
}

/** Journals that live as long as the page. `append` is done when it returns. */
export function memoryStorage(): JournalStorage {
  const shelves = new Map<string, Shelf>();
  const shelfOf = (sessionId: string): Shelf => {
    const known = shelves.get(sessionId);
    if (known) return known;
    const shelf: Shelf = { events: [], values: new Map() };
    shelves.set(sessionId, shelf);
    return shelf;
  };
  return {
    open: (sessionId) => openShelf(shelfOf(sessionId)),
    list: () => [...shelves.keys()],
    delete: (sessionId) => {
      shelves.delete(sessionId);
      return undefined;
    },
  };
}

function openShelf(shelf: Shelf): JournalLog {
  return {
    events: [...shelf.events],
    append(events) {
      for (const event of events) shelf.events.push(event);
      return undefined;
    },
    putValue(ref, text) {
      shelf.values.set(ref, text);
      return undefined;
    },
    getValue: (ref) => shelf.values.get(ref),
    close: () => undefined,
  };
}
