/** What a run has used of its budgets stays used when its page is gone; the time without a page counts for nothing. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../../bridge/node-worker-executor.ts';
import type { Progress, Tool } from '../../catalog/tool.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { deferred } from '../deferred.ts';
import { held, pendingCall, tool, until } from '../test-tools/limit-bench.ts';
import type { Run, Session } from '../types.ts';
import { crash, createDisk } from './test-tools/crashing-storage.ts';
import { createPages } from './test-tools/pages.ts';

vi.setConfig({ testTimeout: 60_000 });

const HOUR = 3_600_000;
const executor = createNodeExecutor();
const pages = createPages(executor);
afterAll(() => pages[Symbol.asyncDispose]());
const { open } = pages;

describe('the time that a whole run may take', () => {
  const clock = createFakeClock();
  const limits = { maxDurationMs: 10_000, toolTimeoutMs: HOUR };

  const stillRuns = (session: Session) => expect(session.store.getState().runs['run-1']?.status).toBe('running');
  /** To the millisecond: no more and no less. */
  const endsAfter = async (ms: number, session: Session, run: Run): Promise<void> => {
    clock.advance(ms);
    stillRuns(session);
    clock.advance(1);
    expect(await run.outcome).toMatchObject({
      status: 'failed',
      error: { code: 'duration_limit', data: { limit: 'maxDurationMs', value: 10_000 } },
    });
  };

  it('goes on from where a person was asked, however long nobody was there', async () => {
    const [disk, slow] = [createDisk(), held()];
    const tools = [tool('slow', slow.execute), tool('pay', slow.execute, { needsApproval: true })];
    const before = open(disk, { tools, limits, clock });
    void before.run('await tools.slow({}); return tools.pay({})', { id: 'run-1' });
    await until(() => expect(slow.arrived()).toBe(1));
    clock.advance(4_000);
    slow.release();
    await pendingCall(before);
    const session = open(crash(disk), { tools, limits, clock });
    clock.advance(5 * HOUR);
    const callId = await pendingCall(session);
    clock.advance(5 * HOUR);
    await session.decide(callId, { kind: 'allow' });
    const run = session.resume('run-1');
    await until(() => expect(slow.arrived()).toBe(2));
    await endsAfter(6_000, session, run);
  });

  it('goes on from the last sign of life of a page that was gone, again and again', async () => {
    const reports: ((progress: Progress) => void)[] = [];
    const slow = tool('slow', (_, { report }) => new Promise(() => reports.push(report)));
    let disk = createDisk();
    let session = open(disk, { tools: [slow], limits, clock });
    let run = session.run('return tools.slow({})', { id: 'run-1' });
    for (const page of [1, 2, 3]) {
      await until(() => expect(reports).toHaveLength(page));
      clock.advance(2_000);
      reports.at(-1)?.({ done: page });
      await until(() => expect(disk.records.at(-1)).toContain('tool_call.progressed'));
      disk = crash(disk);
      clock.advance(5 * HOUR);
      session = open(disk, { tools: [slow], limits, clock });
      await until(() => expect(session.store.getState().runs['run-1']?.status).toBe('interrupted'));
      clock.advance(5 * HOUR);
      run = session.resume('run-1');
    }
    await until(() => expect(reports).toHaveLength(4));
    await endsAfter(4_000, session, run);
  });

  it('stands still while a result is brought later, with a page or without', async () => {
    const [disk, slow] = [createDisk(), held()];
    const tools = [tool('order', () => deferred('token')), tool('slow', slow.execute)];
    const before = open(disk, { tools, limits, clock });
    void before.run('await tools.slow({}); await tools.order({}); return tools.slow({})', { id: 'run-1' });
    await until(() => expect(slow.arrived()).toBe(1));
    clock.advance(3_000);
    slow.release();
    await until(() => expect(before.store.getState().runs['run-1']?.status).toBe('waiting'));
    clock.advance(HOUR);
    const session = open(crash(disk), { tools, limits, clock });
    clock.advance(HOUR);
    expect(await session.settle('run-1:2', 1)).toEqual({ applied: true });
    await until(() => expect(slow.arrived()).toBe(2));
    await endsAfter(7_000, session, session.resume('run-1'));
  });

  it('goes on for a call without a program as well', async () => {
    const [disk, slow] = [createDisk(), held()];
    const tools = [tool('slow', slow.execute)];
    const before = open(disk, { tools, limits, clock });
    void before.callTool('slow', {}, { id: 'run-1' });
    await until(() => expect(slow.arrived()).toBe(1));
    const session = open(crash(disk), { tools, limits, clock });
    const run = session.resume('run-1');
    await until(() => expect(slow.arrived()).toBe(2));
    await endsAfter(10_000, session, run);
  });
});

describe('what a run may compute', () => {
  it('is used again by what it does again: a reload gives nothing back', async () => {
    const disk = createDisk();
    const tools = [tool('pay', () => 1, { needsApproval: true })];
    const computes = 'let n = 0; for (let i = 0; i < 400_000; i++) n += i % 7;';
    const before = open(disk, { tools });
    void before.run(`${computes} return tools.pay({ n })`, { id: 'run-1' });
    await pendingCall(before);
    const session = open(crash(disk), { tools });
    await session.decide(await pendingCall(session), { kind: 'allow' });
    const { status, stats } = await session.resume('run-1').outcome;
    expect(status).toBe('completed');
    // A loop of this length takes the engine tens of milliseconds on the fastest machine.
    expect(stats.computeMs).toBeGreaterThan(4);
  });
});

