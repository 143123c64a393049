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

const REFUND = {
  type: 'object',
  properties: { orderId: { type: 'number' }, reason: { enum: ['damaged', 'late'] }, note: { type: 'string' } },
  required: ['orderId'],
} as const;

interface Bench {
  readonly session: Session;
  /** Names of the tools whose handler ran. */
  readonly ran: string[];
  run(code: string): ReturnType<Session['modelTools']['executeCode']['run']>;
}

const bench = (options: Partial<CodeModeOptions> = {}, more: readonly Tool[] = []): Bench => {
  const ran: string[] = [];
  const tool = (name: string, inputSchema?: Tool['inputSchema']): Tool => ({
    name,
    ...(inputSchema !== undefined && { inputSchema }),
    execute: (input) => {
      ran.push(name);
      return input;
    },
  });
  const tools = [
    tool('refund_order', REFUND),
    tool('list_orders'),
    tool('find', { type: 'object', properties: { query: { type: 'string' } }, required: ['query'], additionalProperties: false }),
    ...more,
  ];
  const codeMode = createCodeMode({ tools, executor, ...options });
  open.add(codeMode);
  const session = codeMode.session();
  return { session, ran, run: (code) => session.modelTools.executeCode.run({ code }) };
};

describe('executeCode refuses before anything runs', () => {
  it('a literal input that is certain to be sent and does not fit, with place, problem and what was done', async () => {
    const { run, ran, session } = bench();
    const { ok, text, outcome } = await run(
      "const orders = await tools.list_orders();\nawait tools.refund_order({ orderId: '7', reason: 'damage' });\nreturn orders",
    );
    expect(ok).toBe(false);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_input', site: { line: 2, column: 7 } },
      calls: [],
    });
    expect(text).toContain('invalid_input) at 2:7');
    expect(text).toContain('was not started');
    expect(text).toContain('orderId must be number, got string');
    expect(text).toContain('reason must be one of "damaged", "late"');
    expect(text).toContain('2 | await tools.refund_order(');
    expect(text).toContain('No tool was called.');
    expect(text).toContain('2 attempts left');
    expect(ran).toEqual([]);
    const facts = session.journal.events.map(({ type }) => type).filter((type) => type !== 'catalog.changed');
    expect(facts).toEqual(['run.queued', 'run.started', 'run.failed']);
  });

  it('all such calls at once, so that one more attempt repairs them all', async () => {
    const { run, ran } = bench();
    const { text } = await run(
      "await tools.list_orders();\nawait Promise.all([tools.refund_order({}), tools.find({ query: 1 })]);\nreturn (async () => { await tools.find({ qery: 'x' }) })()",
    );
    expect(text).toMatch(
      /orderId is required.*Line 2: .*query must be string.*Line 3: .*qery is not a known field; did you mean "query"\?/,
    );
    expect(ran).toEqual([]);
  });

  it.each([
    ['a lone function', "async () => {\n  await tools.list_orders();\n  return await tools.refund_order({ orderId: 'x' });\n}"],
    ['export default', "export default async function main() {\n  return await tools.refund_order({ orderId: 'x' });\n}"],
    [
      'a batch',
      "return codemode.invoke([{ tool_name: 'list_orders' }, { tool_name: 'refund_order', tool_params: { orderId: 'x' } }])",
    ],
    ['no argument', 'await tools.list_orders();\nawait tools.refund_order()'],
    ['a positional argument', 'await tools.list_orders();\nawait tools.find(7)'],
    [
      'an alias in TypeScript',
      "const list: unknown[] = [await tool_list_orders()];\nawait external_refund_order({ orderId: 'x' as any })",
    ],
  ])('also in %s', async (_, code) => {
    const { run, ran } = bench();
    expect((await run(code)).outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_input' }, calls: [] });
    expect(ran).toEqual([]);
  });

  it('a text that is no program', async () => {
    const { run, ran } = bench();
    expect((await run('await tools.list_orders();\nconst x = ;')).outcome).toMatchObject({
      status: 'failed',
      error: { code: 'syntax_error', site: { line: 2 } },
      calls: [],
    });
    expect(ran).toEqual([]);
  });

  it('and the session goes on: its state is kept and calls count from 1', async () => {
    const { run, session } = bench({ state: 'session' });
    await run('const kept = 41; await tools.list_orders()');
    await run('await tools.refund_order({ orderId: null }); const lost = 1');
    const { outcome } = await run("await tools.find({ query: 'x' }); return [kept + 1, typeof lost]");
    expect(outcome).toMatchObject({ status: 'completed', value: [42, 'undefined'], calls: [{ ordinal: 1 }], warnings: [] });
    expect(session.journal.events.some(({ type }) => type === 'state.lost')).toBe(false);
  });
});

