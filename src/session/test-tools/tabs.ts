/** Pages of one browser that have one session open: who owns it, what they share, and owners that go. */
import type { JournalEvent } from '../../journal/events.ts';
import type { Seat } from '../../journal/ownership.ts';
import type { JournalLog, JournalStorage } from '../../journal/storage.ts';

export interface Tabs {
  /** The stored events. */
  readonly events: readonly JournalEvent[];
  /** The storage as the next page has it; the first page is the owner. */
  page(): JournalStorage;
  /** The owner's page is gone; the next one is told. */
  closeOwner(): void;
}

interface Place {
  isOwner: boolean;
  isGone: boolean;
  onRole: Parameters<Seat['onRole']>[0];
  onEvents: Parameters<Seat['onEvents']>[0];
  onAsk: Parameters<Seat['onAsk']>[0];
}

export function createTabs(): Tabs {
  const events: JournalEvent[] = [];
  let places: Place[] = [];
  return {
    events,
    closeOwner() {
      const [owner, next] = places;
      if (!owner || !next) throw new Error('There is no page to take the session over.');
      places = places.slice(1);
      owner.isGone = true;
      next.isOwner = true;
      next.onRole('owner');
    },
    page() {
      const place: Place = {
        isOwner: places.length === 0,
        isGone: false,
        onRole: () => undefined,
        onEvents: () => undefined,
        onAsk: () => Promise.reject(new Error('nobody answers')),
      };
      places.push(place);
      const log = (): JournalLog => ({
        events: [...events],
        append(news) {
          if (!place.isGone) events.push(...news);
          return place.isGone ? new Promise(() => {}) : undefined;
        },
        since: async (seq) => events.filter((event) => event.seq > seq),
        putValue: () => undefined,
        getValue: () => undefined,
        close: () => undefined,
      });
      const ownership = { join: async () => seatOf(place, () => places), whileFree: async () => false };
      return { open: log, list: () => [], delete: () => undefined, ownership };
    },
  };
}

function seatOf(place: Place, places: () => readonly Place[]): Seat {
  return {
    get role() {
      return place.isOwner ? 'owner' : 'viewer';
    },
    onRole: (listener) => void (place.onRole = listener),
    onEvents: (listener) => void (place.onEvents = listener),
    onAsk: (listener) => void (place.onAsk = listener),
    publish(news) {
      if (!place.isGone) for (const other of places()) if (other !== place) other.onEvents(news);
    },
    ask: async (question) => places()[0]?.onAsk(question),
    leave: () => undefined,
  };
}
