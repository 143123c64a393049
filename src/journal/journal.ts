/**
 * The append-only log of a session: opening, owning, recording, reading. Long, because these share one state: who owns the
 * journal, what is on its way to the storage, and what went wrong with it.
 */
import { CodeModeError } from '../errors.ts';
import type { Clock } from '../protocol/clock.ts';
import type { EncodedText } from '../protocol/wire.ts';
import { type EventData, type EventType, JOURNAL_VERSION, type JournalEvent, type SeqRange, type StoredValue } from './events.ts';
import { notOpen, notOwner, storageError, takenOver, unreadable } from './journal-errors.ts';
import type { Ownership, Seat } from './ownership.ts';
import type { AppendOptions, JournalLog, JournalStorage, Retention } from './storage.ts';

/** Text up to this many characters stands in the event itself; longer text goes to the value store once. */
export const INLINE_VALUE_CHARS = 32 * 1024;
const PREVIEW_CHARS = 200;

const DURABLE: AppendOptions = { durable: true };
const RELAXED: AppendOptions = { durable: false };
/** After these there may be a run too many. */
const RUN_ENDS = { 'run.completed': 0, 'run.failed': 0, 'run.cancelled': 0 };

/** The append-only log of one session: the only thing that is written, everything else is derived from it. */
export interface Journal {
  readonly sessionId: string;
  /** In order, from the first event of the session that is still kept. */
  readonly events: readonly JournalEvent[];
  /** Resolves when the storage is open; at once with memory storage. @throws CodeModeError `storage_error`, `environment_unsupported` */
  readonly opened: Promise<void> | undefined;
  /** Whether this page writes the session, or another one does and this follows it. `opening` for ever when it cannot be opened. */
  readonly ownership: Ownership;
  onOwnership(listener: (ownership: Ownership) => void): () => void;
  /** Records a fact. A fault of the storage shows at the next durable append. Does nothing in a viewer. */
  append<T extends EventType>(type: T, data: EventData[T], runId?: string): void;
  /**
   * Records a fact before anything follows from it. Nothing to wait for when the storage has it already.
   * @param lasting it must survive the machine, not just the page. @default true
   * @throws CodeModeError `storage_error`, `not_owner`
   */
  appendDurably<T extends EventType>(type: T, data: EventData[T], runId?: string, lasting?: boolean): Promise<void> | undefined;
  /** Puts a value where events can refer to it. */
  store(text: EncodedText): StoredValue;
  /** The text of a stored value. @throws CodeModeError `storage_error` when it is gone */
  load(value: StoredValue): Promise<EncodedText> | EncodedText;
  /** Hears of facts from now on: of this page, or of the owner's. What the storage held when it was opened is in `events` only. */
  subscribe(listener: (event: JournalEvent) => void): () => void;
  /** Viewer: asks the page that owns the session. @throws CodeModeError what the owner threw, or `storage_error` without an answer */
  ask(question: unknown): Promise<unknown>;
  /** Answers what viewers ask while this page owns the session. */
  onAsk(answer: (question: unknown) => Promise<unknown>): void;
  close(): Promise<void>;
}

/** Opens the journal of a session. A fault of the storage rejects every later durable append with `storage_error`. */
export function openJournal(storage: JournalStorage, sessionId: string, clock: Clock): Journal {
  return new SessionJournal(storage, sessionId, clock);
}

let nextRef = 1;

class SessionJournal implements Journal {
  readonly events: JournalEvent[] = [];
  readonly #storage: JournalStorage;
  readonly sessionId: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<(event: JournalEvent) => void>();
  /** The same as a list: made when they change, not with every fact. */
  #told: readonly ((event: JournalEvent) => void)[] = [];
  readonly #roleListeners = new Set<(ownership: Ownership) => void>();
  #ownership: Ownership = 'opening';
  #log: JournalLog | undefined;
  #seat: Seat | undefined;
  #answer: ((question: unknown) => Promise<unknown>) | undefined;
  #opening: Promise<void> | undefined;
  /** Last write; it has a handler for its failure. */
  #tail: Promise<void> | undefined;
  /** What a viewer still has to read, one after another. */
  #following: Promise<void> = Promise.resolve();
  #fault: CodeModeError | undefined;
  #lastSeq = 0;
  #unpublished: JournalEvent[] = [];
  #closed = false;

