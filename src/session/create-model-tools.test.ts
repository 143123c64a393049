import { describe, expect, it } from 'vitest';
import * as zod from 'zod';
import { createCatalog } from '../catalog/create-catalog.ts';
import type { Tool } from '../catalog/tool.ts';
import { CodeModeError } from '../errors.ts';
import { createModelTools, type ModelToolsDeps } from './create-model-tools.ts';
import type { Run, RunOutcome, RunOptions } from './types.ts';

const execute = (input: unknown) => input;
const TOOLS: Tool[] = [
  {
    name: 'orders.get',
    description: 'Returns one order. With all lines.',
    risk: 'read',
    inputSchema: zod.object({ id: zod.number().describe('Order number') }),
    outputSchema: zod.object({ total: zod.number() }),
    execute,
  },
  {
    name: 'refund',
    description: 'Refunds an order.',
    risk: 'danger',
    inputSchema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
    execute,
  },
  { name: 'send mail', description: 'Sends a mail.', needsApproval: (input: unknown) => input !== null, execute },
];
const STATS = { computeMs: 1, peakMemoryBytes: 1, calls: 0, transferBytes: 0 };
const outcome = (status: 'completed' | 'failed'): RunOutcome =>
  ({
    status,
    value: 7,
    error: { code: 'program_error', name: 'Error', message: 'no' },
    output: [],
    calls: [],
    warnings: [],
    stats: STATS,
  }) as unknown as RunOutcome;

interface Ran {
  code: string;
  options: RunOptions;
}

function setUp(
  options: ReturnType<ModelToolsDeps['options']> = {},
  tools: Tool[] = TOOLS,
  status: () => 'completed' | 'failed' = () => 'completed',
) {
  const ran: Ran[] = [];
  const catalog = createCatalog(tools);
  const deps: ModelToolsDeps = {
    catalog: () => catalog,
    run: (code, runOptions) => {
      ran.push({ code, options: runOptions });
      return { id: runOptions.id ?? 'run-1', outcome: Promise.resolve(outcome(status())) } as Run;
    },
    options: () => options,
    limits: () => ({ maxModelChars: 20_000 }),
  };
  return { tools: createModelTools(deps), ran, deps };
}