describe('the bytes that a run may move', () => {
  const limits = { maxTransferBytes: 1_000 };
  const text = (bytes: number): string => 'x'.repeat(bytes - 2);

  it('stay used', async () => {
    const disk = createDisk();
    const tools = [tool('load', () => text(600)), tool('pay', () => text(390), { needsApproval: true })];
    const before = open(disk, { tools, limits });
    void before.run('await tools.load({}); await tools.pay({}); return tools.load({})', { id: 'run-1' });
    await pendingCall(before);
    const session = open(crash(disk), { tools, limits });
    await session.decide(await pendingCall(session), { kind: 'allow' });
    expect(await session.resume('run-1').outcome).toMatchObject({
      status: 'failed',
      error: { code: 'transfer_limit', callId: 'run-1:3' },
      stats: { transferBytes: 600 + 390 + 3 * '{}'.length + 600 },
    });
  });

  it('stay used by earlier results that it had loaded', async () => {
    const disk = createDisk();
    const tools = [tool('pay', () => text(500), { needsApproval: true })];
    const before = open(disk, { tools, limits });
    await before.run(`return '${text(600)}'`).outcome;
    void before.run('await codemode.results.load("r1"); return tools.pay({})', { id: 'run-1' });
    await pendingCall(before);
    const session = open(crash(disk), { tools, limits });
    await session.decide(await pendingCall(session), { kind: 'allow' });
    expect(await session.resume('run-1').outcome).toMatchObject({ status: 'failed', error: { code: 'transfer_limit' } });
  });

  it('are used up once they were passed', async () => {
    const disk = createDisk();
    const tools = [tool('load', ({ bytes }: { bytes: number }) => text(bytes)), tool('pay', () => 1, { needsApproval: true })];
    const source = `
      const fate = (work) => work.then(() => 'moved', (error) => error.code);
      const answers = [await fate(tools.load({ bytes: 2_000 }))];
      const paid = tools.pay({});
      return [...answers, await fate(paid), await fate(tools.load({ bytes: 10 }))]`;
    const whole = open(createDisk(), { tools, limits });
    // Nobody is asked any more: what does not fit never gets so far.
    const wanted = ['transfer_limit', 'transfer_limit', 'transfer_limit'];
    expect(await whole.run(source).outcome).toMatchObject({ value: wanted });
    const first = open(disk, { tools, limits });
    await first.run(source, { id: 'run-1' }).outcome;
    const cut = disk.records.findIndex((record) => record.includes('transfer_limit'));
    (disk.records as string[]).splice(cut + 1);
    const session = open(crash(disk), { tools, limits });
    expect(await session.resume('run-1').outcome).toMatchObject({ status: 'completed', value: wanted });
  });
});

describe('the time that people have to decide', () => {
  it('goes on without a page: what was over meanwhile is over at once', async () => {
    const [clock, disk, paid] = [createFakeClock(), createDisk(), vi.fn()];
    const options = { tools: [tool('pay', paid, { needsApproval: true })], clock, approvalTimeoutMs: HOUR };
    const before = open(disk, options);
    void before.run('return tools.pay({})', { id: 'run-1' });
    const callId = await pendingCall(before);
    const left = crash(disk);
    clock.advance(2 * HOUR);
    const session = open(left, options);
    expect(await session.decide(callId, { kind: 'allow' })).toMatchObject({ applied: false, why: 'expired' });
    clock.advance(0);
    expect(await session.resume('run-1').outcome).toMatchObject({ status: 'failed', error: { code: 'approval_expired' } });
    expect(paid).not.toHaveBeenCalled();
  });
});

describe('the limit of a rule', () => {
  it('for one run keeps what its calls took, and a call that runs again takes it once', async () => {
    const [disk, slow, ran] = [createDisk(), held(), vi.fn()];
    const policy = [{ match: 'read', effect: 'allow', max: { per: 'run', calls: 3 } }] as const;
    const read = ({ n }: { n: number }) => (n === 2 ? slow.execute() : n);
    const before = open(disk, { tools: [tool('read', read)], policy });
    void before.run('for (const n of [1, 2, 3, 4]) await tools.read({ n });', { id: 'run-1' });
    await until(() => expect(slow.arrived()).toBe(1));
    const session = open(crash(disk), { tools: [tool('read', ({ n }: { n: number }) => ran(n))], policy });
    const outcome = await session.resume('run-1').outcome;
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'tool_denied', callId: 'run-1:4' } });
    expect(ran.mock.calls.flat()).toEqual([2, 3]);
  });

  it('is not passed by a call that took the last of it and is started again', async () => {
    const policy = [{ match: 'send', effect: 'allow', max: { per: 'run', calls: 1 } }] as const;
    for (const isRepeatable of [true, false]) {
      const [disk, slow, ran] = [createDisk(), held(), vi.fn(() => 'sent')];
      const send = (execute: Tool['execute']) => tool('send', execute, { risk: isRepeatable ? 'read' : 'write' });
      const before = open(disk, { tools: [send(slow.execute)], policy });
      void before.run('return tools.send({})', { id: 'run-1' });
      await until(() => expect(slow.arrived()).toBe(1));
      const session = open(crash(disk), { tools: [send(ran)], policy });
      const run = session.resume('run-1');
      if (!isRepeatable) expect(await session.decide(await pendingCall(session), { kind: 'allow' })).toEqual({ applied: true });
      expect(await run.outcome).toMatchObject({ status: 'completed', value: 'sent' });
      expect(ran).toHaveBeenCalledTimes(1);
    }
  });
});
