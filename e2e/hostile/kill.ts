/**
 * How a program is killed, as an order of events: the order to stop, the worker terminated, the run settled, the next run on the
 * spare that was up all the while, a new spare. Time is the test's own, so no machine is too slow for it; the bench measures it.
 */
import { expect, vi } from 'vitest';
import { createPooledExecutor, type PooledExecutor } from '../../src/bridge/pooled-executor.ts';
import { CANCEL_GRACE_MS, OVERTIME_MS } from '../../src/bridge/run-driver.ts';
import { after, aHost, aRequest, echo, MIB, never } from '../../src/bridge/test-tools/requests.ts';
import type { WorkerPlatform } from '../../src/bridge/worker-port.ts';
import type { ExecuteReply, WireCall } from '../../src/protocol/wire.ts';
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts';

const MEMORY_BYTES = 64 * MIB;
const TIMEOUT_MS = 200;
/** The worker counts its own time: more than a busy machine takes to get from the start of a program to its cancel. */
const PATIENCE_MS = 30_000;
/** The page's clock looks once more before it ends a worker. Milliseconds. */
const LAST_LOOK_MS = 25;
/** Longer than the pool waits before it replaces a spare. Milliseconds. */
const REFILL_MS = 100;

/** An executor whose workers tell what happens to them, on a clock that only the test moves. */
export interface Story extends AsyncDisposable {
  readonly executor: PooledExecutor;
  readonly clock: FakeClock;
  /** `worker 2 up`, `worker 2 runs`, `worker 2 terminated`, and what the test adds. */
  readonly log: string[];
}

export function createStory(platform: WorkerPlatform, sharedMemory: boolean): Story {
  const log: string[] = [];
  const clock = createFakeClock();
  let workers = 0;
  const executor = createPooledExecutor(
    {
      ...platform,
      sharedMemory,
      async start(timeoutMs) {
        const port = await platform.start(timeoutMs);
        const name = `worker ${++workers}`;
        log.push(`${name} up`);
        return {
          ...port,
          post(message, transfer) {
            if ((message as { path?: readonly string[] }).path?.[0] === 'run') log.push(`${name} runs`);
            port.post(message, transfer);
          },
          terminate() {
            log.push(`${name} terminated`);
            port.terminate();
          },
        };
      },
    },
    { clock, maxComputing: 4 },
  );
  return { executor, clock, log, [Symbol.asyncDispose]: () => executor[Symbol.asyncDispose]() };
}

/** Two other sessions: one keeps globals, one waits for a tool. */
async function withBystanders({ executor, clock }: Story): Promise<{ check(): Promise<void> }> {
  const keeping = { sessionId: 'keeps', state: 'session', limits: { memoryBytes: MEMORY_BYTES } } as const;
  await executor.execute(aRequest('let count = 1', keeping), aHost(), never());
  let answer: () => void = () => {};
  const open = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const host = aHost(async (call) => {
    await open;
    return echo(call);
  });
  const waits = { sessionId: 'waits', limits: { memoryBytes: MEMORY_BYTES } };
  const waiting = executor.execute(aRequest('const got = await tools.slow({ n: 5 }); got.n + 2', waits), host, never());
  await vi.waitFor(() => expect(host.calls).toHaveLength(1), 20_000);
  clock.advance(REFILL_MS);
  await executor.warmUp(MEMORY_BYTES);
  return {
    async check() {
      expect(await executor.execute(aRequest('++count', keeping), aHost(), never())).toMatchObject({ value: '2' });
      answer();
      expect(await waiting).toMatchObject({ status: 'completed', value: '7' });
    },
  };
}

/** Runs the program up to where nothing can be heard by it any more, and lets `stop` end it. */
async function kill(
  story: Story,
  program: string,
  timeoutMs: number,
  stop: (aborting: AbortController) => void,
): Promise<{ readonly reply: ExecuteReply; readonly order: readonly string[] }> {
  const { executor, clock, log } = story;
  const bystanders = await withBystanders(story);
  log.length = 0;
  const request = { sessionId: 'hostile', limits: { memoryBytes: MEMORY_BYTES, timeoutMs } };
  const aborting = new AbortController();
  const running = executor.execute(aRequest(program, request), aHost(), aborting.signal).then((reply) => {
    log.push('settled');
    return reply;
  });
  await vi.waitFor(() => expect(log).toHaveLength(1), 20_000);
  await after(40);
  expect(log).toHaveLength(1);
  stop(aborting);
  const reply = await running;
  expect(await executor.execute(aRequest('1 + 1', request), aHost(), never())).toMatchObject({ value: '2' });
  const order = log.filter((entry) => !entry.endsWith(' up'));
  clock.advance(REFILL_MS);
  await vi.waitFor(() => expect(executor.load).toMatchObject({ spare: 1 }), 20_000);
  expect(log.filter((entry) => entry.endsWith(' up'))).toHaveLength(1);
  await bystanders.check();
  return { reply, order };
}

/** A program that hears nothing is cancelled: its worker is ended in time, and the next program has one at once. */
export async function checkCancel(story: Story, program: string): Promise<void> {
  expect(CANCEL_GRACE_MS).toBeLessThan(100);
  const { reply, order } = await kill(story, program, PATIENCE_MS, (aborting) => {
    aborting.abort();
    story.clock.advance(CANCEL_GRACE_MS - 1);
    story.log.push('still there');
    story.clock.advance(1);
  });
  expect(reply).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  expect(order).toEqual(['worker 3 runs', 'still there', 'worker 3 terminated', 'settled', 'worker 4 runs']);
}

/** The same when its time is up and it did not stop by itself. */
export async function checkDeadline(story: Story, program: string): Promise<void> {
  const { reply, order } = await kill(story, program, TIMEOUT_MS, () => {
    story.clock.advance(TIMEOUT_MS + OVERTIME_MS - 1);
    story.log.push('still there');
    story.clock.advance(1 + LAST_LOOK_MS);
  });
  expect(reply).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
  expect(order).toEqual(['worker 3 runs', 'still there', 'worker 3 terminated', 'settled', 'worker 4 runs']);
}

/**
 * A program that can hear of it is cancelled without an end of its worker: what it wrote and called until then is there, and
 * nothing of it is left for the next one.
 */
export async function checkSoftCancel({ executor, log }: Story, loop: string): Promise<void> {
  const calls: WireCall[] = [];
  const host = aHost(async (call) => {
    calls.push(call);
    return echo(call);
  });
  const aborting = new AbortController();
  const running = executor.execute(
    aRequest(
      `globalThis.leak = 1; await tools.echo({ n: 1 }); console.log('so far'); await tools.slow({}); console.log('last'); ${loop}`,
    ),
    host,
    aborting.signal,
  );
  await vi.waitFor(() => expect(calls).toHaveLength(2), 20_000);
  await after(40);
  aborting.abort();
  expect(await running).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  const lines = host.frames.flatMap(({ output }) => output.map((item) => item.kind === 'console' && item.text));
  expect(lines).toEqual(['so far', 'last']);
  expect(await executor.execute(aRequest('typeof leak'), aHost(), never())).toMatchObject({ value: '"undefined"' });
  expect(log.filter((entry) => entry.endsWith(' terminated'))).toEqual([]);
}
