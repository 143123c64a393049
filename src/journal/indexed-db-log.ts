import type { EncodedText } from '../protocol/wire.ts';
import type { SeqRange } from './events.ts';
import { databaseFault, type JournalDatabase, type Stored } from './indexed-db.ts';
import { contextOf, readRecords, unseal } from './indexed-db-records.ts';
import type { Seal } from './seal.ts';
import type { JournalLog, Removal } from './storage.ts';

export interface LogOptions {
  readonly sessionId: string;
  readonly seal: Seal | undefined;
  /** The open connection. @throws CodeModeError when it is gone */
  database(): Promise<JournalDatabase>;
  /** The log does not need the connection any more. */
  release(): void;
}

/** What is to be written, in the order it was asked for. */
type Write =
  | { readonly kind: 'event'; readonly seq: number; readonly text: string }
  | { readonly kind: 'value'; readonly ref: string; readonly text: EncodedText }
  | { readonly kind: 'remove'; readonly removal: Removal };

type Ready = { readonly write: Write; readonly record: Stored };

/** Reads a session and returns its log. @throws CodeModeError `storage_error` */
export async function createIndexedDbLog(options: LogOptions): Promise<JournalLog> {
  const { sessionId, seal } = options;
  const events = await readRecords(await options.database(), sessionId, 0, seal);
  return new IndexedDbLog(options, events);
}

/**
 * Writes in groups: what is asked for while a transaction is under way goes together into the next. A group is as durable
 * as the most demanding of it. Nothing is written after a fault.
 */
class IndexedDbLog implements JournalLog {
  readonly events: readonly unknown[];
  readonly #options: LogOptions;
  #waiting: Write[] = [];
  #strict = false;
  #next: Promise<void> | undefined;
  #current: Promise<void> = Promise.resolve();
  #listed = false;

  constructor(options: LogOptions, events: readonly unknown[]) {
    this.#options = options;
    this.events = events;
    this.#listed = events.length > 0;
  }

  append(events: Parameters<JournalLog['append']>[0], { durable, remove }: Parameters<JournalLog['append']>[1]): Promise<void> {
    if (remove) this.#waiting.push({ kind: 'remove', removal: remove });
    for (const event of events) this.#waiting.push({ kind: 'event', seq: event.seq, text: JSON.stringify(event) });
    this.#strict ||= durable;
    return this.#plan();
  }

  putValue(ref: string, text: EncodedText): Promise<void> {
    this.#waiting.push({ kind: 'value', ref, text });
    return this.#plan();
  }

  async getValue(ref: string): Promise<EncodedText | undefined> {
    await this.#settled();
    const { sessionId, seal, database } = this.#options;
    const key: [string, string] = [sessionId, ref];
    try {
      const record = await (await database()).get('values', key);
      return record === undefined ? undefined : await unseal(record, contextOf(key), seal);
    } catch (cause) {
      throw databaseFault(cause);
    }
  }

  async since(seq: number): Promise<readonly unknown[]> {
    await this.#settled();
    try {
      const { sessionId, seal, database } = this.#options;
      return await readRecords(await database(), sessionId, seq, seal);
    } catch (cause) {
      throw databaseFault(cause);
    }
  }

  async setAside(seq: number): Promise<void> {
    const { sessionId, database } = this.#options;
    const work = (await database()).transaction(['events', 'damaged'], 'readwrite');
    const [events, damaged] = [work.objectStore('events'), work.objectStore('damaged')];
    const range = IDBKeyRange.bound([sessionId, seq], [sessionId, []]);
    const [keys, records] = await Promise.all([events.getAllKeys(range), events.getAll(range)]);
    const now = Date.now();
    await Promise.all([...keys.map((key, i) => damaged.put(records[i]!, [...key, now])), events.delete(range), work.done]);
  }

  async close(): Promise<void> {
    await this.#settled();
    this.#options.release();
  }

  /** Until everything that was asked for is written, or has failed. */
  async #settled(): Promise<void> {
    await (this.#next ?? this.#current).catch(() => undefined);
  }

  /** One group at a time; the next takes all that is asked for until it begins. */
  #plan(): Promise<void> {
    this.#next ??= this.#current.then(() => {
      const [writes, strict] = [this.#waiting, this.#strict];
      this.#current = this.#next ?? this.#current;
      this.#next = undefined;
      this.#waiting = [];
      this.#strict = false;
      return this.#commit(writes, strict);
    });
    return this.#next;
  }

  async #commit(writes: readonly Write[], strict: boolean): Promise<void> {
    try {
      // Sealed before: a transaction does not wait for anything but itself.
      const ready = await Promise.all(writes.map((write) => this.#seal(write)));
      await this.#put(await this.#options.database(), ready, strict);
      this.#listed = true;
    } catch (cause) {
      throw databaseFault(cause);
    }
  }

  async #seal(write: Write): Promise<Ready> {
    const { seal, sessionId } = this.#options;
    if (!seal || write.kind === 'remove') return { write, record: write.kind === 'remove' ? '' : write.text };
    const key = write.kind === 'event' ? [sessionId, write.seq] : [sessionId, write.ref];
    return { write, record: await seal.seal(write.text, contextOf(key)) };
  }

  async #put(db: JournalDatabase, ready: readonly Ready[], strict: boolean): Promise<void> {
    const { sessionId } = this.#options;
    const work = db.transaction(['events', 'values', 'sessions'], 'readwrite', { durability: strict ? 'strict' : 'relaxed' });
    const [events, values] = [work.objectStore('events'), work.objectStore('values')];
    const requests: Promise<unknown>[] = [];
    for (const { write, record } of ready) {
      // `add` fails where the number is taken: of two writers only the first is right.
      if (write.kind === 'event') requests.push(events.add(record, [sessionId, write.seq]));
      else if (write.kind === 'value') requests.push(values.put(record, [sessionId, write.ref]));
      else {
        for (const range of write.removal.ranges) requests.push(events.delete(rangeOf(sessionId, range)));
        for (const ref of write.removal.refs) requests.push(values.delete([sessionId, ref]));
      }
    }
    if (!this.#listed) requests.push(work.objectStore('sessions').put({ createdAt: Date.now() }, sessionId));
    // Each request has a handler, the transaction says how it ended: all of it, or nothing.
    const outcomes = Promise.allSettled(requests);
    try {
      await work.done;
    } catch (cause) {
      const failed = (await outcomes).find((each) => each.status === 'rejected');
      throw failed && isTaken(failed.reason) ? failed.reason : cause;
    }
  }
}

function isTaken(reason: unknown): boolean {
  return (reason as { name?: unknown } | null)?.name === 'ConstraintError';
}

function rangeOf(sessionId: string, [from, to]: SeqRange): IDBKeyRange {
  return IDBKeyRange.bound([sessionId, from], [sessionId, to]);
}
