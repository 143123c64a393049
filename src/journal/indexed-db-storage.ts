import { CodeModeError } from '../errors.ts';
import { databaseFault, type JournalDatabase, openDatabase } from './indexed-db.ts';
import { createIndexedDbLog } from './indexed-db-log.ts';
import { keysOf, readRecords } from './indexed-db-records.ts';
import type { SessionOwnership } from './ownership.ts';
import { readEvents } from './read-events.ts';
import { hasOpenRun } from './retention.ts';
import type { Seal } from './seal.ts';
import type { JournalLog, JournalStorage, Retention } from './storage.ts';
import { tabOwnership } from './tab-ownership.ts';

export interface IndexedDbStorageOptions {
  /** Name of the database. Pages of one origin that use the same name share sessions. @default 'react-code-mode' */
  readonly name?: string;
  /** Encrypts events and values. @default none: they are stored as clear text, readable by every script of the origin and on the disk */
  readonly seal?: Seal;
  /** @default everything stays */
  readonly retention?: Retention;
  /** Who may write when several pages have a session open. @default Web Locks, or a lease where there are none */
  readonly ownership?: SessionOwnership;
}

/**
 * Journals that survive a reload, in the browser's IndexedDB. One page writes a session, the others follow it.
 * Touches nothing before a session is opened, so it may be made during server rendering.
 */
export function indexedDbStorage(options: IndexedDbStorageOptions = {}): JournalStorage {
  const { name = 'react-code-mode', seal, retention, ownership = tabOwnership(name) } = options;
  const connection = createConnection(name);
  let swept = false;

  return {
    ownership,
    ...(retention && { retention }),
    async open(sessionId): Promise<JournalLog> {
      const release = connection.hold();
      try {
        const log = await createIndexedDbLog({ sessionId, seal, database: connection.get, release });
        if (retention?.maxAgeMs !== undefined && !swept) {
          swept = true;
          const { maxAgeMs } = retention;
          setTimeout(() => void sweep(sessionId, maxAgeMs), 0);
        }
        return log;
      } catch (cause) {
        release();
        throw databaseFault(cause);
      }
    },
    list: () => connection.use((db) => db.getAllKeys('sessions')),
    async delete(sessionId) {
      const done = await ownership.whileFree(sessionId, () => connection.use((db) => remove(db, sessionId)));
      if (!done) throw stillOpen(sessionId);
    },
  };

  /** Sessions that nobody has opened for long. What fails here is tried again by the next page. */
  async function sweep(current: string, maxAgeMs: number): Promise<void> {
    try {
      for (const sessionId of await connection.use((db) => db.getAllKeys('sessions'))) {
        if (sessionId === current) continue;
        await ownership.whileFree(sessionId, () =>
          connection.use(async (db) => {
            if (await isIdle(db, sessionId, maxAgeMs, seal)) await remove(db, sessionId);
          }),
        );
      }
    } catch {
      // a sweep is no reason to fail anything
    }
  }
}

/** One connection for all sessions, open as long as one of them is. */
function createConnection(name: string): {
  get(): Promise<JournalDatabase>;
  hold(): () => void;
  use<T>(work: (db: JournalDatabase) => Promise<T>): Promise<T>;
} {
  let opening: Promise<JournalDatabase> | undefined;
  let fault: CodeModeError | undefined;
  let holders = 0;
  const get = (): Promise<JournalDatabase> => {
    if (fault) return Promise.reject(fault);
    opening ??= openDatabase(name, {
      closed: (why) => {
        fault = why;
        opening = undefined;
      },
    });
    const current = opening;
    // One that failed to open is tried again by whoever comes next.
    current.catch(() => {
      if (opening === current) opening = undefined;
    });
    return current;
  };
  const hold = (): (() => void) => {
    holders++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      holders--;
      if (holders > 0 || !opening) return;
      void opening.then((db) => db.close()).catch(() => undefined);
      opening = undefined;
    };
  };
  return {
    get,
    hold,
    async use(work) {
      const release = hold();
      try {
        return await work(await get());
      } catch (cause) {
        throw databaseFault(cause);
      } finally {
        release();
      }
    },
  };
}

async function remove(db: JournalDatabase, sessionId: string): Promise<void> {
  const stores = ['events', 'values', 'sessions', 'damaged'] as const;
  const work = db.transaction(stores, 'readwrite');
  const range = keysOf(sessionId);
  await Promise.all([
    work.objectStore('events').delete(range),
    work.objectStore('values').delete(range),
    work.objectStore('damaged').delete(range),
    work.objectStore('sessions').delete(sessionId),
    work.done,
  ]);
}

async function isIdle(db: JournalDatabase, sessionId: string, maxAgeMs: number, seal: Seal | undefined): Promise<boolean> {
  const { events } = readEvents(await readRecords(db, sessionId, 0, seal), sessionId);
  const last = events.at(-1);
  return last !== undefined && Date.now() - last.time > maxAgeMs && !hasOpenRun(events);
}

function stillOpen(sessionId: string): CodeModeError {
  return new CodeModeError(
    'storage_error',
    `The session ${sessionId} is open, here or in another tab, and cannot be deleted. Dispose or close it first.`,
    { sessionId },
  );
}
