/** The database of journals: its layout by version, and how it is opened. The one file that knows idb. */
import {
  type DBSchema,
  deleteDB,
  type IDBPDatabase,
  type IDBPTransaction,
  openDB,
  type OpenDBCallbacks,
  type StoreNames,
} from 'idb';
import { CodeModeError, EnvironmentError } from '../errors.ts';

/** Session, then sequence number. */
export type EventKey = [sessionId: string, seq: number];
/** Session, then the reference. */
export type ValueKey = [sessionId: string, ref: string];
/** JSON of an event or a value's text, sealed where a seal is given. */
export type Stored = string | Uint8Array<ArrayBuffer>;

export interface JournalSchema extends DBSchema {
  events: { key: EventKey; value: Stored };
  values: { key: ValueKey; value: Stored };
  /** Since version 2. One row a session, so that listing them does not read their events. */
  sessions: { key: string; value: { readonly createdAt: number } };
  /** Since version 2. Records that could not be read, by their key and when they were set aside. */
  damaged: { key: [...EventKey, number]; value: Stored };
}

export type JournalDatabase = IDBPDatabase<JournalSchema>;
type Upgrade = IDBPTransaction<JournalSchema, StoreNames<JournalSchema>[], 'versionchange'>;

/** One step per version of the layout; the first makes version 1. */
export const MIGRATIONS: readonly ((db: JournalDatabase, upgrade: Upgrade) => Promise<void>)[] = [
  async (db) => {
    db.createObjectStore('events');
    db.createObjectStore('values');
  },
  async (db, upgrade) => {
    db.createObjectStore('damaged');
    const sessions = db.createObjectStore('sessions');
    for (const [id] of await upgrade.objectStore('events').getAllKeys())
      if (!(await sessions.getKey(id))) await sessions.put({ createdAt: Date.now() }, id);
  },
];

const PATIENCE_MS = 5_000;

export interface OpenOptions {
  readonly migrations?: typeof MIGRATIONS;
  /** How long another page may take to let go of an older layout. Milliseconds. @default 5000 */
  readonly patienceMs?: number;
  /** The connection is gone: a newer version of the page wants another layout, or the person cleared the site's data. */
  closed(why: CodeModeError): void;
}

/**
 * Opens the database, makes or updates its layout.
 * @throws EnvironmentError `environment_unsupported` where there is no IndexedDB to use
 * @throws CodeModeError `storage_error`
 */
export async function openDatabase(
  name: string,
  { migrations = MIGRATIONS, patienceMs = PATIENCE_MS, closed }: OpenOptions,
): Promise<JournalDatabase> {
  if (!hasIndexedDb()) throw noIndexedDb();
  let db: JournalDatabase | undefined;
  let migration: Promise<void> | undefined;
  const patience = createPatience(patienceMs, () => heldBack(name));
  const callbacks: OpenDBCallbacks<JournalSchema> = {
    upgrade(made, from, _to, upgrade) {
      migration = migrate(made, upgrade, migrations.slice(from));
      migration.catch(() => upgrade.abort());
      upgrade.done.catch(() => undefined); // the opening says it
    },
    blocked: patience.start,
    blocking() {
      db?.close();
      closed(replaced(name));
    },
    terminated: () => closed(terminated(name)),
  };
  // `open` itself throws where storage is forbidden.
  const opening = (async () => openDB<JournalSchema>(name, migrations.length, callbacks))();
  try {
    return (db = await Promise.race([opening, patience.over]));
  } catch (cause) {
    // When it opens after all, nobody waits for it any more.
    opening.then(
      (late) => late.close(),
      () => undefined,
    );
    const inStep: unknown = await migration?.then(
      () => undefined,
      (fault: unknown) => fault,
    );
    throw openFault(name, inStep ?? cause);
  } finally {
    patience.end();
  }
}

/** Fails after a while, once it was started. */
function createPatience(ms: number, fault: () => CodeModeError): { over: Promise<never>; start(): void; end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let fail: (error: CodeModeError) => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  return {
    over,
    start() {
      timer = setTimeout(() => fail(fault()), ms);
    },
    end: () => clearTimeout(timer),
  };
}

async function migrate(db: JournalDatabase, upgrade: Upgrade, steps: typeof MIGRATIONS): Promise<void> {
  for (const step of steps) await step(db, upgrade);
}

/** Deletes a whole database, for tests and for applications that want everything gone. */
export async function deleteDatabase(name: string): Promise<void> {
  if (hasIndexedDb()) await deleteDB(name);
}

/** Reading the property throws where a page may not store anything (a sandboxed frame, cookies blocked). */
function hasIndexedDb(): boolean {
  try {
    return typeof indexedDB === 'object' && indexedDB !== null;
  } catch {
    return false;
  }
}

function noIndexedDb(cause?: unknown): EnvironmentError {
  return new EnvironmentError(
    'environment_unsupported',
    'This page cannot use IndexedDB (not a browser, private browsing, a sandboxed frame, or storage is blocked), so nothing would survive a reload. Leave `storage` out to keep journals in memory.',
    {},
    { cause },
  );
}

function openFault(name: string, cause: unknown): CodeModeError {
  if (cause instanceof CodeModeError) return cause;
  const kind = (cause as { name?: unknown } | undefined)?.name;
  // What browsers say in private windows and where storage is blocked.
  if (kind === 'SecurityError' || kind === 'InvalidStateError' || kind === 'NotSupportedError') return noIndexedDb(cause);
  if (kind === 'VersionError') {
    return new CodeModeError(
      'storage_error',
      `The database ${name} was made by a newer version of react-code-mode. Nothing was changed. Reload the page to get the newer version.`,
      { name },
      { cause },
    );
  }
  return databaseFault(cause);
}

/** A fault of a transaction, in words. */
export function databaseFault(cause: unknown): CodeModeError {
  if (cause instanceof CodeModeError) return cause;
  const { name: kind, message } = (cause ?? {}) as { name?: string; message?: string };
  if (kind === 'QuotaExceededError') {
    return new CodeModeError(
      'storage_error',
      "The browser's storage for this site is full, so nothing more can be recorded and nothing more is run. Delete old conversations, or set `retention`.",
      { quota: true },
      { cause },
    );
  }
  if (kind === 'ConstraintError') {
    return new CodeModeError(
      'storage_error',
      'Another tab or window wrote to this conversation at the same time. Nothing was run here. Reload to go on from what it wrote.',
      { conflict: true },
      { cause },
    );
  }
  return new CodeModeError(
    'storage_error',
    `The database of journals failed (${message ?? kind ?? 'unknown reason'}). Calls that need a durable record are refused. Reload the page to try again.`,
    {},
    { cause },
  );
}

function heldBack(name: string): CodeModeError {
  return new CodeModeError(
    'storage_error',
    `Another tab holds an older layout of the database ${name} open and does not let go. Close the other tabs of this site, then reload.`,
    { name },
  );
}

function replaced(name: string): CodeModeError {
  return new CodeModeError(
    'storage_error',
    `A newer version of this page changes the layout of the database ${name}. Nothing more is recorded or run here. Reload the page.`,
    { name },
  );
}

function terminated(name: string): CodeModeError {
  return new CodeModeError(
    'storage_error',
    `The browser closed the database ${name} (its data was cleared, or the disk failed). Nothing more is recorded or run here. Reload the page.`,
    { name },
  );
}
