import { beforeAll, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { Frame, WireReply } from '../../src/protocol/wire.ts';
import type { Sandbox } from './sandbox.ts';
import { createTestSandbox, drive, requestOf } from './test-tools/drive.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createTestSandbox();
});

const echo = (input: unknown): unknown => input;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const within = (limits: Partial<typeof DEFAULT_LIMITS>): { limits: typeof DEFAULT_LIMITS } => ({
  limits: { ...DEFAULT_LIMITS, memoryBytes: 64 * 1024 * 1024, ...limits },
});

describe('delivery', () => {
  test('calls of one drain travel in one frame; replies that came together are delivered one at a time in one frame', async () => {
    const source = `const log = [];
await Promise.all([1, 2, 3].map(async (n) => { await tools.a({ n }); log.push(n); await null; log.push(-n) }));
log`;
    // The clock stands still, so that no slice ends.
    const own = await createTestSandbox({ now: () => 1_000 });
    const request = requestOf(source, { a: echo });
    const frames: Frame[] = [];
    const reply = await own.run(request, (frame) => {
      frames.push(frame);
      const replies = frame.calls.map((call): WireReply => ({ id: call.id, ok: true, value: 'null' }));
      if (replies.length > 0) queueMicrotask(() => own.settle(request.runId, replies.reverse()));
    });
    expect(reply).toMatchObject({ status: 'completed', value: '[3,-3,2,-2,1,-1]' });
    expect(
      frames.map((frame) => [frame.seq, frame.calls.length, frame.delivered.map((item) => item.id), frame.quiescent]),
    ).toEqual([
      [1, 3, [], true],
      [2, 0, [3, 2, 1], false],
    ]);
  });

  test('the same request and the same deliveries give the same frames', async () => {
    const source = `const out = [Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))]];
for (let i = 0; i < 5; i++) { console.log(i, Date.now()); out.push(await Promise.race([tools.a({ i }), tools.a({ i: -i })])) }
await new Promise((resolve) => setTimeout(resolve, 5)); out.push(new Date().getTime(), performance.now()); out`;
    const record = async (order: readonly number[]): Promise<unknown> => {
      let time = 1_000_000;
      const timers: (() => void)[] = [];
      const own = await createTestSandbox({ now: () => time, schedule: (callback) => (timers.push(callback), () => {}) });
      const request = { ...requestOf(source, { a: echo }), runId: 'fixed' };
      const frames: Frame[] = [];
      const reply = await own.run(request, (frame) => {
        frames.push(frame);
        time += 7;
        const ids = frame.calls.map((call) => call.id);
        const replies = (order[frame.seq % order.length]! > 0 ? ids.reverse() : ids).map(
          (id): WireReply => ({ id, ok: true, value: String(id) }),
        );
        queueMicrotask(() => {
          own.settle('fixed', replies);
          if (frame.nextTimerMs !== undefined) time += frame.nextTimerMs;
          for (const fire of timers.splice(0)) fire();
        });
      });
      return [reply, frames];
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 3, maxLength: 3 }), async (order) => {
        expect(await record(order)).toEqual(await record(order));
      }),
      { numRuns: 4 },
    );
  });

  test('another seed gives other random values', async () => {
    const values = async (seed: readonly [number, number, number, number]): Promise<unknown> =>
      (await drive(sandbox, '[Math.random(), crypto.randomUUID()]', {}, { seed })).value;
    expect(await values([1, 2, 3, 4])).toEqual(await values([1, 2, 3, 4]));
    expect(await values([1, 2, 3, 4])).not.toEqual(await values([1, 2, 3, 5]));
    expect(await values([0, 0, 0, 0])).not.toEqual([0, '00000000-0000-4000-8000-000000000000']);
  });

  test('late, repeated and foreign replies are dropped', async () => {
    const request = requestOf('const r = await tools.a(); const s = await tools.a(); [r, s]', { a: echo });
    const reply = await sandbox.run(request, (frame) => {
      for (const { id } of frame.calls) {
        queueMicrotask(() => {
          sandbox.settle('other', [{ id, ok: true, value: '"foreign"' }]);
          sandbox.settle(request.runId, [{ id: 99, ok: true, value: '"unasked"' }]);
          sandbox.settle(request.runId, [
            { id, ok: true, value: String(id) },
            { id, ok: true, value: '"twice"' },
          ]);
        });
      }
    });
    expect(reply).toMatchObject({ value: '[1,2]' });
    sandbox.settle(request.runId, [{ id: 1, ok: true, value: '"late"' }]);
    expect((await drive(sandbox, '1')).reply).toMatchObject({ value: '1' });
  });

  test('a long computation between calls sends what it has, so that the page sees it', async () => {
    const { frames, lines } = await drive(
      sandbox,
      `console.log('start'); const p = tools.a(); for (let i = 0; i < 60000; i++) await null; console.log('end'); await p; 1`,
      { a: echo },
    );
    expect(frames.length).toBeGreaterThan(1);
    expect(frames[0]).toMatchObject({ quiescent: false, calls: [{ id: 1 }] });
    expect(lines).toEqual(['start', 'end']);
  });
});

