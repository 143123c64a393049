import { CodeModeError } from '../errors.ts';
import type { Clock } from '../protocol/clock.ts';
import type { EncodedText } from '../protocol/wire.ts';
import { type EventData, type EventType, JOURNAL_VERSION, type JournalEvent, type StoredValue } from './events.ts';
import type { JournalLog, JournalStorage } from './storage.ts';

/** Text up to this many characters stands in the event itself; longer text goes to the value store once. */
export const INLINE_VALUE_CHARS = 32 * 1024;
const PREVIEW_CHARS = 200;

/** The append-only log of one session: the only thing that is written, everything else is derived from it. */
export interface Journal {
  /** In order, from the first event of the session. */
  readonly events: readonly JournalEvent[];
  /** Resolves when the storage is open; at once with memory storage. @throws CodeModeError `storage_error` */
  readonly opened: Promise<void> | undefined;
  /** Records a fact. A fault of the storage shows at the next durable append. */
  append<T extends EventType>(type: T, data: EventData[T], runId?: string): void;
  /** Records a fact that must survive before anything follows from it. Nothing to wait for when the storage has it already. */
  appendDurably<T extends EventType>(type: T, data: EventData[T], runId?: string): Promise<void> | undefined;
  /** Puts a value where events can refer to it. */
  store(text: EncodedText): StoredValue;
  /** The text of a stored value. @throws CodeModeError `storage_error` when it is gone */
  load(value: StoredValue): Promise<EncodedText> | EncodedText;
  subscribe(listener: (event: JournalEvent) => void): () => void;
  close(): Promise<void>;
}

/** Opens the journal of a session. A fault of the storage rejects every later durable append with `storage_error`. */
export function openJournal(storage: JournalStorage, sessionId: string, clock: Clock): Journal {
  const events: JournalEvent[] = [];
  const listeners = new Set<(event: JournalEvent) => void>();
  let log: JournalLog | undefined;
  let opening: Promise<void> | undefined;
  let tail: Promise<void> | undefined;
  let fault: CodeModeError | undefined;

  const adopt = (opened: JournalLog): void => {
    log = opened;
    events.push(...opened.events);
  };
  const first = storage.open(sessionId);
  if (isPromise(first)) {
    opening = first.then(adopt, (cause: unknown) => {
      fault = storageError(cause);
      throw fault;
    });
    opening.catch(() => undefined); // whoever awaits `opened` sees it
  } else adopt(first);

  const track = (work: Promise<void>): Promise<void> => {
    const done = work.catch((cause: unknown) => {
      fault ??= storageError(cause);
      throw fault;
    });
    done.catch(() => undefined);
    tail = done;
    return done;
  };

  const record = <T extends EventType>(
    type: T,
    data: EventData[T],
    runId: string | undefined,
    durable: boolean,
  ): Promise<void> | undefined => {
    const seq = events.length + 1;
    const event = {
      v: JOURNAL_VERSION,
      seq,
      time: clock.now(),
      sessionId,
      ...(runId !== undefined && { runId }),
      type,
      data,
    } as unknown as JournalEvent;
    events.push(event);
    const pending = fault ? Promise.reject(fault) : write(log, event, durable);
    const tracked = pending && track(pending);
    for (const listener of [...listeners]) tell(listener, event);
    return tracked;
  };

  return {
    events,
    get opened() {
      return log || fault ? (fault ? Promise.reject(fault) : undefined) : opening;
    },
    append: (type, data, runId) => void record(type, data, runId, false),
    appendDurably: (type, data, runId) => record(type, data, runId, true),
    store(text) {
      if (text.length <= INLINE_VALUE_CHARS) return { inline: text };
      const ref = `${sessionId}/${events.length + 1}-${nextRef++}`;
      const pending = log?.putValue(ref, text);
      if (pending) void track(pending);
      return { ref, bytes: text.length, preview: text.slice(0, PREVIEW_CHARS) };
    },
    load(value) {
      if ('inline' in value) return value.inline;
      const found = log?.getValue(value.ref);
      const check = (text: EncodedText | undefined): EncodedText => {
        if (text === undefined)
          throw new CodeModeError(
            'storage_error',
            `The value ${value.ref} is no longer stored. It was removed by retention or by another tab.`,
            { ref: value.ref },
          );
        return text;
      };
      return isPromise(found) ? found.then(check) : check(found);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      await tail?.catch(() => undefined);
      await log?.close();
    },
  };
}

let nextRef = 1;

/** A listener that throws is the listener's fault: the record is kept, the others hear of it, and it shows as an uncaught error. */
function tell(listener: (event: JournalEvent) => void, event: JournalEvent): void {
  try {
    listener(event);
  } catch (error) {
    const { reportError } = globalThis as { reportError?: (error: unknown) => void };
    if (reportError) reportError(error);
    else
      queueMicrotask(() => {
        throw error;
      });
  }
}

function write(log: JournalLog | undefined, event: JournalEvent, durable: boolean): Promise<void> | undefined {
  if (!log)
    return Promise.reject(new CodeModeError('storage_error', 'The journal is not open yet. Wait for `opened` before appending.'));
  try {
    return log.append([event], { durable });
  } catch (cause) {
    return Promise.reject(storageError(cause));
  }
}

function storageError(cause: unknown): CodeModeError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CodeModeError(
    'storage_error',
    `The journal could not be written (${why}). Calls that need a durable record are refused until the storage works again.`,
    {},
    { cause },
  );
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === 'function';
}
