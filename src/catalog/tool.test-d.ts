/** Types of `defineTool`, checked by the compiler; nothing here runs. */
import * as valibot from 'valibot';
import { expectTypeOf } from 'vitest';
import * as zod from 'zod';
import * as zod3 from 'zod3';
import { defineTool, type Tool, type ToolSource } from './tool.ts';

interface Shop {
  readonly tenant: string;
}

export const zodTool = defineTool({
  name: 'a',
  inputSchema: zod.object({ id: zod.number(), note: zod.string().default('') }),
  outputSchema: zod.object({ total: zod.number() }),
  needsApproval: (input) => input.id > 5,
  describeCall: ({ id, note }) => `${id} ${note.length}`,
  execute: (input, call) => {
    expectTypeOf(input).toEqualTypeOf<{ id: number; note: string }>();
    expectTypeOf(call.signal).toEqualTypeOf<AbortSignal>();
    return { total: input.id };
  },
});
expectTypeOf(zodTool).toExtend<Tool<{ id: number; note: string }, { total: number }>>();

export const others = [
  defineTool({
    name: 'b',
    inputSchema: zod3.object({ id: zod3.number() }),
    execute: (input) => void expectTypeOf(input).toEqualTypeOf<{ id: number }>(),
  }),
  defineTool({
    name: 'c',
    inputSchema: valibot.object({ id: valibot.number() }),
    execute: (input) => void expectTypeOf(input).toEqualTypeOf<{ id: number }>(),
  }),
];

export const jsonTool = defineTool({
  name: 'd',
  inputSchema: {
    type: 'object',
    properties: {
      status: { enum: ['open', 'closed'] },
      lines: { type: 'array', items: { type: 'object', properties: { qty: { type: 'integer' } }, required: ['qty'] } },
      note: { type: ['string', 'null'] },
      kind: { anyOf: [{ const: 'card' }, { const: 'iban' }] },
    },
    required: ['status', 'lines'],
    additionalProperties: false,
  },
  execute: async (input) => {
    expectTypeOf(input).toEqualTypeOf<{
      status: 'open' | 'closed';
      lines: { qty: number }[];
      note?: string | null;
      kind?: 'card' | 'iban';
    }>();
    return input.lines.length;
  },
});
expectTypeOf(jsonTool.execute).returns.toEqualTypeOf<number | Promise<number>>();

// The context is the application's.
export const withContext = defineTool({
  name: 'e',
  inputSchema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
  execute: (input, call: { context: Shop }) => `${call.context.tenant}${input.id.toFixed()}`,
});
expectTypeOf(withContext).toExtend<Tool<{ id: number }, string, Shop>>();

// A schema from elsewhere, or none, says nothing about the input.
declare const fromServer: { readonly [keyword: string]: unknown };
export const loose = [
  defineTool({ name: 'f', inputSchema: fromServer, execute: (input) => String(input.anything) }),
  defineTool({ name: 'g', execute: () => 1 }),
];

// Types may be stated.
export const stated = defineTool<{ id: number }, string>({
  name: 'k',
  inputSchema: { type: 'object' },
  execute: ({ id }) => id.toFixed(),
});
expectTypeOf(stated).toEqualTypeOf<Tool<{ id: number }, string, unknown>>();

export const wrong = [
  // @ts-expect-error the input has no such field
  defineTool({ name: 'h', inputSchema: zod.object({ id: zod.number() }), execute: (input) => input.idd }),
  // @ts-expect-error the output does not fit its schema
  defineTool({ name: 'i', outputSchema: zod.object({ total: zod.number() }), execute: () => ({ total: 'x' }) }),
  // @ts-expect-error a tool needs a name
  defineTool({ execute: () => 1 }),
  // @ts-expect-error no such risk
  defineTool({ name: 'j', risk: 'high', execute: () => 1 }),
];

// All forms of a tool set.
export const list: ToolSource = [zodTool, jsonTool, ...others];
export const record: ToolSource = { refund: { inputSchema: zod.object({}), execute: () => 1 }, other: zodTool };
export const fn: ToolSource<Shop> = (context) => [withContext, { name: context.tenant, execute: () => 1 }];

// What takes a call back gets its input and its output.
export const reversible = defineTool({
  name: 'l',
  inputSchema: zod.object({ id: zod.number() }),
  execute: ({ id }) => ({ receipt: `r${id}` }),
  revert(input, output, { signal }) {
    expectTypeOf(input).toEqualTypeOf<{ id: number }>();
    expectTypeOf(output).toEqualTypeOf<{ receipt: string }>();
    signal.throwIfAborted();
  },
});
