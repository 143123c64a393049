import { CodeModeError } from '../errors.ts';
import type { EncodedText } from '../protocol/wire.ts';
import type { JournalEvent } from './events.ts';
import type { JournalLog, JournalStorage, Removal, Retention } from './storage.ts';

interface Shelf {
  events: JournalEvent[];
  readonly values: Map<string, EncodedText>;
}

export interface MemoryStorageOptions {
  /** @default everything stays */
  readonly retention?: Retention;
}

/** Journals that live as long as the page. `append` is done when it returns. */
export function memoryStorage({ retention }: MemoryStorageOptions = {}): JournalStorage {
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
    list: () => [...shelves].flatMap(([id, { events }]) => (events.length > 0 ? [id] : [])),
    delete: (sessionId) => {
      shelves.delete(sessionId);
      return undefined;
    },
    ...(retention && { retention }),
  };
}

function openShelf(shelf: Shelf): JournalLog {
  return {
    events: [...shelf.events],
    ownEvents: true,
    append(events, { remove }) {
      const [first] = events;
      if (first && first.seq <= (shelf.events.at(-1)?.seq ?? 0)) throw taken(first);
      if (remove) removeFrom(shelf, remove);
      for (const event of events) shelf.events.push(event);
      return undefined;
    },
    putValue(ref, text) {
      shelf.values.set(ref, text);
      return undefined;
    },
    getValue: (ref) => shelf.values.get(ref),
    setAside(seq) {
      shelf.events = shelf.events.filter((event) => event.seq < seq);
      return undefined;
    },
    close: () => undefined,
  };
}

function taken({ sessionId, seq }: JournalEvent): CodeModeError {
  return new CodeModeError(
    'storage_error',
    `The session ${sessionId} is written by somebody else, too: its event ${seq} is there already. Open each session once.`,
    { sessionId, seq },
  );
}

function removeFrom(shelf: Shelf, { ranges, refs }: Removal): void {
  shelf.events = shelf.events.filter(({ seq }) => !ranges.some(([from, to]) => from <= seq && seq <= to));
  for (const ref of refs) shelf.values.delete(ref);
}
