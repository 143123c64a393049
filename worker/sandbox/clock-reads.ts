/** The guest's clock: whole milliseconds that never go back, every reading recorded for replays. */
import type { ClockReads } from '../../src/protocol/wire.ts';

export class ClockRecorder {
  readonly #now: () => number;
  #last = 0;
  /** The reading that the next entry counts from. */
  #base = 0;
  #times = 0;
  #reads: [number, number][] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * One reading. Equal readings in a row are folded; as the clock ticks in milliseconds and never goes back, there are at
   * most 1,000 entries a second.
   */
  read(): number {
    const now = Math.max(Math.floor(this.#now()), this.#last);
    if (this.#times > 0 && now === this.#last) this.#times++;
    else {
      this.#close();
      this.#last = now;
      this.#times = 1;
    }
    return now;
  }

  #close(): void {
    if (this.#times === 0) return;
    this.#reads.push([this.#last - this.#base, this.#times]);
    this.#base = this.#last;
    this.#times = 0;
  }

  /** Readings since the last time this was asked. */
  take(): ClockReads {
    this.#close();
    const reads = this.#reads;
    this.#reads = [];
    return reads;
  }
}
