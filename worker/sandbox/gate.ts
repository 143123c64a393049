/** The one way into the engine during a run: charges for it, stops it, and remembers when the engine broke. */
import type { Meter } from './meter.ts';
import { EngineFault, GuestThrow, type Realm } from './realm.ts';

/** The meter says that the program must end. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export class Gate {
  readonly #realm: Realm;
  readonly #meter: Meter;
  #broken = false;

  constructor(realm: Realm, meter: Meter) {
    this.#realm = realm;
    this.#meter = meter;
  }

  /** True when nothing may enter the engine any more, not even to free something. */
  get broken(): boolean {
    return this.#broken;
  }

  /** @throws Stopped, GuestThrow, EngineFault */
  enter<T>(work: () => T): T {
    try {
      return this.#meter.enter(work);
    } catch (error) {
      this.note(error);
      if (this.#meter.stopReason === undefined || !(error instanceof GuestThrow)) throw error;
      this.#realm.free(error.thrown);
      throw new Stopped();
    }
  }

  /** @throws Stopped */
  check(): void {
    if (this.#meter.mustStop()) throw new Stopped();
  }

  /** Remembers a fault. Want of memory leaves the engine whole. */
  note(error: unknown): void {
    if (error instanceof EngineFault && error.kind !== 'memory_limit') this.#broken = true;
  }
}
