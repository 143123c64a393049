import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Executor } from '../../bridge/executor.ts';
import { createNodeExecutor } from '../../bridge/node-worker-executor.ts';
import type { Tool } from '../../catalog/tool.ts';
import { ToolError } from '../../errors.ts';
import type { JournalEvent } from '../../journal/events.ts';
import { PROTOCOL_VERSION } from '../../protocol/wire.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createCodeMode } from '../create-code-mode.ts';
import { deferred } from '../deferred.ts';
import type { CodeModeOptions, Session } from '../types.ts';
import { createDisk, type Disk } from './test-tools/crashing-storage.ts';

// Real engines under whatever else the machine does: a test is wrong when it hangs, not when it is slow.
vi.setConfig({ testTimeout: 60_000 });

const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());

const until = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 2 });
const open = (disk: Disk, options: Partial<CodeModeOptions>, appends?: number): Session =>
  createCodeMode({ tools: [], executor, storage: disk.page(appends), ...options }).session({ id: disk.sessionId });
const pending = async (session: Session, n = 1): Promise<readonly string[]> => {
  await until(() => expect(session.store.getState().pending).toHaveLength(n));
  return session.store.getState().pending;
};
const statusOf = (session: Session, id = 'run-1') => session.store.getState().runs[id]?.status;
const eventsOf = (disk: Disk): JournalEvent[] => disk.records.map((record) => JSON.parse(record) as JournalEvent);
const count = (disk: Disk, type: JournalEvent['type']) => eventsOf(disk).filter((event) => event.type === type).length;

/** Runs the program in a page that dies after the append of this kind. */
async function crashAfter(
  disk: Disk,
  source: string,
  options: Partial<CodeModeOptions>,
  type: JournalEvent['type'],
  nth = 1,
): Promise<void> {
  const trial = createDisk();
  const whole = open(trial, options);
  const run = whole.run(source, { id: 'run-1' });
  await until(() => expect(count(trial, type)).toBeGreaterThanOrEqual(nth));
  const appends =
    eventsOf(trial).findIndex(
      (event, i, all) => event.type === type && all.slice(0, i + 1).filter((e) => e.type === type).length === nth,
    ) + 1;
  run.cancel();
  await run.outcome;
  const storage = disk.page(appends);
  const session = createCodeMode({ tools: [], executor, ...options, storage }).session({ id: disk.sessionId });
  const dying = session.run(source, { id: 'run-1' });
  const look = setInterval(() => {
    if (disk.records.length === appends) dying.cancel();
  }, 5);
  await Promise.race([storage.dead, dying.outcome]);
  clearInterval(look);
  dying.cancel();
  expect(disk.records).toHaveLength(appends);
}

const pay = (ran: (input: unknown) => unknown = () => ({ paid: true }), over: Partial<Tool> = {}): Tool => ({
  name: 'pay',
  needsApproval: true,
  execute: ran,
  ...over,
});
const send = (ran: (input: any) => unknown = () => null, over: Partial<Tool> = {}): Tool => ({
  name: 'send',
  execute: ran,
  ...over,
});