  constructor(storage: JournalStorage, sessionId: string, clock: Clock) {
    this.#storage = storage;
    this.sessionId = sessionId;
    this.#clock = clock;
    const opening = storage.ownership ? this.#join(storage.ownership.join(sessionId)) : this.#adopt(storage.open(sessionId));
    this.#opening = opening?.catch((cause: unknown) => {
      this.#fault = storageError(cause);
      throw this.#fault;
    });
    this.#opening?.catch(() => undefined); // whoever awaits `opened` sees it
  }

  get opened(): Promise<void> | undefined {
    if (this.#fault) return Promise.reject(this.#fault);
    return this.#ownership === 'opening' ? this.#opening : undefined;
  }

  get ownership(): Ownership {
    return this.#ownership;
  }

  onOwnership(listener: (ownership: Ownership) => void): () => void {
    this.#roleListeners.add(listener);
    return () => this.#roleListeners.delete(listener);
  }

  // Opening

  async #join(joining: Promise<Seat>): Promise<void> {
    const seat = await joining;
    this.#seat = seat;
    seat.onRole((role) => this.#changeRole(role));
    seat.onEvents((events) => this.#follow(events));
    seat.onAsk((question) => this.#answerAsked(question));
    await this.#adopt(this.#storage.open(this.sessionId));
  }

  #adopt(opened: Promise<JournalLog> | JournalLog): Promise<void> | undefined {
    if (isPromise(opened)) return opened.then((log) => this.#adopt(log));
    this.#log = opened;
    const role = this.#seat?.role ?? 'owner';
    const { events } = opened;
    if (events.length > 0 && !opened.ownEvents) return this.#absorb(events, role).then(() => this.#setOwnership(role));
    for (const event of events) this.#take(event as JournalEvent);
    return this.#setOwnership(role);
  }

  /** Takes stored records over. The owner clears an unreadable end away, so that it can write there. */
  async #absorb(records: readonly unknown[], role: Ownership): Promise<void> {
    if (records.length === 0) return;
    // Most pages never read a stored journal.
    const { readEvents } = await import('./stored-journal.ts');
    const { events, damage } = readEvents(records, this.sessionId, { after: this.#lastSeq });
    for (const event of events) this.#take(event);
    if (!damage || role !== 'owner') return;
    if (!this.#log?.setAside) throw unreadable(this.sessionId, damage);
    await this.#log.setAside(damage.fromSeq);
    void this.#record('journal.damaged', { ...damage }, undefined, RELAXED);
  }

  #setOwnership(ownership: Ownership): undefined {
    if (this.#ownership === ownership || this.#closed) return;
    this.#ownership = ownership;
    for (const listener of [...this.#roleListeners]) listener(ownership);
    if (ownership === 'owner') this.#trimSoon();
  }

  // Several pages

  #changeRole(role: 'owner' | 'viewer'): void {
    // While it is opened, the role is looked at last.
    if (this.#ownership === 'opening' || role === this.#ownership) return;
    if (role === 'viewer') {
      this.#fault ??= takenOver(this.sessionId);
      return this.#setOwnership('viewer');
    }
    this.#queue(async () => {
      await this.#absorb((await this.#log?.since?.(this.#lastSeq)) ?? [], 'owner');
      this.#setOwnership('owner');
    });
  }

  #follow(events: readonly JournalEvent[]): void {
    this.#queue(async () => {
      if (this.#ownership !== 'viewer' || this.#fault) return;
      const news = events.filter(({ seq }) => seq > this.#lastSeq);
      if (news.length === 0) return;
      const gap = news[0]?.seq !== this.#lastSeq + 1;
      await this.#absorb(gap ? ((await this.#log?.since?.(this.#lastSeq)) ?? []) : news, 'viewer');
    });
  }

  /** Opening comes first, then whatever arrived meanwhile. */
  #queue(work: () => Promise<void>): void {
    const before = this.#following;
    this.#following = (async () => {
      await before;
      await this.#opening;
      if (!this.#closed) await work();
    })().catch((cause: unknown) => {
      this.#fault ??= storageError(cause);
    });
  }

  async ask(question: unknown): Promise<unknown> {
    await this.opened;
    if (this.#seat && this.#ownership === 'viewer') return this.#seat.ask(question);
    return this.#answerAsked(question);
  }

  onAsk(answer: (question: unknown) => Promise<unknown>): void {
    this.#answer = answer;
  }

  async #answerAsked(question: unknown): Promise<unknown> {
    if (!this.#answer || this.#ownership !== 'owner') throw notOwner(this.sessionId);
    return this.#answer(question);
  }

  #publish(event: JournalEvent): void {
    if (!this.#seat) return;
    this.#unpublished.push(event);
    if (this.#unpublished.length > 1) return;
    queueMicrotask(() => this.#seat?.publish(this.#unpublished.splice(0)));
  }

  // Writing

  append<T extends EventType>(type: T, data: EventData[T], runId?: string): void {
    if (this.#ownership !== 'viewer') void this.#record(type, data, runId, RELAXED);
  }

  appendDurably<T extends EventType>(type: T, data: EventData[T], runId?: string, lasting = true): Promise<void> | undefined {
    if (this.#ownership === 'viewer') return Promise.reject(this.#fault ?? notOwner(this.sessionId));
    return this.#record(type, data, runId, lasting ? DURABLE : RELAXED);
  }

  #record<T extends EventType>(
    type: T,
    data: EventData[T],
    runId: string | undefined,
    options: AppendOptions,
  ): Promise<void> | undefined {
    const v = JOURNAL_VERSION;
    const seq = this.#lastSeq + 1;
    const time = this.#clock.now();
    const { sessionId } = this;
    const event = (runId === undefined
      ? { v, seq, time, sessionId, type, data }
      : { v, seq, time, sessionId, runId, type, data }) as unknown as JournalEvent;
    const tracked = this.#track(this.#fault ? Promise.reject(this.#fault) : this.#write(event, options));
    if (this.#seat)
      void (tracked
        ? tracked.then(
            () => this.#publish(event),
            () => undefined,
          )
        : this.#publish(event));
    this.#take(event);
    if (event.type in RUN_ENDS) this.#trimSoon();
    return tracked;
  }

  #write(event: JournalEvent, options: AppendOptions): Promise<void> | undefined {
    if (!this.#log) return Promise.reject(notOpen());
    try {
      return this.#log.append([event], options);
    } catch (cause) {
      return Promise.reject(storageError(cause));
    }
  }

  #track(work: Promise<void> | undefined): Promise<void> | undefined {
    if (!work) return undefined;
    const done = work.catch((cause: unknown) => {
      this.#fault ??= storageError(cause);
      throw this.#fault;
    });
    done.catch(() => undefined);
    this.#tail = done;
    return done;
  }

  /** A fact is there: for the log in memory and for everybody who listens. */
  #take(event: JournalEvent): void {
    if (event.type === 'journal.trimmed') this.#drop(event.data.ranges);
    this.events.push(event);
    this.#lastSeq = event.seq;
    // What was there when the storage was opened is history, not news.
    if (this.#ownership !== 'opening' || this.#fault) for (const listener of this.#told) tell(listener, event);
  }

  #drop(ranges: readonly SeqRange[]): void {
    const kept = this.events.filter(({ seq }) => !ranges.some(([from, to]) => from <= seq && seq <= to));
    this.events.length = 0;
    for (const event of kept) this.events.push(event);
  }

  /** After whoever waits for the end of a run. What fails is tried again at the next end. */
  #trimSoon(): void {
    const { retention } = this.#storage;
    if (retention) setTimeout(() => void this.#trim(retention).catch(() => undefined), 0);
  }

  async #trim(retention: Retention): Promise<void> {
    const { planTrim } = await import('./stored-journal.ts');
    if (this.#closed || this.#fault || this.#ownership !== 'owner') return;
    const plan = planTrim(this.events, retention, this.#clock.now());
    if (plan) void this.#record('journal.trimmed', plan.fact, undefined, { durable: false, remove: plan.removal });
  }

  // Values

  store(text: EncodedText): StoredValue {
    if (text.length <= INLINE_VALUE_CHARS) return { inline: text };
    const ref = `${this.sessionId}/${this.#lastSeq + 1}-${nextRef++}`;
    if (this.#ownership === 'owner') void this.#track(this.#log?.putValue(ref, text));
    return { ref, bytes: text.length, preview: text.slice(0, PREVIEW_CHARS) };
  }

  load(value: StoredValue): Promise<EncodedText> | EncodedText {
    if ('inline' in value) return value.inline;
    const check = (text: EncodedText | undefined): EncodedText => {
      if (text !== undefined) return text;
      throw new CodeModeError(
        'storage_error',
        `The value ${value.ref} is no longer stored. It was removed by retention or by another tab.`,
        { ref: value.ref },
      );
    };
    const found = this.#log?.getValue(value.ref);
    return isPromise(found) ? found.then(check) : check(found);
  }

  /** Bound: it is handed on by itself. */
  readonly subscribe = (listener: (event: JournalEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    this.#told = [...this.#listeners];
    return () => {
      this.#listeners.delete(listener);
      this.#told = [...this.#listeners];
    };
  };

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#told = [];
    this.#roleListeners.clear();
    await this.#opening?.catch(() => undefined);
    await this.#tail?.catch(() => undefined);
    this.#closed = true;
    await this.#following;
    await this.#log?.close();
    this.#seat?.leave();
  }
}

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

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === 'function';
}
