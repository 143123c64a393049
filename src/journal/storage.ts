import type { EncodedText } from '../protocol/wire.ts';
import type { JournalEvent, SeqRange } from './events.ts';
import type { SessionOwnership } from './ownership.ts';

/** Events and values that go, in the same step as what is appended. */
export interface Removal {
  readonly ranges: readonly SeqRange[];
  readonly refs: readonly string[];
}

export interface AppendOptions {
  /**
   * Resolve only when the events would survive the end of the machine, not just of the page. Without it the promise
   * resolves when they would survive the end of the page.
   */
  readonly durable: boolean;
  readonly remove?: Removal;
}

/** One session's log in some store. Everything is done in the order it was asked for. */
export interface JournalLog {
  /** What was there when it was opened, in order, as it was written: by older versions, or damaged. `openJournal` judges it. */
  readonly events: readonly unknown[];
  /** All of them were written by this very code, so there is nothing to judge (memory). @default false */
  readonly ownEvents?: boolean;
  /**
   * In order, all or nothing. May return nothing when it is done at once. Refuses a sequence number that is taken, so that
   * two writers cannot both be right.
   * @throws CodeModeError `storage_error`
   */
  append(events: readonly JournalEvent[], options: AppendOptions): Promise<void> | undefined;
  putValue(ref: string, text: EncodedText): Promise<void> | undefined;
  getValue(ref: string): Promise<EncodedText | undefined> | EncodedText | undefined;
  /** What was written after `seq`, by whoever. Needed where a storage has an `ownership`. */
  since?(seq: number): Promise<readonly unknown[]>;
  /** Takes unreadable records from `seq` on out of the way, so that the log can go on there. Without it a damaged log cannot be opened. */
  setAside?(seq: number): Promise<void> | undefined;
  close(): Promise<void> | undefined;
}

/** What may stay of finished runs. Open runs are never touched, and the newest run stays whatever its size. */
export interface Retention {
  /** Runs of a session. */
  readonly maxRuns?: number;
  /** UTF-16 units of a session's events and values. */
  readonly maxBytes?: number;
  /** Milliseconds since a run's last event. Sessions that nobody opened for so long and that have no open run go as a whole. */
  readonly maxAgeMs?: number;
}

/** Where journals live. Memory by default; an application brings its own to survive a reload. */
export interface JournalStorage {
  open(sessionId: string): Promise<JournalLog> | JournalLog;
  list(): Promise<readonly string[]> | readonly string[];
  /** @throws CodeModeError `storage_error` while a page writes to the session */
  delete(sessionId: string): Promise<void> | undefined;
  /** Who may write when several pages have one session open. @default this page */
  readonly ownership?: SessionOwnership;
  /** @default everything stays */
  readonly retention?: Retention;
}
