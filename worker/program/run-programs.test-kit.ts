/** Test helper: evaluates a normalised program in the real engine, as the README's protocol says. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core';
import type { ProgramFailure, SourcePosition } from '../../src/protocol/wire.ts';
import { normalise } from './normalise.ts';
import type { NormalisedProgram } from './types.ts';

const engine = await newQuickJSWASMModuleFromVariant(variant);

/** What the programs expect of their world: a small shop behind every kind of binding, console and timers. */
const WORLD = `
var __log = [];
globalThis.console = Object.fromEntries(['log','info','warn','error','debug','table'].map((level) => [level, (...args) => { __log.push(args.map((a) => typeof a === 'string' ? a : a instanceof Error ? String(a) : JSON.stringify(a)).join(' ')); }]));
globalThis.setTimeout = (callback) => { Promise.resolve().then(callback); return 1; };
(() => {
  const orders = () => [
    { id: 1, customer: 'ana', status: 'open', total: 10.5, items: [{ sku: 'A', qty: 1, price: 10.5 }] },
    { id: 2, customer: 'ben', status: 'paid', total: 20, items: [{ sku: 'B', qty: 2, price: 10 }] },
    { id: 3, customer: 'ana', status: 'open', total: 31, items: [{ sku: 'A', qty: 2, price: 10.5 }, { sku: 'C', qty: 1, price: 10 }] },
    { id: 4, customer: 'cy', status: 'cancelled', total: 5, items: [{ sku: 'D', qty: 1, price: 5 }] },
    { id: 5, customer: 'ben', status: 'open', total: 99.99, items: [{ sku: 'E', qty: 1, price: 99.99 }] },
  ];
  const people = { ana: { id: 'ana', name: 'Ana Lund', tier: 'gold' }, ben: { id: 'ben', name: 'Ben Ito', tier: 'basic' }, cy: { id: 'cy', name: 'Cy Roe', tier: 'basic' } };
  const shop = {
    async list_orders({ status } = {}) { return orders().filter((o) => !status || o.status === status); },
    async get_order({ id } = {}) { const order = orders().find((o) => o.id === id); if (!order) throw new Error('no order ' + id); return order; },
    async get_customer({ id } = {}) { return people[id] ?? null; },
    async page({ cursor } = {}) { const at = cursor ?? 0; return { items: orders().slice(at, at + 2), next: at + 2 < 5 ? at + 2 : null }; },
    async get_weather({ city } = {}) { return { city, temp: city.length }; },
    async send_email(input) { return { sent: true, ...input }; },
    async broken() { throw new Error('quota used up'); },
    async echo(input) { return input; },
  };
  const named = { ...shop, orders: { list: shop.list_orders, get: shop.get_order }, 'orders.list': shop.list_orders, 'send mail': shop.send_email };
  globalThis.tools = named;
  globalThis.codemode = { ...named, search: async (query) => [{ name: query }] };
  for (const name in shop) globalThis['tool_' + name] = globalThis['external_' + name] = shop[name];
})();
`;

export interface Outcome {
  readonly value?: unknown;
  readonly hasValue?: boolean;
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string; readonly site?: SourcePosition };
  readonly logs: readonly string[];
  readonly program?: NormalisedProgram;
}

/** One session: programs run one after another and share globals. */
export class TestSession {
  readonly #runtime: QuickJSRuntime = engine.newRuntime();
  readonly #context: QuickJSContext = this.#runtime.newContext();
  readonly #state: 'run' | 'session';

  constructor(state: 'run' | 'session' = 'run') {
    this.#state = state;
    // Intrinsics a host does not share are no concern of a test.
    this.#context.unwrapResult(this.#context.evalCode(WORLD, 'world.js')).dispose();
  }

  run(source: string): Outcome {
    const program = normalise(source, { state: this.#state });
    if (!program.ok) return { error: failed(program.failure), logs: [] };
    const evaluated = this.#context.evalCode(program.code, 'program.js', 128 as unknown as undefined);
    if (evaluated.error) return { error: this.#error(evaluated.error, program), logs: this.#logs(), program };
    const settled = this.#settle(evaluated.value, program);
    if (!('handle' in settled)) return { ...settled, logs: this.#logs(), program };
    let handle = this.#context.getProp(settled.handle, 'value');
    settled.handle.dispose();
    if (program.callCompletion && this.#context.typeof(handle) === 'function') {
      const called = this.#context.callFunction(handle, this.#context.undefined);
      handle.dispose();
      if (called.error) return { error: this.#error(called.error, program), logs: this.#logs(), program };
      handle = called.value;
    }
    const final = this.#settle(handle, program);
    if (!('handle' in final)) return { ...final, logs: this.#logs(), program };
    const value: unknown = this.#context.dump(final.handle);
    final.handle.dispose();
    return { value: program.hasValue ? value : undefined, hasValue: program.hasValue, logs: this.#logs(), program };
  }

  dispose(): void {
    this.#context.dispose();
    this.#runtime.dispose();
  }

  /** Pumps until the handle's promise settles; other values pass. Takes the handle over. */
  #settle(
    handle: QuickJSHandle,
    program: NormalisedProgram,
  ): { readonly handle: QuickJSHandle } | { readonly error: Outcome['error'] } {
    while (this.#runtime.hasPendingJob()) {
      const jobs = this.#runtime.executePendingJobs(100);
      if (jobs.error) jobs.error.dispose();
    }
    const state = this.#context.getPromiseState(handle);
    if (state.type === 'fulfilled' && state.notAPromise) return { handle };
    if (state.type === 'pending') {
      handle.dispose();
      return { error: { name: 'Deadlock', message: 'pending' } };
    }
    handle.dispose();
    if (state.type === 'rejected') return { error: this.#error(state.error, program) };
    return { handle: state.value };
  }

  #error(handle: QuickJSHandle, program: NormalisedProgram): Outcome['error'] {
    const dumped = this.#context.dump(handle) as { name?: string; message?: string; stack?: string } | string;
    handle.dispose();
    if (typeof dumped !== 'object' || dumped === null) return { name: 'thrown', message: String(dumped) };
    const frame = /program\.js:(\d+):(\d+)/.exec(dumped.stack ?? '');
    const site = frame ? program.toSource(Number(frame[1]), Number(frame[2])) : undefined;
    return { name: dumped.name ?? '', message: dumped.message ?? '', site };
  }

  #logs(): string[] {
    const handle = this.#context.unwrapResult(this.#context.evalCode('__log.splice(0)'));
    const logs = this.#context.dump(handle) as string[];
    handle.dispose();
    return logs;
  }
}

function failed(failure: ProgramFailure): Outcome['error'] {
  return { name: failure.name, message: failure.message, code: failure.code, site: failure.site };
}

/** Runs one program in a world of its own. */
export function runOnce(source: string): Outcome {
  const session = new TestSession();
  const outcome = session.run(source);
  session.dispose();
  return outcome;
}
