import { afterEach, describe, expect, it } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import { createCodeMode } from './create-code-mode.ts';
import type { CodeMode, CodeModeOptions } from './types.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

function codeMode(options: Partial<CodeModeOptions> & Pick<CodeModeOptions, 'tools'>): CodeMode {
  const made = createCodeMode<unknown>(options);
  open.push(made);
  return made;
}

const find = {
  name: 'orders.find',
  description: 'Finds orders.',
  risk: 'read' as const,
  inputSchema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
  execute: ({ id }: { id: number }) => ({ id, total: 12 }),
};

describe('tools offered one by one', () => {
  it('have names that chats take, their own words and schemas', async () => {
    const twin = { ...find, name: 'orders/find' };
    const long = { ...find, name: 'x'.repeat(80) };
    const tools = await codeMode({ tools: [find, twin, long] })
      .session()
      .directTools();
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
    expect(tools[0]).toMatchObject({ description: 'Finds orders.', jsonSchema: { required: ['id'] } });
    const standard = tools[0]!.inputSchema['~standard'];
    expect(standard.validate('{"id":1}')).toEqual({ value: { id: 1 } });
    expect(standard.validate('{"id":')).toMatchObject({
      issues: [{ message: expect.stringContaining('no valid JSON') as string }],
    });
  });

  it('run without a worker, and leave a run in the trace', async () => {
    const session = codeMode({ tools: [find] }).session();
    const [tool] = await session.directTools();
    const result = await tool!.run('{"id": 7}', { callId: 'call-7' });
    expect(result).toMatchObject({ ok: true, text: '{"id":7,"total":12}', runId: 'call-7' });
    expect(session.store.getState().runs['call-7']).toMatchObject({ status: 'completed', calls: [{ tool: 'orders.find' }] });
  });

  it('answer a wrong input, a denial and a failure with words, and run nothing for them', async () => {
    const ran: unknown[] = [];
    const pay = { name: 'pay', execute: (input: unknown) => void ran.push(input) };
    const session = codeMode({
      tools: [find, pay],
      policy: [{ match: 'pay', effect: 'deny', reason: 'not today' }],
    }).session();
    const [finder, payer] = await session.directTools();
    expect(await finder!.run({ id: 'x' })).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^invalid_input: .*id must be/) as string,
    });
    expect(await finder!.run('[1]')).toMatchObject({ ok: false, text: expect.stringContaining('Nothing ran') as string });
    expect(await payer!.run({})).toMatchObject({ ok: false, text: expect.stringContaining('not today') as string });
    expect(ran).toEqual([]);
  });

  it('are not there when a rule hides them, and the same list until a definition changes', async () => {
    const made = codeMode({ tools: [find, { name: 'secret', execute: () => 1 }], policy: [{ match: 'secret', effect: 'hide' }] });
    const session = made.session();
    const before = await session.directTools();
    expect(before.map(({ name }) => name)).toEqual(['orders_find']);
    expect(await session.directTools()).toBe(before);
    made.update({ tools: [{ ...find, description: 'Looks orders up.' }] });
    expect(await session.directTools()).toMatchObject([{ description: 'Looks orders up.' }]);
  });
});

describe('warmUp', () => {
  it.each([
    ['never', 0],
    ['mount', 1],
    ['idle', 1],
  ] as const)('%s: opening a session starts %i worker', async (warmUp, workers) => {
    const executor = createNodeExecutor();
    open.push(executor);
    const made = codeMode({ tools: [find], executor, warmUp });
    expect(executor.load.spare).toBe(0);
    made.session();
    made.session();
    if (workers === 0) await new Promise((resolve) => setTimeout(resolve, 400));
    await expect.poll(() => executor.load.spare, { timeout: 20_000 }).toBe(workers);
    expect(executor.load.busy + executor.load.idle).toBe(0);
  });

  it('of a worker that cannot be started is no fault until something runs', async () => {
    const executor = createNodeExecutor({ workerUrl: new URL('file:///nowhere/worker.js') });
    open.push(executor);
    const session = codeMode({ tools: [find], executor, warmUp: 'mount' }).session();
    expect(await session.run('1').outcome).toMatchObject({ status: 'failed', error: { code: 'executor_unavailable' } });
  });
});
