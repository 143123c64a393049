/** What a program costs: time in the engine, and the reasons to stop it. */

export type StopReason = 'timeout' | 'cancelled';

export interface MeterOptions {
  /** Milliseconds the program may compute. */
  readonly budgetMs: number;
  now(): number;
  /** Non-zero cancels. */
  readonly cancelFlag: Int32Array | undefined;
}

/** Between two polls of running code pass 0.2–0.3 ms; a longer silence means that one native function ran through. */
const NATIVE_MS = 100;
/** A jump of the clock above this is a suspended machine or a throttled tab, not computing. */
const SLEEP_MS = 5_000;
/** For reading out what a stopped program had written. Only code of the prelude runs then. */
const GRACE_MS = 250;

export class Meter {
  readonly #options: MeterOptions;
  #computeMs = 0;
  #entered = 0;
  #polled = 0;
  #slept = 0;
  #depth = 0;
  #stop: StopReason | undefined;
  #graceUntil = 0;
  /** True when the program was stopped inside a native function that does not poll. */
  stoppedInNative = false;

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  get computeMs(): number {
    return this.#computeMs;
  }

  /** The clock when the engine was last left. */
  get lastTime(): number {
    return this.#polled;
  }

  /** Set once: after it nothing of the program runs any more. */
  get stopReason(): StopReason | undefined {
    return this.#stop;
  }

  cancel(): void {
    this.#stop ??= 'cancelled';
  }

  /** Runs one entry into the engine and charges for it. */
  enter<T>(work: () => T): T {
    if (this.#depth++ === 0) this.#begin();
    try {
      return work();
    } finally {
      if (--this.#depth === 0) this.#end();
    }
  }

  #begin(): void {
    this.#entered = this.#polled = this.#options.now();
    this.#slept = 0;
  }

  #end(): void {
    const now = this.#options.now();
    this.#noteJump(now);
    this.#computeMs += now - this.#entered - this.#slept;
  }

  #noteJump(now: number): void {
    if (now - this.#polled > SLEEP_MS) this.#slept += now - this.#polled;
    this.#polled = now;
  }

  /** True when the budget is used up or somebody wants the program to end: checked before each further step. */
  mustStop(): boolean {
    if (this.#stop === undefined) {
      if (this.#flagged()) this.#stop = 'cancelled';
      else if (this.#computeMs > this.#options.budgetMs) this.#stop = 'timeout';
    }
    return this.#stop !== undefined;
  }

  /** The engine's poll from inside of running code. Once it says stop it says so for ever. */
  poll(): boolean {
    const now = this.#options.now();
    if (this.#graceUntil > 0) return now > this.#graceUntil;
    if (this.#stop !== undefined) return true;
    const silence = now - this.#polled;
    this.#noteJump(now);
    if (this.#flagged()) this.#stop = 'cancelled';
    else if (this.#computeMs + now - this.#entered - this.#slept > this.#options.budgetMs) this.#stop = 'timeout';
    if (this.#stop === undefined) return false;
    this.stoppedInNative = silence > NATIVE_MS;
    return true;
  }

  #flagged(): boolean {
    const flag = this.#options.cancelFlag;
    return flag !== undefined && Atomics.load(flag, 0) !== 0;
  }

  /** Lets the prelude's own code run after the program was stopped. */
  grace<T>(work: () => T): T {
    this.#graceUntil = this.#options.now() + GRACE_MS;
    try {
      return work();
    } finally {
      this.#graceUntil = 0;
    }
  }
}
