/** The worker half of the prototype: a fresh runtime per program, calls of one drain in one message. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { GUEST } from './guest.ts';

export type ToHost =
  | { ready: WebAssembly.Module | undefined }
  | { calls: [id: number, tool: 'echo' | 'orders', json: string][] }
  | { echo: { readonly i: number } }
  | { done: string }
  | { failed: string };
export type ToWorker =
  | { init: WebAssembly.Module | undefined }
  | { run: string }
  | { settle: string }
  | { parse: string }
  | { evaluate: string }
  | { echo: { readonly i: number } };

interface Program {
  readonly context: QuickJSContext;
  readonly promise: QuickJSHandle;
  calls: [number, 'echo' | 'orders', string][];
}

function start(quickjs: QuickJSWASMModule, source: string): Program {
  const context = quickjs.newContext();
  const calls: Program['calls'] = [];
  context
    .newFunction('__call', (id, tool, json) => {
      calls.push([context.getNumber(id), context.getString(tool) as 'echo', context.getString(json)]);
    })
    .consume((call) => context.setProp(context.global, '__call', call));
  context.unwrapResult(context.evalCode(GUEST)).dispose();
  const promise = context.unwrapResult(context.evalCode(`(async () => { ${source} })()`));
  return { context, promise, calls };
}

/** Drains the job queue, then says what came of it: the result, or the calls made meanwhile. */
function drain(program: Program, post: (message: ToHost) => void): boolean {
  const { context, promise } = program;
  context.unwrapResult(context.runtime.executePendingJobs());
  const state = context.getPromiseState(promise);
  if (state.type === 'pending') {
    const calls = program.calls.splice(0);
    if (calls.length > 0) post({ calls });
    return false;
  }
  if (state.type === 'fulfilled') post({ done: JSON.stringify(state.value.consume((value) => context.dump(value))) ?? 'null' });
  else post({ failed: String(state.error.consume((error) => context.dump(error))?.message) });
  promise.dispose();
  context.dispose();
  return true;
}

/** `newString` and `JSON.parse` in a fresh runtime. @returns rows of the list */
function parseText(quickjs: QuickJSWASMModule, json: string): number {
  const context = quickjs.newContext();
  const parse = context.unwrapResult(context.evalCode('JSON.parse'));
  const text = context.newString(json);
  const value = context.unwrapResult(context.callFunction(parse, context.undefined, text));
  const length = context.getProp(value, 'length');
  const rows = context.getNumber(length);
  for (const handle of [length, value, text, parse]) handle.dispose();
  context.dispose();
  return rows;
}

function evaluate(quickjs: QuickJSWASMModule, source: string): unknown {
  const context = quickjs.newContext();
  const value = context.unwrapResult(context.evalCode(source)).consume((handle) => context.dump(handle));
  context.dispose();
  return value;
}

/** Loads the engine; without a module given it compiles one and tells which. */
async function load(module: WebAssembly.Module | undefined): Promise<[QuickJSWASMModule, WebAssembly.Module | undefined]> {
  if (module) return [await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: module })), undefined];
  let compiled: WebAssembly.Module | undefined;
  for (const name of ['instantiate', 'instantiateStreaming'] as const) {
    const original = WebAssembly[name] as (...given: unknown[]) => Promise<WebAssembly.WebAssemblyInstantiatedSource>;
    (WebAssembly as Record<string, unknown>)[name] = async (...given: unknown[]) => {
      const result = await original(...given);
      compiled = result.module;
      return result;
    };
  }
  return [await newQuickJSWASMModuleFromVariant(variant), compiled];
}

function settle({ context }: Program, json: string): void {
  const guest = context.getProp(context.global, '__settle');
  const text = context.newString(json);
  context.unwrapResult(context.callFunction(guest, context.undefined, text)).dispose();
  guest.dispose();
  text.dispose();
}

/** Serves one peer. @param listen called once with the handler of its messages. */
export function serve(post: (message: ToHost) => void, listen: (handler: (message: ToWorker) => void) => void): void {
  let quickjs: QuickJSWASMModule;
  let program: Program | undefined;
  listen((message) => {
    if ('init' in message) {
      void load(message.init).then(([engine, compiled]) => {
        quickjs = engine;
        post({ ready: compiled });
      });
      return;
    }
    if ('echo' in message) return post(message);
    if ('parse' in message) return post({ done: String(parseText(quickjs, message.parse)) });
    if ('evaluate' in message) return post({ done: JSON.stringify(evaluate(quickjs, message.evaluate)) });
    if ('run' in message) program = start(quickjs, message.run);
    if (!program) return;
    if ('settle' in message) settle(program, message.settle);
    if (drain(program, post)) program = undefined;
  });
}
