/** How programs call tools, in all the ways that models write it, through the public surface. */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import type { Tool } from '../catalog/tool.ts';
import { createCodeMode } from './create-code-mode.ts';
import type { CodeModeOptions, Session } from './types.ts';

vi.setConfig({ testTimeout: 60_000 });

const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());

const open = new Set<AsyncDisposable>();
afterEach(async () => {
  for (const each of open) await each[Symbol.asyncDispose]();
  open.clear();
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const tools: Tool[] = [
  { name: 'echo', execute: (input) => input },
  {
    name: 'get_order',
    inputSchema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'], additionalProperties: false },
    execute: ({ id }: { id: number }) => ({ id, total: id * 10 }),
  },
  {
    name: 'find_people',
    inputSchema: { type: 'object', properties: { query: { type: 'string' }, limit: { type: 'number' } }, required: ['query'] },
    execute: (input) => input,
  },
  {
    name: 'slow',
    execute: async ({ ms, fail }: { ms: number; fail?: boolean }) => {
      await wait(ms);
      if (fail) throw new Error(`failed after ${ms}`);
      return ms;
    },
  },
  { name: 'crm:list.users', origin: { kind: 'mcp', server: 'crm' }, execute: (input) => ({ crm: input }) },
];
const session = (options: Partial<CodeModeOptions> = {}): Session => {
  const codeMode = createCodeMode({ tools, executor, policy: [{ effect: 'allow' }], ...options });
  open.add(codeMode);
  return codeMode.session();
};
const run = async (code: string, options?: Partial<CodeModeOptions>) => {
  const { text, outcome } = await session(options).modelTools.executeCode.run({ code });
  if (!outcome) throw new Error(text);
  return { text, ...outcome };
};

describe('the input of a call', () => {
  it('may be missing or undefined: the tool gets an empty object', async () => {
    expect(
      await run('return [await tools.echo(), await tools.echo(undefined), await tools.echo({ a: undefined })]'),
    ).toMatchObject({
      value: [{}, {}, {}],
      warnings: [],
    });
  });

  it('may be the value of the only field, with a warning that the model reads', async () => {
    const { text, ...outcome } = await run('return (await tools.get_order(7)).total');
    expect(outcome).toMatchObject({ value: 70, warnings: [{ code: 'positional_argument', site: { line: 1 } }] });
    expect(text).toContain('taken as { id: … }');
  });

  it('may not be a bare value where there are several fields', async () => {
    const { text, ...outcome } = await run("const q = 'ana'; return tools.find_people(q)");
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_input' } });
    expect(text).toMatch(/find_people.*(object).*string/);
  });

  it('may not hold a promise: the error says where and that it was not awaited, and nothing is sent', async () => {
    const { text, ...outcome } = await run(
      "const order = tools.get_order({ id: 1 });\nreturn tools.find_people({ query: order.name ?? 'x', limit: order })",
    );
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { site: { line: 2 } },
      calls: [],
    });
    expect(text).toMatch(/\$\.limit.*promise.*await/s);
    expect(text).toContain('The call was not made');
  });

  it('that does not fit names the field, and the one that was meant, for the model', async () => {
    const { text } = await run('const input = { orderid: 7, di: 1 };\nreturn tools.get_order(input)');
    expect(text).toContain('id is required');
    expect(text).toContain('di is not a known field; did you mean "id"?');
    expect(text).toContain('2 | return tools.get_order(input)');
  });
});

describe('the name of a tool', () => {
  it.each([
    ['tools.getOrder({ id: 1 })', 'get_order'],
    ['tools.get_ordr({ id: 1 })', 'get_order'],
    ["tools['find-people']({ query: 'a' })", 'find_people'],
    ["codemode.invoke([{ tool_name: 'order_get', tool_params: { id: 1 } }])", 'get_order'],
  ])('that is wrong gets the right one: %s', async (code, meant) => {
    const { text, ...outcome } = await run(`const r = await ${code}; return r`);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'tool_not_found' } });
    expect(text).toMatch(new RegExp(`Did you mean .*${meant}`));
  });

  it('may be written in every way there is', async () => {
    const { text, ...outcome } = await run(`
      const name = 'get_order';
      const { get_order: mine } = tools;
      const all = await Promise.all([tools.get_order({ id: 1 }), tools['get_order']({ id: 2 }), tool_get_order({ id: 3 }),
        external_get_order({ id: 4 }), codemode.get_order({ id: 5 }), tools[name]({ id: 6 }), mine({ id: 7 }), tools.crm.list_users({ a: 1 })]);
      return all.map((each) => each.id ?? each.crm.a)`);
    expect([text, outcome]).toMatchObject(['[1,2,3,4,5,6,7,1]', { status: 'completed', warnings: [] }]);
  });
});

