/** How long a run has run, as its facts tell: without waiting, and without the time in which no page was open. */
import type { JournalEvent } from './events.ts';

export class RunTime {
  #ms = 0;
  /** Time of the last fact while it runs. */
  #last: number | undefined;

  /** Up to the last fact. Milliseconds. */
  get ms(): number {
    return this.#ms;
  }

  add({ type, time }: Pick<JournalEvent, 'type' | 'time'>): void {
    switch (type) {
      // Written by the next page: nobody knows when the one before was gone.
      case 'tool_call.interrupted':
      case 'run.interrupted':
        this.#last = undefined;
        return;
      case 'run.started':
      case 'run.resumed':
        this.#last ??= time;
        return this.#tick(time);
      // `run.waiting` follows at once, unless the page is gone in between.
      case 'approval.requested':
      case 'tool_call.deferred':
      case 'run.waiting':
        this.#tick(time);
        this.#last = undefined;
        return;
      default:
        return this.#tick(time);
    }
  }

  #tick(time: number): void {
    if (this.#last === undefined) return;
    this.#ms += Math.max(0, time - this.#last);
    this.#last = time;
  }
}
