/** One context with the prelude in it: what a program runs in. */
import { extras, prelude } from 'virtual:guest-source';
import { isTagged } from '../../src/protocol/codec.ts';
import type { WireError, WireReply } from '../../src/protocol/wire.ts';
import { ASK, OP, type Report, type Settings } from '../guest/ops.ts';
import type { Engine } from './engine.ts';
import { GuestThrow, Realm, type RealmPointers, type RealmPowers, type Value } from './realm.ts';

/** Who answers while a run goes on. */
export interface GuestHost {
  now(): number;
  /** JSON in and out. */
  name(request: string): string;
  keys(request: string): string;
  intl(request: string): string;
  url(request: string): string;
  poll(): boolean;
}

/** A report with the texts that its lengths stand for. */
export interface Collected {
  readonly report: Report;
  readonly body: string;
}

/** Where a guest stands in the engine's memory. */
export interface GuestPointers {
  readonly realm: RealmPointers;
  readonly entry: number;
  readonly ops: readonly number[];
}

export class Guest {
  readonly realm: Realm;
  /** Undefined between runs. */
  host: GuestHost | undefined;
  readonly #entry: Value;
  /** The numbers of the operations, made once. */
  readonly #ops: readonly Value[];

  /** @param standing a guest that a memory image brought into this engine: it is taken over and not made */
  constructor(engine: Engine, memoryBytes: number, stackBytes: number, standing?: GuestPointers) {
    const powers: RealmPowers = {
      answer: (op, text) => this.#answer(op, text),
      byteLengthOp: ASK.bytes,
      interrupt: () => this.host?.poll() ?? false,
    };
    this.realm = new Realm(engine, powers, standing?.realm);
    this.realm.setLimits(memoryBytes, stackBytes);
    if (standing) {
      this.#ops = standing.ops as readonly Value[];
      this.#entry = standing.entry as Value;
      return;
    }
    this.#ops = Object.values(OP)
      .sort((a, b) => a - b)
      .map((op) => this.realm.newNumber(op));
    const create = this.realm.evalPrelude(prelude);
    const host = this.realm.hostFunction();
    this.#entry = this.realm.call(create, host);
    this.realm.free(host);
    this.realm.free(create);
  }

  get pointers(): GuestPointers {
    return { realm: this.realm.pointers, entry: this.#entry, ops: this.#ops };
  }

  #answer(op: number, text: string): string | number {
    if (op === ASK.extra) return extraSource(text);
    const { host } = this;
    if (!host) return op === ASK.now ? 0 : 'null';
    switch (op) {
      case ASK.now:
        return host.now();
      case ASK.name:
        return host.name(text);
      case ASK.keys:
        return host.keys(text);
      case ASK.intl:
        return host.intl(text);
      case ASK.url:
        return host.url(text);
      default:
        return 'null';
    }
  }

  start(settings: Settings): void {
    this.#with(this.realm.newString(JSON.stringify(settings)), (text) => this.#do(OP.start, text));
  }

  deliver(reply: WireReply): void {
    this.#with(this.realm.newNumber(reply.id), (id) => {
      const text = reply.ok ? reply.value : failureText(reply.error);
      const op = !reply.ok ? OP.reject : isTagged(text) ? OP.resolve : OP.resolvePlain;
      this.#with(this.realm.newString(text), (value) => this.#do(op, id, value));
    });
  }

  /** False when the program had cleared the timer meanwhile. */
  fire(timer: number): boolean {
    return this.#with(this.realm.newNumber(timer), (id) =>
      this.#with(this.#ask(OP.fire, id), (fired) => this.realm.number(fired) === 1),
    );
  }

  conclude(completion: Value, flags: number): void {
    this.#with(this.realm.newNumber(flags), (value) => this.#do(OP.conclude, completion, value));
  }

  fail(reason: Value): void {
    this.#do(OP.fail, reason);
  }

  /** What happened since the last time this was asked; undefined when nothing did. */
  collect(): Collected | undefined {
    const text = this.#with(this.#ask(OP.collect), (value) => this.realm.text(value));
    if (text === '') return undefined;
    const cut = text.indexOf('\n');
    return { report: JSON.parse(text.slice(0, cut)) as Report, body: text.slice(cut + 1) };
  }

  #ask(op: number, a?: Value, b?: Value): Value {
    return this.realm.call(this.#entry, this.#ops[op]!, a, b);
  }

  #do(op: number, a?: Value, b?: Value): void {
    this.realm.free(this.#ask(op, a, b));
  }

  /** Uses a value and frees it. After a fault nothing may be freed any more. */
  #with<T>(value: Value, work: (value: Value) => T): T {
    let result: T;
    try {
      result = work(value);
    } catch (error) {
      if (error instanceof GuestThrow) this.realm.free(value);
      throw error;
    }
    this.realm.free(value);
    return result;
  }

  dispose(): void {
    for (const value of [this.#entry, ...this.#ops]) this.realm.free(value);
    this.realm.dispose();
  }
}

function failureText({ code, name, message, data }: WireError): string {
  return JSON.stringify([code, name, message, data ?? null]);
}

function extraSource(request: string): string {
  const name = JSON.parse(request) as string;
  const source = Object.hasOwn(extras, name) ? extras[name] : undefined;
  if (source === undefined) throw new Error(`the prelude has no part "${name}"`);
  return source;
}
