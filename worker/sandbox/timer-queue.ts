/** Timers of a program in the order they are due: by time, then by age. One timer of the host serves them all. */

export interface TimerQueueOptions {
  now(): number;
  schedule(callback: () => void, ms: number): () => void;
  /** The timers that are due, in order. */
  due(ids: readonly number[]): void;
}

interface Entry {
  readonly id: number;
  readonly at: number;
}

export class TimerQueue {
  readonly #options: TimerQueueOptions;
  #entries: Entry[] = [];
  #cancel: (() => void) | undefined;
  #held = false;

  constructor(options: TimerQueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.length;
  }

  has(id: number): boolean {
    return this.#entries.some((entry) => entry.id === id);
  }

  /** In a replay the record says when a timer fires; afterwards time does. */
  hold(held: boolean): void {
    this.#held = held;
    this.#arm();
  }

  /** Milliseconds until the next one, undefined without timers. */
  get nextMs(): number | undefined {
    const [first] = this.#entries;
    return first && Math.max(0, first.at - this.#options.now());
  }

  /** Takes ids and delays in turn. All new timers of one drain start at the same moment, so that their order depends on the program alone. */
  add(timers: readonly number[]): void {
    if (timers.length === 0) return;
    const now = Math.floor(this.#options.now());
    for (let i = 0; i < timers.length; i += 2) this.#entries.push({ id: timers[i]!, at: now + timers[i + 1]! });
    this.#entries.sort((a, b) => a.at - b.at || a.id - b.id);
    this.#arm();
  }

  remove(ids: readonly number[]): void {
    if (ids.length === 0) return;
    const gone = new Set(ids);
    this.#entries = this.#entries.filter((entry) => !gone.has(entry.id));
    this.#arm();
  }

  clear(): void {
    this.#entries = [];
    this.#arm();
  }

  #arm(): void {
    this.#cancel?.();
    const next = this.#held ? undefined : this.nextMs;
    this.#cancel = next === undefined ? undefined : this.#options.schedule(() => this.#fire(), Math.ceil(next));
  }

  #fire(): void {
    const now = this.#options.now();
    const count = this.#entries.findIndex((entry) => entry.at > now);
    const due = this.#entries.splice(0, count < 0 ? this.#entries.length : count);
    this.#arm();
    if (due.length > 0) this.#options.due(due.map((entry) => entry.id));
  }
}
