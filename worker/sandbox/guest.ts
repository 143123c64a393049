/** One context with the prelude in it: what a program runs in. */
import { extras, prelude } from 'virtual:guest-source';
import type { WireReply } from '../../src/protocol/wire.ts';
import { ASK, OP, type Report, type Settings } from '../guest/ops.ts';
import type { Engine } from './engine.ts';
import { Realm, type Value } from './realm.ts';

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

export class Guest {
  readonly realm: Realm;
  /** Undefined between runs. */
  host: GuestHost | undefined;
  readonly #entry: Value;

  constructor(engine: Engine, memoryBytes: number, stackBytes: number) {
    this.realm = new Realm(engine, {
      answer: (op, text) => this.#answer(op, text),
      interrupt: () => this.host?.poll() ?? false,
    });
    this.realm.setLimits(memoryBytes, stackBytes);
    const create = this.realm.evalPrelude(prelude);
    const host = this.realm.hostFunction();
    this.#entry = this.realm.call(create, { value: host });
    this.realm.free(host);
    this.realm.free(create);
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
    this.#do(OP.start, JSON.stringify(settings));
  }

  deliver(reply: WireReply): void {
    if (reply.ok) return this.#do(OP.deliver, reply.id, 1, reply.value);
    const { code, name, message, data } = reply.error;
    this.#do(OP.deliver, reply.id, 0, JSON.stringify([code, name, message, data ?? null]));
  }

  /** False when the program had cleared the timer meanwhile. */
  fire(timer: number): boolean {
    const value = this.realm.call(this.#entry, OP.fire, timer);
    const fired = this.realm.number(value) === 1;
    this.realm.free(value);
    return fired;
  }

  conclude(completion: Value, flags: number): void {
    this.#do(OP.conclude, { value: completion }, flags);
  }

  fail(reason: Value): void {
    this.#do(OP.fail, { value: reason });
  }

  /** What happened since the last time this was asked; undefined when nothing did. */
  collect(): Collected | undefined {
    const value = this.realm.call(this.#entry, OP.collect);
    let text: string;
    try {
      text = this.realm.text(value);
    } finally {
      this.realm.free(value);
    }
    if (text === '') return undefined;
    const cut = text.indexOf('\n');
    return { report: JSON.parse(text.slice(0, cut)) as Report, body: text.slice(cut + 1) };
  }

  #do(op: number, ...args: readonly (string | number | { readonly value: Value })[]): void {
    this.realm.free(this.realm.call(this.#entry, op, ...args));
  }

  dispose(): void {
    this.realm.free(this.#entry);
    this.realm.dispose();
  }
}

function extraSource(request: string): string {
  const name = JSON.parse(request) as string;
  const source = Object.hasOwn(extras, name) ? extras[name] : undefined;
  if (source === undefined) throw new Error(`the prelude has no part "${name}"`);
  return source;
}