describe('a session that is opened again while a call waits for a person', () => {
  const source = 'const { n } = await tools.send({ n: 1 }); return [n, await tools.pay({ n })]';

  it('shows the question again, runs nothing, and goes on when it is answered', async () => {
    const [disk, sent, paid] = [createDisk(), vi.fn(({ n }) => ({ n })), vi.fn(() => 'ok')];
    await crashAfter(disk, source, { tools: [send(({ n }) => ({ n })), pay()] }, 'approval.requested');
    const session = open(disk, { tools: [send(sent), pay(paid)] });
    const [callId = ''] = await pending(session);
    expect([callId, statusOf(session)]).toEqual(['run-1:2', 'waiting']);
    expect(await session.decide(callId, { kind: 'allow' })).toEqual({ applied: true });
    expect(await session.resume('run-1').outcome).toMatchObject({ status: 'completed', value: [1, 'ok'] });
    expect([sent.mock.calls.length, paid.mock.calls.length]).toEqual([0, 1]);
    expect(count(disk, 'approval.requested')).toBe(1);
    expect(eventsOf(disk).filter(({ type }) => type === 'tool_call.replayed')).toMatchObject([{ data: { callId: 'run-1:1' } }]);
    expect(await session.decide(callId, { kind: 'allow' })).toEqual({ applied: false, why: 'already_decided' });
  });

  it('says that a decision is too late once the run was cancelled', async () => {
    const [disk, paid] = [createDisk(), vi.fn()];
    await crashAfter(disk, source, { tools: [send(({ n }) => ({ n })), pay()] }, 'approval.requested');
    const session = open(disk, { tools: [send(), pay(paid)] });
    await pending(session);
    expect(await session.decide('run-1:2', { kind: 'cancelRun', reason: 'no more' })).toEqual({ applied: true });
    expect(await session.resume('run-1').outcome).toMatchObject({ status: 'cancelled', reason: 'no more' });
    expect(await session.decide('run-1:2', { kind: 'allow' })).toMatchObject({ applied: false });
    expect(paid).not.toHaveBeenCalled();
    const third = open(disk, { tools: [send(), pay(paid)] });
    expect(await third.decide('run-1:2', { kind: 'allow' })).toEqual({ applied: false, why: 'ended' });
  });

  it('is over when it had a context of its own, which no later page has; done over it wants that context again', async () => {
    const [disk, paid] = [createDisk(), vi.fn()];
    const execute: Tool['execute'] = (_, { context }) => {
      paid();
      return context;
    };
    const page = (): Session =>
      createCodeMode({ tools: [pay(undefined, { execute })], executor, storage: disk.page() }).session({
        id: disk.sessionId,
        context: 'anybody',
      });
    const first = page();
    const run = first.run('return await tools.pay({})', { id: 'run-1', context: 'Ada' });
    const [callId = ''] = await pending(first);
    const second = page();
    expect(await second.decide(callId, { kind: 'allow' })).toEqual({ applied: false, why: 'ended' });
    expect(await second.resume('run-1').outcome).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted', message: expect.stringContaining('context') },
    });
    expect(await second.retry('run-1').outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_options' } });
    expect(await second.retryFrom(callId).outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_options' } });
    const again = second.retry('run-1', { context: 'Ada' });
    const [asked = ''] = await pending(second);
    await second.decide(asked, { kind: 'allow' });
    expect(await again.outcome).toMatchObject({ status: 'completed', value: 'Ada' });
    expect(paid).toHaveBeenCalledTimes(1);
    run.cancel();
    await run.outcome;
  });

  it('lets the next program wait, and keeps the question when the session is closed', async () => {
    const disk = createDisk();
    const tools = [send(({ n }) => ({ n })), pay()];
    await crashAfter(disk, source, { tools }, 'approval.requested');
    const second = open(disk, { tools });
    await pending(second);
    await second[Symbol.asyncDispose]();
    const third = open(disk, { tools });
    await pending(third);
    const next = third.run('return 2', { id: 'run-2' });
    await until(() => expect(third.store.getState().runs['run-2']?.waitsFor).toBe('run-1'));
    await third.decide('run-1:2', { kind: 'deny' });
    expect(await next.outcome).toMatchObject({ status: 'completed', value: 2 });
    expect(statusOf(third)).toBe('failed');
  });

  it('counts the time until it expires from when it was asked', async () => {
    const disk = createDisk();
    const tools = [send(({ n }) => ({ n })), pay()];
    const clock = createFakeClock(1_000_000);
    await crashAfter(disk, source, { tools, approvalTimeoutMs: 60_000, clock }, 'approval.requested');
    const session = open(disk, { tools, approvalTimeoutMs: 60_000, clock });
    await pending(session);
    clock.advance(60_001);
    await until(() => expect(session.store.getState().pending).toEqual([]));
    expect(await session.resume('run-1').outcome).toMatchObject({ status: 'failed', error: { code: 'approval_expired' } });
  });

  it('does not run a tool that is gone or another one, and names it', async () => {
    for (const tools of [[send()], [send(), pay(undefined, { description: 'Pays more' })]]) {
      const disk = createDisk();
      await crashAfter(disk, source, { tools: [send(({ n }) => ({ n })), pay()] }, 'approval.requested');
      const session = open(disk, { tools });
      const { outcome } = session.resume('run-1');
      expect(await outcome).toMatchObject({
        status: 'failed',
        error: { message: expect.stringContaining('pay did not run: the application changed or removed') },
      });
      expect(session.store.getState().pending).toEqual([]);
    }
  });

  it('asks about a program as a whole again', async () => {
    const [disk, paid] = [createDisk(), vi.fn(() => 'ok')];
    await crashAfter(disk, 'return tools.pay({})', { tools: [pay(paid)], plan: 'ask' }, 'plan.requested');
    const session = open(disk, { tools: [pay(paid)], plan: 'ask' });
    await until(() => expect(session.store.getState().pendingPlans).toEqual(['run-1']));
    expect(await session.decidePlan('run-1', { kind: 'allow' })).toEqual({ applied: true });
    expect(await session.resume('run-1').outcome).toMatchObject({ status: 'completed', value: 'ok' });
    expect([count(disk, 'plan.requested'), count(disk, 'approval.requested')]).toEqual([1, 0]);
  });
});

