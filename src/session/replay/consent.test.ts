/** What people and rules said before the page was gone, and what of it still holds. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../../bridge/node-worker-executor.ts';
import type { Tool } from '../../catalog/tool.ts';
import { held, pendingCall, tool, until } from '../test-tools/limit-bench.ts';
import { crash, createDisk, type Disk } from './test-tools/crashing-storage.ts';
import { createPages } from './test-tools/pages.ts';

vi.setConfig({ testTimeout: 60_000 });

const executor = createNodeExecutor();
const pages = createPages(executor);
afterAll(() => pages[Symbol.asyncDispose]());
const { open } = pages;

interface Payment {
  readonly n: number;
}
const pay = (execute: Tool['execute'], over: Partial<Tool> = {}): Tool => ({
  name: 'pay',
  needsApproval: true,
  execute,
  ...over,
});
const isIn = (disk: Disk, part: string) => until(() => expect(disk.records.join('\n')).toContain(part));

describe('a call that was allowed, and had not started when its page was gone', () => {
  const limits = { maxConcurrentCalls: 1 };
  const source = 'return Promise.all([tools.slow({}), tools.pay({ n: 2 })])';

  it('asks again when the permission was taken back', async () => {
    const [disk, slow, ran] = [createDisk(), held(), vi.fn()];
    const before = open(disk, { tools: [tool('slow', slow.execute), pay(({ n }: Payment) => n)], limits });
    void before.run(`await tools.pay({ n: 1 }); ${source}`, { id: 'run-1' });
    await before.decide(await pendingCall(before), { kind: 'allow', scope: 'session' });
    await isIn(disk, '"by":"grant"');
    await before.grants.revoke(before.grants.list[0]!.id);
    const session = open(crash(disk), { tools: [tool('slow', () => 1), pay(ran)], limits });
    const run = session.resume('run-1');
    expect(await pendingCall(session)).toBe('run-1:3');
    run.cancel();
    await run.outcome;
    expect(ran).not.toHaveBeenCalled();
  });

  it('is judged anew where the application allowed it: the tool may need approval by now', async () => {
    const [disk, slow, ran] = [createDisk(), held(), vi.fn()];
    const policy = [{ match: 'pay', effect: 'allow' }] as const;
    const tools = [tool('slow', slow.execute), pay(ran, { needsApproval: false })];
    void open(disk, { tools, limits, policy }).run(source, { id: 'run-1' });
    await isIn(disk, '"by":"rule"');
    const session = open(crash(disk), { tools: [tool('slow', () => 1), pay(ran)], limits, policy });
    const run = session.resume('run-1');
    expect(await pendingCall(session)).toBe('run-1:2');
    run.cancel();
    await run.outcome;
    expect(ran).not.toHaveBeenCalled();
  });
});

describe('a question that stood when its page was gone', () => {
  it('about a call beyond a limit is decided by itself still', async () => {
    const disk = createDisk();
    const policy = [{ match: 'pay', effect: 'allow', max: { per: 'run', calls: 1, beyond: 'ask' } }] as const;
    const tools = [pay(({ n }: Payment) => n, { needsApproval: false })];
    void open(disk, { tools, policy }).run('for (const n of [1, 2]) await tools.pay({ n })', { id: 'run-1' });
    await isIn(disk, 'approval.requested');
    const session = open(crash(disk), { tools, policy });
    const id = await pendingCall(session);
    expect(session.grants.preview(id, { scope: 'session' })).toMatchObject({
      issues: [{ message: 'this call can only be decided by itself' }],
    });
  });
});

describe('a permission for a number of calls', () => {
  it('is used up when the record says so, also where the page was gone before it could write that', async () => {
    const [disk, ran] = [createDisk(), vi.fn(({ n }: Payment) => n)];
    const before = open(disk, { tools: [pay(({ n }: Payment) => n)] });
    const source = 'await Promise.all([1, 2, 3].map((n) => tools.pay({ n }))); return tools.pay({ n: 4 })';
    void before.run(source, { id: 'run-1' });
    await until(() => expect(before.store.getState().pending).toHaveLength(3));
    await before.decide('run-1:1', { kind: 'allow', scope: { next: 2 }, match: 'tool' });
    await isIn(disk, 'used_up');
    const session = open(
      crash(
        disk,
        disk.records.findIndex((record) => record.includes('used_up')),
      ),
      { tools: [pay(ran)] },
    );
    await until(() => expect(session.store.getState().runOrder).toEqual(['run-1']));
    const run = session.resume('run-1');
    expect(await pendingCall(session)).toBe('run-1:4');
    run.cancel();
    await run.outcome;
    expect(new Set(ran.mock.calls.map(([{ n }]) => n))).toEqual(new Set([1, 2, 3]));
  });
});
