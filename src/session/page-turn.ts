/**
 * Room for the page between the calls of programs. One message may bring a thousand calls, and each may cost the page
 * milliseconds (a schema with a thousand problems, a catalogue of a thousand names): done in one go they would freeze it.
 */
import { nextTurn } from '../bridge/next-turn.ts';

/** What calls may take of one turn of the event loop: half a frame. Milliseconds. */
const TURN_MS = 8;
/** So few never wait: turns of their own would make ordinary programs slower. */
const FEW_CALLS = 4;
/** Part of a call's work comes after it was let in, unseen: so many at most begin in one turn before anything is known. */
const FREE_CALLS = 16;
const MAX_BATCH = 256;

/** Turns of the event loop, and a clock to measure them. */
export interface Turns {
  now(): number;
  /** Calls back in a later turn, after the page had a chance to do something else. */
  next(callback: () => void): void;
}

/** One for each run. */
export interface Breathing {
  /** A message has come, and with it a turn of its own. */
  turn(): void;
  /** `undefined` while this turn has time left, else a promise of a later one. First come, first served. */
  call(): Promise<void> | undefined;
}

export function createBreathing(turns: Turns = platformTurns): Breathing {
  const queue: (() => void)[] = [];
  let planned = false;
  let since = turns.now();
  let begun = 0;

  function next(): void {
    const now = turns.now();
    // As many as would have fitted into the last turn.
    const fitting = Math.floor((begun * TURN_MS) / Math.max(now - since, TURN_MS / MAX_BATCH));
    since = now;
    const turn = queue.splice(0, Math.min(MAX_BATCH, Math.max(1, fitting)));
    begun = turn.length;
    planned = begun > 0;
    if (planned) turns.next(next);
    for (const resume of turn) resume();
  }

  return {
    turn() {
      if (planned) return;
      since = turns.now();
      begun = 0;
    },
    call() {
      const free = begun < FEW_CALLS || (begun < FREE_CALLS && turns.now() - since < TURN_MS);
      if (queue.length === 0 && free) {
        begun++;
        return undefined;
      }
      if (!planned) turns.next(next);
      planned = true;
      return new Promise((resolve) => queue.push(resolve));
    },
  };
}

const platformTurns: Turns = { now: () => performance.now(), next: nextTurn };