describe('a run that was interrupted while nobody was asked', () => {
  it('is shown as that and keeps nobody waiting, until it is continued', async () => {
    const disk = createDisk();
    const source = 'await tools.send({ n: 1 }); await tools.send({ n: 2 }); return 3';
    await crashAfter(disk, source, { tools: [send()] }, 'tool_call.succeeded');
    const sent = vi.fn();
    const session = open(disk, { tools: [send(sent)] });
    await until(() => expect(statusOf(session)).toBe('interrupted'));
    expect(await session.run('return 1').outcome).toMatchObject({ status: 'completed' });
    expect(await session.resume('run-1').outcome).toMatchObject({ status: 'completed', value: 3 });
    expect(sent.mock.calls.map(([input]) => input)).toEqual([{ n: 2 }]);
    expect(statusOf(session)).toBe('completed');
  });

  it('goes on when the same call of a model comes again', async () => {
    const disk = createDisk();
    const source = 'await tools.send({ n: 1 }); return 3';
    await crashAfter(disk, source, { tools: [send()] }, 'tool_call.succeeded');
    const sent = vi.fn();
    const session = open(disk, { tools: [send(sent)] });
    expect(await session.run(source, { id: 'run-1' }).outcome).toMatchObject({ status: 'completed', value: 3 });
    const third = open(disk, { tools: [send(sent)] });
    expect(await third.run(source, { id: 'run-1' }).outcome).toMatchObject({ status: 'completed', value: 3 });
    const fourth = open(disk, { tools: [send(sent)] });
    expect(await fourth.run('return 4', { id: 'run-1' }).outcome).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_options' },
    });
    expect(sent).not.toHaveBeenCalled();
  });

  it('gives nobody the end of another program or call that had the same id', async () => {
    const [disk, paid] = [createDisk(), vi.fn((input: unknown) => (input as { readonly n: number }).n)];
    const tools = [pay(paid, { needsApproval: false })];
    const first = open(disk, { tools });
    expect(await first.callTool('pay', { n: 1 }, { id: 'call-1' }).outcome).toMatchObject({ value: 1 });
    expect(await first.modelTools.executeCode.run({ code: 'return 1' }, { callId: 'call-2' })).toMatchObject({ ok: true });
    const session = open(disk, { tools });
    const same = session.callTool('pay', { n: 1 }, { id: 'call-1' });
    expect(await same.outcome).toMatchObject({ value: 1 });
    const third = open(disk, { tools });
    const other = third.callTool('pay', { n: 2 }, { id: 'call-1' });
    expect(await other.outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_options' } });
    expect(paid).toHaveBeenCalledTimes(1);
    // A server that counts its calls anew.
    const fourth = open(disk, { tools });
    const again = await fourth.modelTools.executeCode.run({ code: 'return 2' }, { callId: 'call-2' });
    expect(again).toMatchObject({ ok: true, outcome: { value: 2 } });
    expect(again.runId).not.toBe('call-2');
  });

  it('runs again what may be repeated, and asks about the rest', async () => {
    const disk = createDisk();
    const source = 'return Promise.all([tools.read({}), tools.send({})])';
    const hang = () => new Promise(() => {});
    const read = (execute: Tool['execute']): Tool => ({ name: 'read', risk: 'read', execute });
    await crashAfter(disk, source, { tools: [read(hang), send(hang)] }, 'tool_call.started', 2);
    const [again, sent] = [vi.fn(() => 'read'), vi.fn(() => 'sent')];
    const session = open(disk, { tools: [read(again), send(sent)] });
    await until(() =>
      expect(session.store.getState().runs['run-1']?.calls.map(({ status }) => status)).toEqual(['interrupted', 'interrupted']),
    );
    const run = session.resume('run-1');
    const [callId = ''] = await pending(session);
    const call = session.store.getState().runs['run-1']?.calls[1];
    expect([callId, call?.approval?.doubt, call?.approval?.question]).toEqual([
      'run-1:2',
      true,
      'This may have happened already: Run send?',
    ]);
    expect(sent).not.toHaveBeenCalled();
    expect(await session.decide(callId, { kind: 'answer', output: 'it was sent' })).toEqual({ applied: true });
    expect(await run.outcome).toMatchObject({ status: 'completed', value: ['read', 'it was sent'] });
    expect([again.mock.calls.length, sent.mock.calls.length]).toEqual([1, 0]);
  });

  it('tells the program when nobody repeats what may have happened', async () => {
    const disk = createDisk();
    await crashAfter(disk, 'return tools.send({})', { tools: [send(() => new Promise(() => {}))] }, 'tool_call.started');
    const session = open(disk, { tools: [send()] });
    const run = session.resume('run-1');
    await pending(session);
    await session.decide('run-1:1', { kind: 'deny' });
    expect(await run.outcome).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted' },
      calls: [{ mayHaveApplied: true }],
    });
  });

  it('that was one call without a program goes on, too', async () => {
    const [disk, paid] = [createDisk(), vi.fn(() => 'ok')];
    const first = open(disk, { tools: [pay()] });
    first.callTool('pay', { n: 1 }, { id: 'run-1' });
    await pending(first);
    const session = open(disk, { tools: [pay(paid)] });
    await pending(session);
    await session.decide('run-1:1', { kind: 'allow' });
    expect(await session.resume('run-1').outcome).toMatchObject({ status: 'completed', value: 'ok' });
    expect(paid).toHaveBeenCalledExactlyOnceWith({ n: 1 }, expect.anything());
    await first[Symbol.asyncDispose]();
  });
});

