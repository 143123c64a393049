/** The guest's clock: whole milliseconds that never go back, every reading recorded for replays. */
import type { ClockReads } from '../../src/protocol/wire.ts';

export class ClockRecorder {
  readonly #now: () => number;
  /** Readings of a replay that have not been made again. */
  #script: ClockReads | undefined;
  #at = 0;
  #last = 0;
  /** The reading that the next entry counts from. */
  #base = 0;
  #times = 0;
  #reads: [number, number][] = [];

  /** @param script readings that the program gets first, and that are not recorded again */
  constructor(now: () => number, script?: ClockReads) {
    this.#now = now;
    if (script && script.length > 0) this.#script = script;
  }

  /**
   * One reading. Equal readings in a row are folded; as the clock ticks in milliseconds and never goes back, there are at
   * most 1,000 entries a second.
   */
  read(): number {
    if (this.#script !== undefined) return this.#readAgain(this.#script);
    const now = Math.max(Math.floor(this.#now()), this.#last);
    if (this.#times > 0 && now === this.#last) this.#times++;
    else {
      this.#close();
      this.#last = now;
      this.#times = 1;
    }
    return now;
  }

  #readAgain(script: ClockReads): number {
    const [ms, times] = script[this.#at]!;
    if (this.#times === 0) this.#base = this.#last += ms;
    if (++this.#times < times) return this.#last;
    this.#times = 0;
    if (++this.#at === script.length) this.#script = undefined;
    return this.#last;
  }

  #close(): void {
    if (this.#times === 0) return;
    this.#reads.push([this.#last - this.#base, this.#times]);
    this.#base = this.#last;
    this.#times = 0;
  }

  /** Readings since the last time this was asked. */
  take(): ClockReads {
    if (this.#script === undefined) this.#close();
    const reads = this.#reads;
    this.#reads = [];
    return reads;
  }
}
