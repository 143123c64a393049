/** Bounds of rules over many calls: what has been taken, and what one more call would take. */
import type { JournalEvent, Reservation } from '../journal/events.ts';
import { parsePath, valuesAt } from './input-path.ts';
import type { PolicyRule, RuleLimit } from './types.ts';

/** What is taken of one rule's limit. */
export interface Taken {
  readonly calls: number;
  readonly sum: number;
}

/** Looks up what others than this call have taken of a rule's limit: one that is started again does not stand in its own way. */
export type TakenOf = (rule: string, per: RuleLimit['per'], callId: string) => Taken;

const NOTHING: Taken = { calls: 0, sum: 0 };

/** Sums of decimals are not exact in binary: 0.1 + 0.2 is not above 0.3. */
const ROUNDING = 1e-9;

/** What a call with this input takes of the limit. @throws TypeError when there is no amount that can be counted */
export function amountOf({ max, ...rule }: PolicyRule, input: unknown): Taken {
  if (!max?.sum) return { calls: 1, sum: 0 };
  const { path } = max.sum;
  const values = valuesAt(input, parsePath(path) ?? []);
  if (!values) throw new TypeError(`the input has no \`${path}\` to count for ${rule.name ?? 'a limit'}`);
  let sum = 0;
  for (const given of values) {
    const value = typeof given === 'bigint' ? Number(given) : given;
    // A negative amount would make room for others.
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      throw new TypeError(`\`${path}\` of the input is no number from 0 on, so it cannot be counted for a limit`);
    sum += value;
  }
  return { calls: 1, sum };
}

/** What would be passed by one more call; nothing while it fits. */
export function passed({ calls, sum }: RuleLimit, taken: Taken, amount: Taken): string | undefined {
  if (calls !== undefined && taken.calls + amount.calls > calls) return `at most ${calls} ${calls === 1 ? 'call' : 'calls'}`;
  if (sum && taken.sum + amount.sum - sum.atMost > ROUNDING * Math.max(1, sum.atMost))
    return `\`${sum.path}\` may add up to ${sum.atMost}, ${round(taken.sum)} is taken and this call has ${round(amount.sum)}`;
  return undefined;
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** Identity of a rule that survives a re-render and a reload: its name, or what it says, and its place among its likes. */
export function ruleKeys(rules: readonly PolicyRule[]): readonly string[] {
  const seen = new Map<string, number>();
  return rules.map(({ name, match = '*', when, effect, max }) => {
    const said =
      name ?? JSON.stringify([typeof match === 'string' ? match : '(predicate)', when ? 'when' : '', effect, max ?? null]);
    const before = seen.get(said) ?? 0;
    seen.set(said, before + 1);
    return before === 0 ? said : `${said} ${before + 1}`;
  });
}

interface Held {
  readonly runId: string;
  readonly reserved: readonly Reservation[];
}

/** What the calls of one session have taken. A call's part is taken when it starts, in the same turn in which it was judged. */
export class LimitBook {
  readonly #session = new Map<string, Taken>();
  readonly #runs = new Map<string, Map<string, Taken>>();
  readonly #byCall = new Map<string, Held>();

  /** For the calls of one run. */
  taken(runId: string): TakenOf {
    return (rule, per, callId) => {
      const all = (per === 'session' ? this.#session : this.#runs.get(runId))?.get(rule) ?? NOTHING;
      const own = this.#byCall.get(callId)?.reserved.find((each) => each.rule === rule && each.per === per);
      return own ? { calls: all.calls - own.calls, sum: Math.max(0, all.sum - own.sum) } : all;
    };
  }

  reserve(runId: string, callId: string, reserved: readonly Reservation[]): void {
    if (reserved.length === 0) return;
    // A call that is started again takes its part once.
    this.release(callId);
    this.#byCall.set(callId, { runId, reserved });
    for (const each of reserved) this.#add(runId, each, 1);
  }

  /** Gives back what a call took. @returns false when it had taken nothing */
  release(callId: string): boolean {
    const held = this.#byCall.get(callId);
    if (!held) return false;
    this.#byCall.delete(callId);
    for (const each of held.reserved) this.#add(held.runId, each, -1);
    return true;
  }

  /** Of a run that is over only what counts for the session is kept. */
  endRun(runId: string): void {
    this.#runs.delete(runId);
    for (const [callId, held] of this.#byCall) if (held.runId === runId) this.#byCall.delete(callId);
  }

  /** Counts what the calls of an earlier life of the session took of the limits that reach over its runs. */
  restore(events: readonly JournalEvent[]): void {
    const released = new Set(events.flatMap((event) => (event.type === 'limit.released' ? [event.data.callId] : [])));
    const counted = new Set<string>();
    for (const { type, data, runId = '' } of events) {
      if (type !== 'tool_call.started' || !data.reserved || released.has(data.callId) || counted.has(data.callId)) continue;
      counted.add(data.callId);
      for (const each of data.reserved) if (each.per === 'session') this.#add(runId, each, 1);
    }
  }

  /** A run goes on that an earlier life of the session began: what its calls took is theirs again. `restore` came before. */
  restoreRun(events: readonly JournalEvent[], runId: string): void {
    const own = events.filter((event) => event.runId === runId);
    const released = new Set(own.flatMap((event) => (event.type === 'limit.released' ? [event.data.callId] : [])));
    for (const { type, data } of own) {
      if (type !== 'tool_call.started' || !data.reserved || released.has(data.callId) || this.#byCall.has(data.callId)) continue;
      const { callId, reserved } = data;
      this.#byCall.set(callId, { runId, reserved });
      for (const each of reserved) if (each.per === 'run') this.#add(runId, each, 1);
    }
  }

  #add(runId: string, { rule, per, calls, sum }: Reservation, sign: 1 | -1): void {
    const book = per === 'session' ? this.#session : (this.#runs.get(runId) ?? new Map<string, Taken>());
    if (per === 'run') this.#runs.set(runId, book);
    const before = book.get(rule) ?? NOTHING;
    book.set(rule, { calls: before.calls + sign * calls, sum: Math.max(0, before.sum + sign * sum) });
  }
}
