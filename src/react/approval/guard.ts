/**
 * The rules against accidental approval, without a DOM: when buttons become active and which clicks count.
 * Times are milliseconds of one monotonic clock, handed in by the caller.
 */

/** How a guard judges. `testGuard` of the testing entry makes one that takes synthetic events. */
export interface GuardPolicy {
  /** Quiet time after painting before anything decides. @default 500 */
  readonly periodMs?: number;
  /** Synthetic events decide too. Only a guard for tests says so, and a production build refuses it. */
  readonly acceptsUntrusted?: boolean;
}

/** Long enough for a click or a key press that was meant for what the dialog covered. */
export const GUARD_MS = 500;

/** A touch's click may come this long after the finger left. */
const CLICK_AFTER_UP_MS = 700;

export interface ClickFacts {
  readonly button: object;
  readonly trusted: boolean;
  /** True when the event says a pointer made it. */
  readonly pointer: boolean;
  readonly at: number;
}

interface Press {
  readonly on: object | undefined;
  /** The period was over when it began. */
  readonly open: boolean;
  endedAt?: number;
}

/** State of one dialog's guard. */
export interface GuardMachine {
  /** Starts the period: a question (or a new set of buttons) is on screen. */
  painted(at: number): void;
  /** Nothing decides until the next `painted`. */
  close(): void;
  /** A key or pointer that may have been meant for something else; restarts a period that is not over. */
  disturb(at: number): boolean;
  isOpen(at: number): boolean;
  /** Milliseconds until it opens, `undefined` when nothing is painted. */
  remaining(at: number): number | undefined;
  pointerDown(on: object | undefined, at: number): void;
  pointerUp(at: number): void;
  pointerCancel(): void;
  /** Enter or space went down; `repeat` never counts. */
  keyDown(on: object | undefined, repeat: boolean, at: number): void;
  keyUp(at: number): void;
  /** Whether this click decides. */
  accepts(click: ClickFacts): boolean;
}

export function createGuardMachine(policy: GuardPolicy = {}): GuardMachine {
  const period = policy.periodMs ?? GUARD_MS;
  let since: number | undefined;
  let pointer: Press | undefined;
  let key: Press | undefined;

  const isOpen = (at: number): boolean => since !== undefined && at - since >= period;
  const live = (press: Press | undefined, at: number): Press | undefined =>
    press && (press.endedAt === undefined || at - press.endedAt <= CLICK_AFTER_UP_MS) ? press : undefined;

  return {
    painted(at) {
      since = at;
    },
    close() {
      since = undefined;
    },
    disturb(at) {
      if (since === undefined || isOpen(at)) return false;
      since = at;
      return true;
    },
    isOpen,
    remaining: (at) => (since === undefined ? undefined : Math.max(0, period - (at - since))),
    pointerDown(on, at) {
      pointer = { on, open: isOpen(at) };
      key = undefined;
    },
    pointerUp(at) {
      if (pointer) pointer.endedAt = at;
    },
    pointerCancel() {
      pointer = undefined;
    },
    keyDown(on, repeat, at) {
      pointer = undefined;
      if (!repeat) key = { on, open: isOpen(at) };
    },
    keyUp(at) {
      if (key) key.endedAt = at;
    },
    accepts({ button, trusted, pointer: byPointer, at }) {
      if (!isOpen(at)) return false;
      if (policy.acceptsUntrusted) return true;
      if (!trusted) return false;
      const press = live(pointer, at);
      // A click that says it is a pointer's needs the whole sequence on this button; assistive technology has none.
      if (byPointer || press) return press !== undefined && press.on === button && press.open;
      const held = live(key, at);
      return held === undefined || (held.on === button && held.open);
    },
  };
}
