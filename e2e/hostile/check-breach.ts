/**
 * The worker is assumed breached: whatever it sends, nothing runs unapproved or unlisted, the run ends with a code, and other
 * sessions do not notice.
 */
import { expect, vi } from 'vitest';
import type { PooledExecutor } from '../../src/bridge/pooled-executor.ts';
import type { Tool } from '../../src/catalog/tool.ts';
import { createCodeMode } from '../../src/session/create-code-mode.ts';
import type { Breach } from './breaches.ts';
import { markOfRealm } from './realm-mark.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Of a run, ms. */
const BUDGET_MS = 2_000;
const LONG_BUDGET_MS = 20_000;
/** The tool `slow` takes so long. Milliseconds. */
const SLOW_MS = 200;

/** An application with a tool for all, one that is hidden, one that is asked for and one that takes long. */
function application(executor: PooledExecutor, ran: string[], timeoutMs = BUDGET_MS) {
  const tool = (name: string, over: Partial<Tool> = {}): Tool => ({
    name,
    risk: 'write',
    execute: () => void ran.push(name),
    ...over,
  });
  return createCodeMode({
    executor,
    tools: [
      tool('free', { inputSchema: { type: 'object' } }),
      tool('hidden'),
      tool('asked', { needsApproval: true }),
      tool('slow', { execute: () => wait(SLOW_MS) }),
    ],
    policy: [{ match: 'hidden', effect: 'hide' }],
    limits: { timeoutMs },
  });
}

export async function checkBreach({ worker, ends }: Breach, executor: PooledExecutor): Promise<void> {
  const ran: string[] = [];
  const realm = markOfRealm();
  // What ends in another way than by its time is given the time for that.
  const isTimed = typeof ends === 'string' ? ends === 'timeout' : ends.test('timeout');
  await using codeMode = application(executor, ran, isTimed ? BUDGET_MS : LONG_BUDGET_MS);
  const bystander = codeMode.session();
  const asking = bystander.run(`say({ calls: [call(1, { tool: 'asked' })] }); heard(() => end({ value: '"answered"' }))`);
  await vi.waitFor(() => expect(bystander.store.getState().pending).toHaveLength(1), 20_000);
  const session = codeMode.session();
  const run = session.run(worker);
  if (ends === 'waits') {
    await vi.waitFor(() => expect(session.store.getState().pending).toHaveLength(1), 20_000);
    await wait(50);
    expect(ran).toEqual([]);
    run.cancel();
    expect(await run.outcome).toMatchObject({ status: 'cancelled', calls: [{ status: 'cancelled' }] });
  } else {
    const outcome = await run.outcome;
    const end = outcome.status === 'failed' ? outcome.error.code : outcome.status;
    if (typeof ends === 'string') expect(end).toBe(ends);
    else expect(end).toMatch(ends);
  }
  const { length } = session.journal.events;
  await wait(40);
  expect(session.journal.events).toHaveLength(length);
  expect(ran.filter((name) => name !== 'free')).toEqual([]);
  expect(ran.length).toBeLessThanOrEqual(1_000);
  expect('pwned' in globalThis).toBe(false);
  expect(markOfRealm()).toEqual(realm);

  // The other session still asks, about its own call, and gets its own answer.
  const { pending } = bystander.store.getState();
  expect(pending).toHaveLength(1);
  await bystander.decide(pending[0]!, { kind: 'allow' });
  expect(await asking.outcome).toMatchObject({ status: 'completed', value: 'answered' });
  expect(ran.filter((name) => name !== 'free')).toEqual(['asked']);
  expect(await session.run('end()').outcome).toMatchObject({ status: 'completed', value: 'lie' });
}

/** A worker that knows the ids of another session's run and call, and speaks in their name. */
export async function checkImpostor(executor: PooledExecutor): Promise<void> {
  const ran: string[] = [];
  await using codeMode = application(executor, ran);
  const victim = codeMode.session();
  const run = victim.run(`say({ calls: [call(1, { tool: 'asked' }), call(2)] }); heard(() => {})`, { id: 'victim-run' });
  await vi.waitFor(() => expect(victim.store.getState().pending).toHaveLength(1), 20_000);
  const { length } = victim.journal.events;
  const impostor = await codeMode.session().run(`
    for (let i = 0; i < 50; i++) {
      channel.postMessage(packed({ ...frame(), seq: 2, runId: 'victim-run', delivered: [{ kind: 'call', id: 1 }] }));
      channel.postMessage(packed({ ...frame(), seq: 2, runId: 'victim-run', calls: [call(3, { tool: 'hidden' })] }));
    }
    raw({ reply: { status: 'completed', value: '"lie"', warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0 }, frames: 0, spent: false, runId: 'victim-run' });`)
    .outcome;
  expect(impostor).toMatchObject({ status: 'completed', calls: [] });
  await wait(40);
  expect(victim.journal.events).toHaveLength(length);
  expect(victim.store.getState().pending).toHaveLength(1);
  expect(ran).toEqual(['free']);
  run.cancel();
  expect(await run.outcome).toMatchObject({ status: 'cancelled' });
}