describe('a promise of a call', () => {
  it('inside the result is awaited, at any depth', async () => {
    expect(
      await run(
        'return { a: tools.get_order({ id: 1 }), list: [1, 2].map(async (id) => (await tools.get_order({ id })).total) }',
      ),
    ).toMatchObject({
      value: { a: { id: 1, total: 10 }, list: [10, 20] },
      warnings: [],
    });
  });

  it('that nobody awaits is finished and reported', async () => {
    const { text, ...outcome } = await run("tools.slow({ ms: 30 });\nreturn 'done'");
    expect(outcome).toMatchObject({
      value: 'done',
      calls: [{ status: 'succeeded' }],
      warnings: [{ code: 'not_awaited', calls: [1], site: { line: 1 } }],
    });
    expect(text).toContain('Put `await` before the call');
  });

  it('that nobody awaits in a forEach is finished, and the model is told what to write instead', async () => {
    const { text, ...outcome } = await run(
      'let sum = 0;\n[1, 2].forEach(async (id) => { sum += (await tools.slow({ ms: id })) });\nreturn sum',
    );
    expect(outcome).toMatchObject({ value: 0, calls: [{ status: 'succeeded' }, { status: 'succeeded' }] });
    expect(text).toContain('not forEach');
  });

  it('that nobody awaits and that fails makes no clean success', async () => {
    const { text } = await run("tools.slow({ ms: 10, fail: true });\nreturn 'done'");
    expect(text).toMatch(/slow was called without await and failed: failed after 10/);
  });

  it('works with all, allSettled, race, any, finally and for await', async () => {
    expect(
      await run(`
        const all = await Promise.all([tools.slow({ ms: 20 }), tools.slow({ ms: 1 }), 3]);
        const settled = await Promise.allSettled([tools.slow({ ms: 1, fail: true }), tools.slow({ ms: 2 })]);
        const race = await Promise.race([tools.slow({ ms: 15 }), tools.slow({ ms: 5 })]);
        const any = await Promise.any([tools.slow({ ms: 1, fail: true }), tools.slow({ ms: 25 })]);
        const each = [];
        for await (const ms of [tools.slow({ ms: 3 }), tools.slow({ ms: 1 })]) each.push(ms);
        async function* pages() { for (const ms of [1, 2]) yield tools.slow({ ms }) }
        for await (const ms of pages()) each.push(ms);
        let last = 0;
        await tools.slow({ ms: 4 }).then((ms) => { last = ms }).finally(() => { last++ });
        return { all, settled: settled.map((s) => s.value ?? s.reason.message), race, any, each, last }`),
    ).toMatchObject({
      value: { all: [20, 1, 3], settled: ['failed after 1', 2], race: 5, any: 25, each: [3, 1, 1, 2], last: 5 },
      warnings: [],
    });
  });
});

describe('codemode.invoke', () => {
  it.each(['codemode.invoke', 'invoke_tools', 'codemode.invoke_tools'])(
    'runs the steps of %s in order and gives their results',
    async (name) => {
      const { text, ...outcome } = await run(`return ${name}([
      { tool_name: 'slow', intent: 'wait a bit', tool_params: { ms: 20 } },
      { server_name: 'crm', tool_name: 'list_users', tool_params: { page: 1 } },
      { tool_name: 'echo' },
      { tool_name: 'get_order', tool_params: 4 },
    ])`);
      expect(outcome).toMatchObject({
        value: [20, { crm: { page: 1 } }, {}, { total: 40 }],
        calls: [{ ordinal: 1 }, { ordinal: 2 }, { ordinal: 3 }, { ordinal: 4 }],
      });
      expect(text).toContain('Call 4 passed a bare value; it was taken as { id: … }');
    },
  );

  it('shows the intent to people', async () => {
    const s = session();
    await s.run(
      "await codemode.invoke([{ tool_name: 'echo', intent: 'look first', tool_params: {} }]); await tools.echo({}, { intent: 'then again' })",
    ).outcome;
    expect(
      Object.values(s.store.getState().runs)
        .flatMap(({ calls }) => calls)
        .map(({ intent }) => intent),
    ).toEqual(['look first', 'then again']);
  });

  it('ends with its first failure and starts nothing behind it', async () => {
    const outcome = await run(
      "return codemode.invoke([{ tool_name: 'slow', tool_params: { ms: 1, fail: true } }, { tool_name: 'echo' }])",
    );
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'tool_error' }, calls: [{ status: 'failed' }] });
    expect(outcome.calls).toHaveLength(1);
  });

  it.each(["codemode.invoke('echo')", 'codemode.invoke([{ tool: 1 }])', 'codemode.invoke([null])'])(
    'says what it takes: %s',
    async (code) => {
      expect((await run(`return ${code}`)).text).toContain('{ tool_name, tool_params, server_name?, intent? }');
    },
  );
});