describe('a run that cannot be continued', () => {
  const change = (disk: Disk, of: string, to: string): Disk => {
    const other = createDisk();
    (other.records as string[]).push(
      ...disk.records.map((record) => record.replace(disk.sessionId, other.sessionId).replace(of, to)),
    );
    return other;
  };
  const source = 'await tools.send({ n: 1 }); return tools.pay({ n: 2 })';
  const tools = () => ({ sent: vi.fn(() => null), paid: vi.fn(() => 'ok') });
  const crashed = async (): Promise<Disk> => {
    const disk = createDisk();
    await crashAfter(disk, source, { tools: [send(() => null), pay()] }, 'approval.requested');
    return disk;
  };

  it('says so when the program asks for something else, and executes nothing', async () => {
    for (const [of, to] of [
      ['tools.send({ n: 1 })', 'tools.send({ n: 9 })'],
      ['tools.pay({ n: 2 })', 'tools.send({ n: 2 })'],
      ['return tools.pay', 'return 1 || tools.pay'],
      ['await tools.send({ n: 1 });', 'await new Promise((done) => setTimeout(done, 1)); await tools.send({ n: 1 });'],
    ] as const) {
      const { sent, paid } = tools();
      const session = open(change(await crashed(), of, to), { tools: [send(sent), pay(paid)] });
      await pending(session);
      expect(await session.resume('run-1').outcome).toMatchObject({ status: 'failed', error: { code: 'replay_diverged' } });
      expect([sent.mock.calls.length, paid.mock.calls.length]).toEqual([0, 0]);
      expect(session.store.getState().pending).toEqual([]);
    }
  });

  it('says so up front when it ran on another engine, or was recorded by another version', async () => {
    const { sent, paid } = tools();
    const disk = await crashed();
    const engine = /"engine":"[^"]*"/.exec(disk.records.join('\n'))?.[0] ?? '';
    const other = open(change(disk, engine, '"engine":"quickjs of tomorrow"'), { tools: [send(sent), pay(paid)] });
    await pending(other);
    expect(await other.resume('run-1').outcome).toMatchObject({
      status: 'failed',
      error: { code: 'replay_diverged', message: expect.stringContaining('it ran on quickjs of tomorrow') },
    });
    const older = open(change(disk, `"protocol":${PROTOCOL_VERSION}`, '"protocol":3'), { tools: [send(sent), pay(paid)] });
    await until(() => expect(statusOf(older)).toBe('failed'));
    expect(older.store.getState().runs['run-1']?.error?.code).toBe('replay_diverged');
    expect(older.store.getState().pending).toEqual([]);
    expect([sent.mock.calls.length, paid.mock.calls.length]).toEqual([0, 0]);
  });

  it('is started anew, as it was or changed', async () => {
    const { sent, paid } = tools();
    const session = open(await crashed(), { tools: [send(sent), pay(paid)] });
    await pending(session);
    await session.decide('run-1:2', { kind: 'cancelRun' });
    const again = session.retry('run-1');
    const [callId = ''] = await pending(session);
    await session.decide(callId, { kind: 'allow' });
    expect(await again.outcome).toMatchObject({ status: 'completed', value: 'ok' });
    expect(session.store.getState().runs[again.id]).toMatchObject({ source, retries: { runId: 'run-1' } });
    const changed = session.retry('run-1', { code: 'return 5' });
    expect(await changed.outcome).toMatchObject({ status: 'completed', value: 5 });
    expect(() => session.retry('run-9')).toThrow('no run "run-9"');
    expect(await session.resume('run-9').outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_options' } });
  });
});

