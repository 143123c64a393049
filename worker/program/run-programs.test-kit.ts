/** Test helper: evaluates a normalised program in the real engine, as the README's protocol says. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSHandle, type QuickJSRuntime } from 'quickjs-emscripten-core';
import type { ProgramFailure, SourcePosition } from '../../src/protocol/wire.ts';
import { normalise } from './normalise.ts';
import type { NormalisedProgram } from './types.ts';

const engine = await newQuickJSWASMModuleFromVariant(variant);

/** What a test needs of the program's world: echo tools, console and the names of the aliases. */
const WORLD = `
var __log = [];
globalThis.console = Object.fromEntries(['log','info','warn','error','debug'].map((level) => [level, (...args) => { __log.push(args.map((a) => typeof a === 'string' ? a : a instanceof Error ? String(a) : JSON.stringify(a)).join(' ')); }]));
globalThis.tools = new Proxy({}, { get: (_, name) => async (input) => ({ tool: String(name), ...input }) });
globalThis.codemode = { search: async (query) => [{ name: query }] };
globalThis.tool_echo = async (input) => input;
globalThis.external_echo = globalThis.tool_echo;
globalThis.setTimeout = (callback) => { Promise.resolve().then(callback); return 1; };
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
  #settle(handle: QuickJSHandle, program: NormalisedProgram): { readonly handle: QuickJSHandle } | { readonly error: Outcome['error'] } {
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
