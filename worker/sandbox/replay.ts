/** A program's way back to where it was: the recorded replies and timers, in the order in which it got them. */
import type { Delivery, ProgramFailure, ReplayScript, WireReply } from '../../src/protocol/wire.ts';

export class Replay {
  readonly #script: ReplayScript;
  readonly #replies: ReadonlyMap<number, WireReply>;
  #at = 0;

  constructor(script: ReplayScript) {
    this.#script = script;
    this.#replies = new Map(script.replies.map((reply) => [reply.id, reply]));
  }

  /** What the program got next; undefined when it is where it was. */
  get next(): Delivery | undefined {
    return this.#script.deliveries[this.#at];
  }

  /** The reply that was delivered; undefined when the record lacks it. */
  replyTo(call: number): WireReply | undefined {
    return this.#replies.get(call);
  }

  passed(): void {
    this.#at++;
  }

  /** The program does not want what it got the last time. */
  failure(): ProgramFailure {
    const { next } = this;
    const what = next === undefined ? 'nothing more' : next.kind === 'timer' ? 'a timer' : `the reply to call ${next.id}`;
    const message = `The program went another way than the last time: at step ${this.#at + 1} of ${this.#script.deliveries.length} it was to get ${what}, and did not wait for it. Nothing was executed. Start it again, or change it.`;
    return { code: 'replay_diverged', name: 'CodeModeError', message };
  }
}

/** Ends that say nothing about the way a program went. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set([
  'cancelled',
  'timeout',
  'memory_limit',
  'executor_crashed',
  'replay_diverged',
]);

/** True when a program that ended so ended because of what it did. */
export function endsByItself(code: string | undefined): boolean {
  return code === undefined || !FROM_OUTSIDE.has(code);
}