describe('the clock', () => {
  test('ticks in whole milliseconds and every reading is recorded, folded', async () => {
    const { frames, value } = await drive(
      sandbox,
      'const t = []; for (let i = 0; i < 50; i++) t.push(Date.now()); t.push(+new Date(), new Date().getTime(), performance.now()); t',
    );
    const times = value as number[];
    expect(times.every(Number.isInteger)).toBe(true);
    const reads = frames.flatMap((frame) => frame.clock);
    expect(reads.reduce((sum, [, count]) => sum + count, 0)).toBe(53);
    let at = 0;
    const readings = reads.flatMap(([ms, count]) => Array<number>(count).fill((at += ms)));
    expect(readings.slice(0, 52)).toEqual(times.slice(0, 52));
  });

  test('Date behaves as it does everywhere', async () => {
    const source = `class D extends Date { hi() { return 'hi' } }
[new Date(0).toISOString(), new Date(2020, 0, 2).getDate(), typeof Date(), Date.length, Date.name, new Date() instanceof Date, new D(5).hi(), new D(5).getTime(), Date.UTC(1970, 0, 2), new Date(0).constructor === Date, Object.prototype.toString.call(new Date())]`;
    expect((await drive(sandbox, source)).value).toEqual([
      '1970-01-01T00:00:00.000Z',
      2,
      'string',
      7,
      'Date',
      true,
      'hi',
      5,
      86_400_000,
      true,
      '[object Date]',
    ]);
  });
});

describe('timers', () => {
  test('fire in the order they are due, by age where equal', async () => {
    const source = `const log = []; const at = (ms, name) => new Promise((resolve) => setTimeout((n) => { log.push(n); resolve() }, ms, name));
await Promise.all([at(20, 'c'), at(0, 'a'), at(20, 'd'), at(5, 'b')]); log.join('')`;
    expect((await drive(sandbox, source)).value).toBe('abcd');
  });

  test('intervals repeat until they are cleared; a cleared timer never fires', async () => {
    const source = `let n = 0; const dead = setTimeout(() => { n = 100 }, 1); clearTimeout(dead);
await new Promise((resolve) => { const id = setInterval(() => { if (++n === 3) { clearInterval(id); resolve() } }, 1) }); n`;
    const { value, frames } = await drive(sandbox, source);
    expect(value).toBe(3);
    expect(frames.flatMap((frame) => frame.delivered)).toEqual([2, 2, 2].map((id) => ({ kind: 'timer', id })));
  });

  test('that still run at the end are dropped, with a warning', async () => {
    const { reply } = await drive(sandbox, `setTimeout(() => console.log('never'), 10); setInterval(() => {}, 10); 1`);
    expect(reply).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'timers_dropped', message: expect.stringContaining('2 timers') }],
    });
  });

  test('the frame says when the next one is due', async () => {
    const { frames } = await drive(sandbox, `await new Promise((resolve) => setTimeout(resolve, 30))`);
    expect(frames[0]!.nextTimerMs).toBeGreaterThan(20);
    expect(frames[0]!.nextTimerMs).toBeLessThanOrEqual(31);
  });

  test('a callback that throws is a warning', async () => {
    const { reply } = await drive(
      sandbox,
      `setTimeout(() => { throw new Error('oops') }, 0); await new Promise((r) => setTimeout(r, 5)); 1`,
    );
    expect(reply).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'unhandled_rejection', message: expect.stringContaining('oops') }],
    });
  });
});

