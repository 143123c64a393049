/** `codemode.invoke([...])`, also `invoke_tools`: a batch in the shape other products use, run in order. */
import { call, TOOL, UNKNOWN } from './calls.ts';
import { ask } from './host.ts';
import { ASK } from './ops.ts';
import { define, isArray, NativeError, NativeTypeError, quote } from './primordials.ts';

const SHAPE = 'codemode.invoke takes a list of { tool_name, tool_params, server_name?, intent? }';

interface Step {
  readonly server_name?: unknown;
  readonly tool_name?: unknown;
  readonly tool_params?: unknown;
  readonly intent?: unknown;
}

/** Results in order. The first failure ends the batch: later steps may build on it. */
export async function invoke(steps: unknown): Promise<unknown[]> {
  const list = isArray(steps) ? (steps as unknown[]) : [steps];
  const results: unknown[] = [];
  for (let i = 0; i < list.length; i++) define(results, i, await step(list[i], i), true);
  return results;
}

function step(item: unknown, i: number): Promise<unknown> {
  if (typeof item !== 'object' || item === null) throw new NativeTypeError(`${SHAPE}; item ${i} is no object`);
  const { server_name: server, tool_name: tool, tool_params: input, intent } = item as Step;
  if (typeof tool !== 'string') throw new NativeTypeError(`${SHAPE}; item ${i} has no tool_name`);
  const namespace = typeof server === 'string' ? server : '';
  const found = ask(ASK.name, `[${quote(namespace)},${quote(tool)}]`);
  const index = found[0] as number;
  const name = namespace === '' ? tool : `${namespace}.${tool}`;
  return call(
    index >= 0 ? { kind: TOOL, index, name: found[3], field: found[1] } : { kind: UNKNOWN, index: -1, name, field: null },
    input,
    { intent },
    new NativeError().stack,
  );
}
