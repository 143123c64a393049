import type { EncodedText } from '../protocol/wire.ts';
import type { JournalEvent } from './events.ts';

export interface AppendOptions {
  /** Resolve only when the events would survive the end of the process. */
  readonly durable: boolean;
}

/** One session's log in some store. */
export interface JournalLog {
  /** What was there when it was opened. */
  readonly events: readonly JournalEvent[];
  /** In order. May return nothing when it is done at once. @throws CodeModeError `storage_error` */
  append(events: readonly JournalEvent[], options: AppendOptions): Promise<void> | undefined;
  putValue(ref: string, text: EncodedText): Promise<void> | undefined;
  getValue(ref: string): Promise<EncodedText | undefined> | EncodedText | undefined;
  close(): Promise<void> | undefined;
}

/** Where journals live. Memory by default; an application brings its own to survive a reload. */
export interface JournalStorage {
  open(sessionId: string): Promise<JournalLog> | JournalLog;
  list(): Promise<readonly string[]> | readonly string[];
  delete(sessionId: string): Promise<void> | undefined;
}