describe('executeCode', () => {
  it('runs the program under the id of the chat’s call and answers with text and outcome', async () => {
    const { tools, ran } = setUp();
    const signal = new AbortController().signal;
    const result = await tools.executeCode.run({ code: 'return 7', title: 'Seven' }, { callId: 'call-1', signal });
    expect(result).toMatchObject({ ok: true, text: '7', runId: 'call-1', outcome: { value: 7 } });
    expect(ran).toEqual([{ code: 'return 7', options: { preflight: true, id: 'call-1', title: 'Seven', signal } }]);
  });

  it.each([
    ['js', { js: 'return 7' }],
    ['source', { source: 'return 7' }],
    ['typescriptCode', { typescriptCode: 'return 7' }],
    ['JSON text', '{"code":"return 7"}'],
    ['JSON text in JSON text', JSON.stringify('{"code":"return 7"}')],
    ['the bare program', 'return 7'],
    ['fields it does not know', { code: 'return 7', language: 'js', title: 5 }],
  ])('takes %s', async (_what, input) => {
    const { tools, ran } = setUp();
    expect((await tools.executeCode.run(input)).ok).toBe(true);
    expect(ran.map(({ code }) => code)).toEqual(['return 7']);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['broken JSON', '{"code": "return 7'],
    ['a list', ['return 7']],
    ['no code', { title: 'x' }],
    ['code that is no text', { code: { js: 'x' } }],
    ['empty code', { code: '  \n' }],
    ['a number', 5],
  ])('answers %s with what to send, and runs nothing', async (_what, input) => {
    const { tools, ran } = setUp();
    const result = await tools.executeCode.run(input);
    expect(result.ok).toBe(false);
    expect(result.text).toMatch(/^executeCode could not read its arguments: .* Nothing ran\. Send for example \{"code"/);
    expect(ran).toEqual([]);
  });

  it('counts failures in a row and starts anew after a success', async () => {
    let status: 'completed' | 'failed' = 'failed';
    const { tools } = setUp({ maxRetries: 2 }, TOOLS, () => status);
    const run = async () => (await tools.executeCode.run({ code: 'x' })).text;
    expect(await run()).toContain('1 attempt left.');
    expect(await run()).toContain('No attempts left');
    status = 'completed';
    await run();
    status = 'failed';
    expect(await run()).toContain('1 attempt left.');
  });

  it('answers with our own errors, and hides those of others', async () => {
    const { deps } = setUp();
    const failing = (error: Error) =>
      createModelTools({
        ...deps,
        run: () => {
          throw error;
        },
      }).executeCode.run({ code: 'x' });
    expect((await failing(new CodeModeError('session_disposed', 'The session is closed.'))).text).toBe(
      'The session is closed. (session_disposed)',
    );
    expect((await failing(new Error('/srv/app/secret.js'))).text).not.toContain('secret');
  });
});

describe('what a model is told about the tools', () => {
  it('is every signature when they fit the budget, and that they are complete', () => {
    const { description } = setUp().tools.executeCode;
    expect(description).toContain('The COMPLETE list of tools:');
    expect(description).toContain(
      '/** Returns one order. With all lines. — read-only */\ntools.orders.get(input: {\n  /** Order number */\n  id: number;\n}): Promise<{ total: number }>',
    );
    expect(description).toContain(
      '/** Refunds an order. — asks the user first */\ntools.refund(input: { id: number }): Promise<unknown>',
    );
    expect(description).toContain('tools.send_mail(');
    for (const word of ['await', 'return', 'Promise.all', 'ToolDeniedError', 'console.log', 'fetch', 'import'])
      expect(description).toContain(word);
  });

  it('is a part, and how to find the rest, when they do not fit; inline overrides the budget, search lists none', () => {
    expect(setUp({ discoveryBudget: 40 }).tools.executeCode.description).toMatch(
      /A PARTIAL list, 1 of 3 tools; find the others with getTools/,
    );
    expect(setUp({ discoveryBudget: 1 }).tools.executeCode.description).toMatch(
      /There are 3 tools, none of them listed here: find them with getTools/,
    );
    expect(setUp({ discoveryBudget: 1, discovery: 'inline' }).tools.executeCode.description).toContain('COMPLETE');
    expect(setUp({ discovery: 'search' }).tools.executeCode.description).not.toContain('orders');
  });

  it('keeps to the budget with a thousand tools', () => {
    const many = Array.from(
      { length: 1_000 },
      (_, i): Tool => ({ name: `server${i % 7}.do_${i}`, description: 'Does it. '.repeat(5), execute }),
    );
    const { description } = setUp({ discoveryBudget: 500 }, many).tools.executeCode;
    expect(description.length).toBeLessThan(500 * 4 + 1_800);
  });

  it('cuts no character of a description in half', () => {
    const pairs: Tool = { name: 'a', description: `x${'\u{1F600}'.repeat(300)}`, execute };
    expect(/\p{Surrogate}/u.test(setUp({}, [pairs]).tools.executeCode.description)).toBe(false);
  });

  it('offers restart only where state is kept', () => {
    const properties = (state?: 'run' | 'session') =>
      Object.keys((setUp({ state }).tools.executeCode.jsonSchema as { properties: object }).properties);
    expect(properties()).toEqual(['code', 'title']);
    expect(properties('session')).toEqual(['code', 'title', 'restart']);
  });

  it('follows when a source of tools answers later', async () => {
    const { deps } = setUp();
    const later = createModelTools({ ...deps, catalog: () => Promise.resolve(createCatalog(TOOLS)) });
    expect(later.executeCode.description).toContain('Find the tools with getTools');
    await Promise.resolve();
    expect(later.executeCode.description).toContain('COMPLETE');
  });

  it('is a Standard Schema with a JSON Schema side for each tool', async () => {
    for (const tool of Object.values(setUp().tools)) {
      const standard = tool.inputSchema['~standard'] as unknown as {
        validate(value: unknown): { issues?: readonly unknown[] };
        jsonSchema: { input(options: object): unknown };
      };
      expect(standard.jsonSchema.input({ target: 'draft-07' })).toEqual(tool.jsonSchema);
      expect(tool.jsonSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(
        JSON.parse(JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.jsonSchema })),
      ).toMatchObject({ name: tool.name });
      expect(standard.validate(5).issues).toHaveLength(1);
    }
    expect(await setUp().tools.executeCode.inputSchema['~standard'].validate({ js: 'return 1' })).toEqual({
      value: { code: 'return 1' },
    });
  });
});