describe('a new run from one call of an earlier one on', () => {
  it('keeps the results before it and makes the rest anew', async () => {
    const disk = createDisk();
    let works = false;
    const ran: unknown[] = [];
    const tool = send((input) => {
      ran.push(input.n);
      if (input.n === 3 && !works) throw new Error('not yet');
      return { n: input.n * 10 };
    });
    const session = open(disk, { tools: [tool] });
    const source =
      'const out = [Math.random()]; for (const n of [1, 2, 3, 4]) out.push((await tools.send({ n, at: Date.now() > 0 })).n); console.log(out[0]); return out.slice(1)';
    expect(await session.run(source, { id: 'run-1' }).outcome).toMatchObject({ status: 'failed', error: { message: 'not yet' } });
    works = true;
    const again = session.retryFrom('run-1:3');
    expect(await again.outcome).toMatchObject({ status: 'completed', value: [10, 20, 30, 40] });
    expect(ran).toEqual([1, 2, 3, 3, 4]);
    expect(session.store.getState().runs[again.id]?.retries).toEqual({ runId: 'run-1', callId: 'run-1:3' });
    expect(await session.retryFrom('run-1:9').outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_options' } });
    // It is a run like any other: it can be done over, too.
    expect(await session.retryFrom(`${again.id}:4`).outcome).toMatchObject({ status: 'completed', value: [10, 20, 30, 40] });
    expect(ran).toEqual([1, 2, 3, 3, 4, 4]);
  });
});

describe('a result that comes later', () => {
  const order = (over: Partial<Tool> = {}): Tool => ({
    name: 'order',
    outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    execute: () => deferred('order-77'),
    ...over,
  });
  const source = 'const { ok } = await tools.order({}); return ok';
  const running = async (session: Session) =>
    until(() => expect(session.store.getState().runs['run-1']?.calls[0]?.deferred).toBe('order-77'));

  it('is brought once, in this page', async () => {
    const clock = createFakeClock(1_000_000);
    const session = open(createDisk(), { tools: [order()], limits: { toolTimeoutMs: 50, maxDurationMs: 200 }, clock });
    const run = session.run(source, { id: 'run-1' });
    await running(session);
    clock.advance(300);
    expect(await session.settle('run-1:1', { ok: 'yes' })).toMatchObject({ applied: false, why: 'invalid_output' });
    expect(await session.settle('run-1:2', {})).toEqual({ applied: false, why: 'not_waiting' });
    expect(await session.settle('run-1:1', { ok: true })).toEqual({ applied: true });
    expect(await session.settle('run-1:1', { ok: false })).toEqual({ applied: false, why: 'already_settled' });
    expect(await run.outcome).toMatchObject({ status: 'completed', value: true });
  });

  it('is brought after a reload; an error is a failure', async () => {
    for (const [result, expected] of [
      [{ ok: false }, { status: 'completed', value: false }],
      [new ToolError('sold out'), { status: 'failed', error: { code: 'tool_error', message: 'sold out' } }],
    ] as const) {
      const disk = createDisk();
      await crashAfter(disk, source, { tools: [order()] }, 'run.waiting');
      const executed = vi.fn();
      const session = open(disk, { tools: [order({ execute: executed })] });
      expect(await session.settle('run-1:1', result)).toEqual({ applied: true });
      expect(await session.resume('run-1').outcome).toMatchObject(expected);
      expect(executed).not.toHaveBeenCalled();
    }
  });

  it('is too late when the run is over', async () => {
    const session = open(createDisk(), { tools: [order()] });
    const run = session.run(source, { id: 'run-1' });
    await running(session);
    run.cancel();
    await run.outcome;
    expect(await session.settle('run-1:1', { ok: true })).toEqual({ applied: false, why: 'ended' });
  });
});

describe('globals of a session that is opened again', () => {
  const options = (sent: (input: any) => unknown): Partial<CodeModeOptions> => ({ tools: [send(sent), pay()], state: 'session' });

  it('are made again by the record of its programs, and nothing is executed', async () => {
    const [disk, sent] = [createDisk(), vi.fn(({ n }) => n + 1)];
    const first = open(disk, options(sent));
    await first.run('let total = await tools.send({ n: 1 }); const id = Math.random(); function twice(x) { return 2 * x; }')
      .outcome;
    const { value } = (await first.run('total = twice(total) + await tools.send({ n: 10 }); return [total, id]').outcome) as {
      value?: unknown;
    };
    executor.endSession(disk.sessionId);
    const second = open(disk, options(sent));
    const outcome = await second.run('return [total, id]').outcome;
    expect(outcome).toMatchObject({ status: 'completed', value, warnings: [] });
    expect(sent).toHaveBeenCalledTimes(2);
    await first[Symbol.asyncDispose]();
    await second.restart();
    const third = open(disk, options(sent));
    expect(await third.run('return typeof total').outcome).toMatchObject({ value: 'undefined' });
  });

  it('are there for a run that is continued', async () => {
    const disk = createDisk();
    const first = open(
      disk,
      options(({ n }) => n),
    );
    await first.run('let a = await tools.send({ n: 4 })').outcome;
    void first.run('a += 1; return [a, await tools.pay({})]', { id: 'run-1' });
    await pending(first);
    executor.endSession(disk.sessionId);
    const second = open(
      disk,
      options(({ n }) => n),
    );
    await pending(second);
    await second.decide('run-1:1', { kind: 'allow' });
    expect(await second.resume('run-1').outcome).toMatchObject({ status: 'completed', value: [5, { paid: true }] });
    expect(await second.run('return a').outcome).toMatchObject({ value: 5 });
  });
});

describe('more waiting runs than workers', () => {
  it('give their workers up, the longest-waiting first, and go on when they are decided', async () => {
    const small: Executor = createNodeExecutor({ spare: false });
    const ran = vi.fn(({ n }) => n);
    const codeMode = createCodeMode({ tools: [send(ran), pay(({ n }: any) => n)], executor: small, limits: { maxWorkers: 2 } });
    const source = (n: number) => `const a = await tools.send({ n: ${n} }); return [a, await tools.pay({ n: ${n} })]`;
    const sessions = Array.from({ length: 5 }, (_, n) => codeMode.session({ id: `s${n}` }));
    const runs = [];
    for (const [n, session] of sessions.entries()) {
      runs.push(session.run(source(n), { id: `run-${n}` }));
      await pending(session);
    }
    expect((small as unknown as { load: { busy: number } }).load.busy).toBeLessThanOrEqual(2);
    for (const [n, session] of sessions.entries()) await session.decide(`run-${n}:2`, { kind: 'allow' });
    const outcomes = await Promise.all(runs.map(({ outcome }) => outcome));
    expect(outcomes.map((outcome) => (outcome.status === 'completed' ? outcome.value : outcome))).toEqual(
      [0, 1, 2, 3, 4].map((n) => [n, n]),
    );
    expect(ran).toHaveBeenCalledTimes(5);
    await codeMode[Symbol.asyncDispose]();
    await small[Symbol.asyncDispose]();
  });
});
