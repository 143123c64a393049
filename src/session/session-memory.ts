/** What a session knows about the globals that its programs leave in a worker (`state: 'session'`). */
import type { JournalEvent } from '../journal/events.ts';

/** Engine name of calls without a program: they leave no globals. */
export const NO_ENGINE = 'direct';

export class SessionMemory {
  readonly #events: () => readonly JournalEvent[];
  /** A program ran that a later one may build on; unknown until the first run looks into the journal. */
  #expected: boolean | undefined;
  #gone = false;

  constructor(events: () => readonly JournalEvent[]) {
    this.#events = events;
  }

  /** No program has run in this page yet. */
  get isUnknown(): boolean {
    return this.#expected === undefined;
  }

  /**
   * A program of the session starts; its own `run.started` is in the journal.
   * @param fresh its worker keeps nothing of earlier runs
   * @param restart it does not want to
   * @returns true when what earlier programs declared is gone, and nobody knows yet
   */
  begins(fresh: boolean, restart: boolean): boolean {
    const expected = this.#expected ?? ranBefore(this.#events());
    const lost = expected && !restart && (fresh || this.#gone);
    this.#expected = true;
    this.#gone = false;
    return lost;
  }

  /** The worker that kept the globals was ended, or had to drop them. */
  lose(): void {
    this.#gone = true;
  }

  /** Somebody asked to forget them: from now on nobody misses them. */
  forget(): void {
    this.#expected = false;
    this.#gone = false;
  }
}

/** In an earlier life of the session. The last start is the asking program's own. */
function ranBefore(events: readonly JournalEvent[]): boolean {
  return events.filter((event) => event.type === 'run.started' && event.data.engine !== NO_ENGINE).length > 1;
}