describe('executeCode runs the program and warns', () => {
  it.each([
    ['a branch', "if (await tools.list_orders() === 7) await tools.refund_order({ orderId: 'x' }); return 1"],
    ['a function that nobody calls', "const f = () => tools.refund_order({ orderId: 'x' }); return 1"],
    ['a statement behind a return', "if (Date.now() > 0) return 1; await tools.refund_order({ orderId: 'x' })"],
  ])('about a literal that does not fit in %s', async (_, code) => {
    const { run } = bench();
    const { outcome, text } = await run(code);
    expect(outcome).toMatchObject({ status: 'completed', value: 1, warnings: [{ code: 'unfit_input', site: { line: 1 } }] });
    expect(text).toContain('orderId must be number, got string');
  });

  it.each([
    ['try', "try { await tools.refund_order({ orderId: 'x' }) } catch (e) { return e.code }"],
    ['catch', "return tools.refund_order({ orderId: 'x' }).catch((e) => e.code)"],
    ['allSettled', "const [r] = await Promise.allSettled([tools.refund_order({ orderId: 'x' })]); return r.reason.code"],
    ['a kept promise', "const p = tools.refund_order({ orderId: 'x' }); try { await p } catch (e) { return e.code }"],
    [
      'an invoked function',
      "const p = (async () => { await tools.refund_order({ orderId: 'x' }) })(); return p.catch((e) => e.code)",
    ],
  ])('about one whose failure is handled by %s', async (_, code) => {
    const { run } = bench();
    expect((await run(code)).outcome).toMatchObject({
      status: 'completed',
      value: 'invalid_input',
      warnings: [{ code: 'unfit_input' }],
      calls: [{ ordinal: 1, status: 'failed' }],
    });
  });

  it('about a tool that does not exist, with the name that was meant', async () => {
    const { run } = bench();
    const { outcome } = await run('if (Date.now() < 0) await tools.refundOrder({}); return 1');
    expect(outcome).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'unknown_tool', message: 'There is no tool "refundOrder". Did you mean tools.refund_order?' }],
    });
  });

  it('about a field that the schema lets pass but does not know', async () => {
    const { run } = bench();
    const { outcome, text } = await run("return (await tools.refund_order({ orderId: 7, nota: 'x' })).orderId");
    expect(outcome).toMatchObject({ status: 'completed', value: 7, warnings: [{ code: 'unfit_input' }] });
    expect(text).toContain('nota is not a known field; did you mean "note"?');
  });

  it('but not about what the failed call says itself', async () => {
    const { run } = bench();
    const { text } = await run('await tools.list_orders();\nawait tools.refundOrder({})');
    expect(text).toContain('Did you mean tools["refund_order"]');
    expect(text).not.toContain('Warning:');
    expect(text).toContain('1. list_orders: succeeded, do not repeat');
  });
});

