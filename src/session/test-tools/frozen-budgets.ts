/**
 * Budgets stand still while a program waits: the same story on either executor. One clock for session and executor, which
 * only the test moves: what is charged is known to the millisecond.
 */
import { describe, expect, test, vi } from 'vitest';
import type { PooledExecutor, PooledExecutorOptions } from '../../bridge/pooled-executor.ts';
import { OVERTIME_MS } from '../../bridge/run-driver.ts';
import type { Tool } from '../../catalog/tool.ts';
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.ts';
import type { CodeModeOptions, Session } from '../types.ts';
import { createLimitBench, held, pendingCall, tool, until } from './limit-bench.ts';

vi.setConfig({ testTimeout: 60_000 });

const HOUR = 3_600_000;
/** The page looks once more, so that messages on their way arrive. Milliseconds. */
const LAST_LOOK_MS = 25;
/** Far above what the worker's own clock sees in the test: it is the page that ends the program. */
const TIMEOUT_MS = 60_000;
/** After the wait it computes without end; the note tells the page that it does. */
const THEN_COMPUTES = `tools.note({}); for (;;) await null;`;

export function describeFrozenBudgets(name: string, create: (options: PooledExecutorOptions) => PooledExecutor): void {
  describe(`${name}: budgets stand still`, () => {
    const clock = createFakeClock();
    const bench = createLimitBench(create, { clock, spare: false, maxComputing: 1 });
    const opened = (
      tools: readonly Tool[],
      options: Partial<CodeModeOptions> = {},
    ): { session: Session; noted: () => number } => {
      let notes = 0;
      const note = tool('note', () => ++notes);
      return { session: bench.session({ clock, tools: [...tools, note], ...options }), noted: () => notes };
    };

    /** Another program gets the only computing slot: the one that waits has given it back, and its clock stands. */
    const rests = async (): Promise<void> => {
      const { status } = await bench.session({ clock }).run('return 1').outcome;
      if (status !== 'completed') throw new Error(`The other program ${status}.`);
    };

    test('while a person decides: nothing is charged for days, and all of the budget is left after it', async () => {
      const pay = tool('pay', () => 1, { needsApproval: true });
      const limits = { timeoutMs: TIMEOUT_MS, maxDurationMs: 2 * TIMEOUT_MS };
      const { session, noted } = opened([pay], { limits });
      const run = session.run(`await tools.pay({}); await tools.pay({}); ${THEN_COMPUTES}`);
      for (const _ of [1, 2]) {
        const callId = await pendingCall(session);
        await rests();
        pass(clock, 30 * HOUR);
        expect(session.store.getState().runs[run.id]?.status).toBe('waiting');
        expect(await session.decide(callId, { kind: 'allow' })).toEqual({ applied: true });
        await until(() => expect(session.store.getState().pending).not.toContain(callId));
      }
      await until(() => expect(noted()).toBe(1));
      await endsAfterItsWholeBudget(clock, session, run);
    });

    test('while a tool works: nothing of the time to compute is charged', async () => {
      const slow = held();
      const limits = { timeoutMs: TIMEOUT_MS, toolTimeoutMs: 100 * HOUR, maxDurationMs: 100 * HOUR };
      const { session, noted } = opened([tool('slow', slow.execute)], { limits });
      const run = session.run(`await tools.slow({}); ${THEN_COMPUTES}`);
      await until(() => expect(slow.arrived()).toBe(1));
      await rests();
      pass(clock, 30 * HOUR);
      slow.release();
      await until(() => expect(noted()).toBe(1));
      await endsAfterItsWholeBudget(clock, session, run);
    });

    test('while a person decides the whole run stands still, while a tool works it does not', async () => {
      const slow = held();
      const pay = tool('pay', slow.execute, { needsApproval: true });
      const limits = { timeoutMs: TIMEOUT_MS, toolTimeoutMs: HOUR, maxDurationMs: 10_000 };
      const { session } = opened([pay, tool('slow', slow.execute)], { limits });
      const run = session.run(`await tools.slow({}); await tools.pay({}); return 1`);
      await until(() => expect(slow.arrived()).toBe(1));
      await rests();
      pass(clock, 4_000);
      slow.release();
      const callId = await pendingCall(session);
      await rests();
      pass(clock, 30 * HOUR);
      await session.decide(callId, { kind: 'allow' });
      await until(() => expect(slow.arrived()).toBe(2));
      await rests();
      pass(clock, 6_000);
      expect(session.store.getState().runs[run.id]?.status).toBe('running');
      pass(clock, 1);
      expect(await run.outcome).toMatchObject({
        status: 'failed',
        error: { code: 'duration_limit', data: { limit: 'maxDurationMs', value: 10_000 } },
      });
    });

    test('a handler has all of its time after the person’s, and no more', async () => {
      const slow = held();
      const pay = tool('pay', slow.execute, { needsApproval: true });
      const { session } = opened([pay], { limits: { toolTimeoutMs: 5_000 } });
      const run = session.run(`return tools.pay({})`);
      const callId = await pendingCall(session);
      await rests();
      pass(clock, 30 * HOUR);
      await session.decide(callId, { kind: 'allow' });
      await until(() => expect(slow.arrived()).toBe(1));
      await rests();
      pass(clock, 5_000);
      expect(session.store.getState().runs[run.id]?.status).toBe('running');
      pass(clock, 1);
      expect(await run.outcome).toMatchObject({
        error: { code: 'tool_timeout', data: { limit: 'toolTimeoutMs', value: 5_000 } },
      });
    });
  });
}

/** In steps of a second: a longer one would be taken for sleep, which is charged to nobody. */
function pass(clock: FakeClock, ms: number): void {
  for (let left = ms; left > 0; left -= 1_000) clock.advance(Math.min(1_000, left));
}

/** The program computes since this moment of the clock. It must live to the last millisecond of its budget, and no longer. */
async function endsAfterItsWholeBudget(clock: FakeClock, session: Session, run: ReturnType<Session['run']>): Promise<void> {
  pass(clock, TIMEOUT_MS + OVERTIME_MS + LAST_LOOK_MS - 1);
  await turns();
  expect(session.store.getState().runs[run.id]?.status).toBe('running');
  pass(clock, 1);
  expect(await run.outcome).toMatchObject({
    status: 'failed',
    error: { code: 'timeout', data: { limit: 'timeoutMs', value: TIMEOUT_MS } },
    stats: { computeMs: TIMEOUT_MS + OVERTIME_MS },
  });
}

/** A few turns of the event loop: what was on its way has arrived. */
async function turns(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}