describe('getTools', () => {
  it('lists all tools in a line each', async () => {
    expect((await setUp().tools.getTools.run({})).text.split('\n').slice(0, 4)).toEqual([
      'All 3 tools:',
      '- tools.orders.get: Returns one order. [read-only]',
      '- tools.refund: Refunds an order. [asks the user first]',
      '- tools.send_mail ("send mail"): Sends a mail. [may ask the user first]',
    ]);
  });

  it('finds by words, takes the arguments in any form, and helps when nothing fits', async () => {
    const { tools } = setUp();
    expect((await tools.getTools.run('{"query":"give money back for an order","limit":1}')).text).toMatch(
      /^1 of 3 tools fit, best first:\n- tools\.(refund|orders\.get)/,
    );
    expect((await tools.getTools.run({ query: 'zzz' })).text).toMatch(/^No tool fits "zzz"\. There are 3 tools/);
    expect((await tools.getTools.run(undefined)).text).toMatch(/^All 3 tools/);
    // Chat APIs send no text at all for a call without arguments.
    expect((await tools.getTools.run('')).text).toMatch(/^All 3 tools/);
    expect(await tools.getTools.run({ query: 5 })).toMatchObject({
      ok: false,
      text: expect.stringContaining('`query` must be a text') as string,
    });
  });
});

describe('getToolDefinition', () => {
  it('gives signature, schemas and the way to call, under any of the names a program uses', async () => {
    const { tools } = setUp();
    for (const name of ['orders.get', 'tools.orders.get', 'orders_get', 'tool_orders_get', 'tools["orders.get"]']) {
      const { ok, text } = await tools.getToolDefinition.run({ name });
      expect(ok).toBe(true);
      expect(text).toContain(
        'tools.orders.get [read-only]\nReturns one order. With all lines.\nSignature:\ntools.orders.get(input: {',
      );
      expect(text).toContain(
        'Input schema: {"type":"object","properties":{"id":{"type":"number","description":"Order number"}},"required":["id"]}',
      );
      expect(text).toContain('Output schema: {');
    }
  });

  it('takes several names and suggests for wrong ones', async () => {
    const { tools } = setUp();
    const several = await tools.getToolDefinition.run({ names: ['refund', 'send_mial'] });
    expect(several.ok).toBe(true);
    expect(several.text).toContain('There is no tool "send_mial". Did you mean "send mail"?');
    expect(await tools.getToolDefinition.run({ name: 'constructor' })).toMatchObject({ ok: false });
    expect(await tools.getToolDefinition.run({})).toMatchObject({
      ok: false,
      text: expect.stringContaining('must be the name of a tool') as string,
    });
  });

  it('stays within the limit of one text', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, i) => [`field_${i}`, { type: 'string', description: 'About this field' }]),
    );
    const { tools } = setUp({}, [{ name: 'wide', inputSchema: { type: 'object', properties: wide }, execute }]);
    expect((await tools.getToolDefinition.run({ name: 'wide' })).text.length).toBeLessThanOrEqual(20_200);
  });
});