describe('what is judged', () => {
  it('is nothing without executeCode, unless the option asks for it', async () => {
    const { session, ran } = bench();
    const code = "await tools.list_orders(); await tools.refund_order({ orderId: 'x' })";
    expect(await session.run(code).outcome).toMatchObject({
      status: 'failed',
      calls: [{ status: 'succeeded' }, { status: 'failed' }],
    });
    expect(ran).toEqual(['list_orders']);
    expect(await session.run(code, { preflight: true }).outcome).toMatchObject({ status: 'failed', calls: [] });
  });

  it('costs no question when there is nothing to judge, and none of it is replayed or counted', async () => {
    const { session, run } = bench({ limits: { maxCalls: 1, maxInputBytes: 20 } });
    const { outcome } = await run("return tools.find({ query: 'abc' })");
    expect(outcome).toMatchObject({ status: 'completed', stats: { calls: 1 } });
    const delivered = session.journal.events.flatMap((event) => (event.type === 'delivery' ? event.data.items : []));
    expect(delivered).toEqual([{ kind: 'call', id: 1 }]);
  });

  it('waits for an asynchronous schema, and not for ever', async () => {
    const schema = (answer: () => Promise<object>) => ({
      '~standard': { version: 1 as const, vendor: 'test', validate: answer },
    });
    const asked: string[] = [];
    const slow: Tool[] = [
      {
        name: 'checked',
        inputSchema: schema(async () => ({ issues: [{ message: 'no such customer' }] })) as never,
        execute: () => 1,
      },
      {
        name: 'never',
        inputSchema: schema(
          () => (asked.push('x'), asked.length > 1 ? Promise.resolve({ value: {} }) : new Promise(() => {})),
        ) as never,
        execute: () => 1,
      },
    ];
    const { run } = bench({}, slow);
    expect((await run('return await tools.checked({ id: 1 })')).outcome).toMatchObject({ status: 'failed', calls: [] });
    expect((await run('return await tools.never({ id: 1 })')).outcome).toMatchObject({ status: 'completed', value: 1 });
  });

  it('is lifted by cancelling', async () => {
    const stuck = { '~standard': { version: 1 as const, vendor: 'test', validate: () => new Promise(() => {}) } };
    const { session } = bench({}, [{ name: 'stuck', inputSchema: stuck as never, execute: () => 1 }]);
    const run = session.run('await tools.stuck({})', { preflight: true });
    await vi.waitFor(() => expect(session.store.getState().runs[run.id]?.status).toBe('running'), { timeout: 15_000 });
    run.cancel('enough');
    expect(await run.outcome).toMatchObject({ status: 'cancelled', reason: 'enough' });
  });
});

describe('session.analyze', () => {
  it('says what a program can reach and what is wrong with it, in its order, and runs nothing', async () => {
    const { session, ran } = bench();
    const analysis = await session.analyze(
      "const r = await tools.find({ query: 'a' });\nif (r) tools.nope({});\nawait tools.refund_order({ orderId: 'x' });\nawait tools.find({ query: r })",
    );
    expect(analysis).toMatchObject({ ok: false, tools: ['find', 'refund_order'], computedName: false });
    expect(analysis.problems.map(({ severity, code, tool, site }) => [severity, code, tool, site?.line])).toEqual([
      ['warning', 'tool_not_found', 'nope', 2],
      ['error', 'invalid_input', 'refund_order', 3],
    ]);
    expect(analysis.problems[1]?.issues).toEqual([{ path: ['orderId'], message: 'orderId must be number, got string' }]);
    expect(analysis.facts.freeIdentifiers).toEqual(['tools']);
    expect(ran).toEqual([]);
  });

  it.each([
    ['return tools[name]()', { ok: true, computedName: true, problems: [] }],
    ['const = 1', { ok: false, problems: [{ severity: 'error', code: 'syntax_error', site: { line: 1 } }] }],
    ['print("hi") if x else None', { ok: false, problems: [{ severity: 'error', code: 'unsupported_language' }] }],
    [' \n', { ok: false, problems: [{ severity: 'error', code: 'syntax_error' }] }],
    [`// ${'x'.repeat(262_144)}`, { ok: false, problems: [{ severity: 'error', code: 'source_too_large' }] }],
  ])('%j', async (code, wanted) => {
    expect(await bench().session.analyze(code.slice(0, 300_000))).toMatchObject(wanted);
  });
});
