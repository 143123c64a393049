/** The worker half of the prototype: a fresh runtime per program, calls of one drain in one message. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { GUEST } from './guest.ts';

export type ToHost =
  | { ready: true }
  | { calls: [id: number, tool: string, json: string][] }
  | { done: string }
  | { failed: string };
export type ToWorker = { run: string } | { settle: string } | { parse: string };

interface Program {
  readonly context: QuickJSContext;
  readonly promise: QuickJSHandle;
  calls: [number, string, string][];
}

function start(quickjs: QuickJSWASMModule, source: string): Program {
  const context = quickjs.newContext();
  const calls: Program['calls'] = [];
  context
    .newFunction('__call', (id, tool, json) => {
      calls.push([context.getNumber(id), context.getString(tool), context.getString(json)]);
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

/** Milliseconds of `newString` and `JSON.parse` in a fresh runtime. */
function timeToParse(quickjs: QuickJSWASMModule, json: string): number {
  const context = quickjs.newContext();
  const parse = context.unwrapResult(context.evalCode('JSON.parse'));
  const before = performance.now();
  const text = context.newString(json);
  const value = context.unwrapResult(context.callFunction(parse, context.undefined, text));
  const ms = performance.now() - before;
  for (const handle of [value, text, parse]) handle.dispose();
  context.dispose();
  return ms;
}

/** Serves one peer. @param listen called once with the handler of its messages. */
export async function serve(
  post: (message: ToHost) => void,
  listen: (handler: (message: ToWorker) => void) => void,
): Promise<void> {
  const quickjs = await newQuickJSWASMModuleFromVariant(variant);
  let program: Program | undefined;
  listen((message) => {
    if ('parse' in message) return post({ done: String(timeToParse(quickjs, message.parse)) });
    if ('run' in message) program = start(quickjs, message.run);
    if (!program) return;
    if ('settle' in message) {
      const { context } = program;
      const settle = context.getProp(context.global, '__settle');
      const text = context.newString(message.settle);
      context.unwrapResult(context.callFunction(settle, context.undefined, text)).dispose();
      settle.dispose();
      text.dispose();
    }
    if (drain(program, post)) program = undefined;
  });
  post({ ready: true });
}