describe('the end of waiting', () => {
  test('a program that nothing can wake has a deadlock, at once', async () => {
    const begun = performance.now();
    const { reply } = await drive(sandbox, 'await new Promise(() => {})');
    expect(reply).toMatchObject({ status: 'failed', error: { code: 'deadlock' } });
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect((await drive(sandbox, 'await tools.a(); await new Promise(() => {})', { a: echo })).reply).toMatchObject({
      error: { code: 'deadlock' },
    });
  });

  test('waiting costs nothing of the budget, computing does', async () => {
    const slow = async (): Promise<number> => (await wait(250), 1);
    expect(
      (await drive(sandbox, 'await tools.slow(); await tools.slow()', { slow }, within({ timeoutMs: 200 }))).reply,
    ).toMatchObject({ status: 'completed' });
    const { reply } = await drive(sandbox, 'await tools.slow(); for (;;);', { slow }, within({ timeoutMs: 200 }));
    expect(reply).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(reply.computeMs).toBeGreaterThanOrEqual(200);
    expect(reply.computeMs).toBeLessThan(450);
  });

  test('an interruption cannot be caught and survived', async () => {
    const source = `const spin = async () => { await null; while (true) {} }; while (true) { await spin().catch(() => {}) }`;
    expect((await drive(sandbox, source, {}, within({ timeoutMs: 100 }))).reply).toMatchObject({ error: { code: 'timeout' } });
    expect(
      (await drive(sandbox, `for (;;) { try { for (;;); } catch {} finally { continue } }`, {}, within({ timeoutMs: 100 })))
        .reply,
    ).toMatchObject({ error: { code: 'timeout' } });
    expect((await drive(sandbox, `/(a+)+$/.test('a'.repeat(32) + 'b')`, {}, within({ timeoutMs: 100 }))).reply).toMatchObject({
      error: { code: 'timeout' },
    });
    expect((await drive(sandbox, '1')).reply).toMatchObject({ value: '1' });
    expect(sandbox.spent).toBe(false);
  });

  test('what a stopped program wrote before is kept', async () => {
    const { reply, lines } = await drive(sandbox, `console.log('here'); for (;;);`, {}, within({ timeoutMs: 100 }));
    expect(reply).toMatchObject({ error: { code: 'timeout' } });
    expect(lines).toEqual(['here']);
  });

  test('cancel ends a loop of awaits without a shared flag', async () => {
    const request = requestOf('for (;;) await null');
    const running = sandbox.run(request, () => {});
    await wait(30);
    const begun = performance.now();
    sandbox.cancel(request.runId);
    expect(await running).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    expect(performance.now() - begun).toBeLessThan(100);
    expect(sandbox.spent).toBe(false);
  });

  test('cancel ends a program that waits; the reply that comes later wakes nothing', async () => {
    const request = requestOf('await tools.a(); await tools.a(); "paid"', { a: echo });
    const frames: Frame[] = [];
    const running = sandbox.run(request, (frame) => void frames.push(frame));
    sandbox.cancel('other');
    sandbox.cancel(request.runId);
    expect(await running).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    sandbox.settle(request.runId, [{ id: 1, ok: true, value: 'null' }]);
    expect(frames.flatMap((frame) => frame.calls)).toHaveLength(1);
  });

  test('the shared flag ends a loop without a single await', async () => {
    const cancelFlag = new SharedArrayBuffer(4);
    const flagged = await createTestSandbox({
      cancelFlag,
      now: () => (ticks++ === 400 && Atomics.store(new Int32Array(cancelFlag), 0, 1), performance.timeOrigin + performance.now()),
    });
    let ticks = 0;
    expect((await drive(flagged, 'for (;;);')).reply).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  });
});
