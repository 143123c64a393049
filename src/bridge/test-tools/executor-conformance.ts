/** What every executor must do, run by each implementation with its own workers. One list, so that none is checked by less. */
import { afterEach, describe, expect, test } from 'vitest';
import type { ExecuteReply } from '../../protocol/wire.ts';
import type { PooledExecutor, PooledExecutorOptions } from '../pooled-executor.ts';
import { FAKE_WORKERS, type FakeWorker } from './fake-workers.ts';
import { abortIn, after, aHost, aRequest, echo, MIB, NAMES, NATIVE_LOOP, never } from './requests.ts';

/** Workers start slowly on a loaded machine. */
const PATIENCE = { timeout: 30_000 };

export interface ConformanceSubject {
  readonly name: string;
  create(options?: PooledExecutorOptions): PooledExecutor;
  /** An executor whose workers run this text instead. */
  createFrom(workerText: string, options?: PooledExecutorOptions): PooledExecutor;
}

export function describeExecutor(subject: ConformanceSubject): void {
  const open: PooledExecutor[] = [];
  const track = (executor: PooledExecutor): PooledExecutor => {
    open.push(executor);
    return executor;
  };
  const create = (options?: PooledExecutorOptions): PooledExecutor => track(subject.create(options));
  const fake = (name: FakeWorker, options?: PooledExecutorOptions): PooledExecutor =>
    track(subject.createFrom(FAKE_WORKERS[name], { spare: false, ...options }));
  const run = (executor: PooledExecutor, source: string, change: Parameters<typeof aRequest>[1] = {}, host = aHost()) =>
    executor.execute(aRequest(source, change), host, never());

  afterEach(async () => {
    for (const executor of open.splice(0)) await executor[Symbol.asyncDispose]();
  });

  describe(`${subject.name}: programs`, PATIENCE, () => {
    test('a program runs and gives its value', async () => {
      const host = aHost();
      const reply = await create().execute(aRequest('1 + 1'), host, never());
      expect(reply).toMatchObject({ status: 'completed', value: '2' });
      expect(host.log[0]).toBe('started');
      expect(host.fresh).toEqual([true]);
    });

    test('a call reaches the host after its frame, and the reply reaches the program', async () => {
      const host = aHost(async ({ id, input }) => ({ id, ok: true, value: `[${input}]` }));
      const reply = await create().execute(aRequest('await tools.echo({ a: 1 })'), host, never());
      expect(reply).toMatchObject({ status: 'completed', value: '[{"a":1}]' });
      expect(host.log.slice(0, 3)).toEqual(['started', 'frame', 'call:echo']);
      expect(host.calls[0]).toMatchObject({ id: 1, kind: 'tool', tool: 'echo', input: '{"a":1}' });
      expect(host.frames.flatMap((frame) => frame.delivered)).toEqual([{ kind: 'call', id: 1 }]);
    });

    test('a refused call is an error that the program can catch', async () => {
      const host = aHost(async ({ id }) => ({
        id,
        ok: false,
        error: { code: 'tool_denied', name: 'ToolDeniedError', message: 'not today' },
      }));
      const reply = await create().execute(
        aRequest('let r; try { await tools.echo({}) } catch (e) { r = [e.code, e.message].join() } r'),
        host,
        never(),
      );
      expect(reply).toMatchObject({ status: 'completed', value: '"tool_denied,not today"' });
    });

    test('a thousand calls at once travel in few frames, and so do their replies', async () => {
      const host = aHost();
      const reply = await create().execute(
        aRequest('(await Promise.all(Array.from({ length: 1000 }, (_, i) => tools.echo({ i })))).length'),
        host,
        never(),
      );
      expect(reply).toMatchObject({ status: 'completed', value: '1000' });
      // One of each where the machine is free; a loaded one cuts the work into slices of 8 ms.
      expect(host.frames.filter((frame) => frame.calls.length > 0).length).toBeLessThan(50);
      expect(host.frames.length).toBeLessThan(200);
    });

    test('an error of the program is its reply', async () => {
      expect(await run(create(), 'null.x')).toMatchObject({
        status: 'failed',
        error: { code: 'program_error', name: 'TypeError' },
      });
    });

    test('a program that overflows the stack fails, and the next run works', async () => {
      const executor = create();
      expect(await run(executor, 'function f() { return f() + 1 } f()')).toMatchObject({ status: 'failed' });
      expect(await run(executor, 'JSON.stringify(JSON.parse("[".repeat(5000) + "]".repeat(5000))).length')).toMatchObject({
        computeMs: expect.any(Number),
      });
      expect(await run(executor, '2')).toMatchObject({ status: 'completed', value: '2' });
    });

    test.each([
      ['an error with an endless name', 'const e = new Error("a"); e.name = "n".repeat(1e5); throw e', 'program_error'],
      ['an error with an endless message', 'throw new Error("x".repeat(1e6))', 'program_error'],
      ['an endless reason', 'await tools.echo({}, { intent: "y".repeat(1e5) }); null.x', 'program_error'],
      ['a tool with an endless name', 'await tools["x".repeat(5000)]({}); null.x', 'program_error'],
    ])('%s is no breach of the protocol', async (_what, source, code) => {
      expect(await run(create(), source)).toMatchObject({ status: 'failed', error: { code } });
    });

    test.each([
      ['callbacks that throw', 'for (let i = 0; i < 2000; i++) queueMicrotask(() => { throw i }); await null; await null; 1'],
      ['empty lines', 'for (let i = 0; i < 20000; i++) console.log(""); 1'],
      [
        'timers at once',
        'for (let i = 0; i < 99000; i++) setTimeout(() => {}, 0); await new Promise((r) => setTimeout(r, 1)); 1',
      ],
    ])('a flood of %s is no breach of the protocol', async (_what, source) => {
      expect(await run(create(), source)).toMatchObject({ status: 'completed', value: '1' });
    });

    test('a host that answers with an exception fails the call only', async () => {
      const host = aHost(() => Promise.reject(new Error('secret')));
      const reply = await create().execute(
        aRequest('let r; try { await tools.echo({}) } catch (e) { r = e.message } r'),
        host,
        never(),
      );
      expect(reply).toMatchObject({ status: 'completed', value: expect.stringContaining('may have taken effect') });
      expect(JSON.stringify(reply)).not.toContain('secret');
    });

    test('a host that loses its books ends the run, not the executor', async () => {
      const executor = create();
      const host = {
        ...aHost(),
        frame: () => {
          throw new Error('disk full');
        },
      };
      expect(await executor.execute(aRequest('await tools.echo({})'), host, never())).toMatchObject({
        status: 'failed',
        error: { code: 'interrupted' },
      });
      expect(await run(executor, '1')).toMatchObject({ status: 'completed' });
    });

    test('facts about a program come without running it', async () => {
      const executor = create();
      const facts = await executor.analyze('await tools.echo({ a: 1 })', NAMES, never());
      expect(facts.references).toMatchObject([{ tool: 'echo', known: true, site: { line: 1 } }]);
      expect((await executor.analyze('const', NAMES, never())).syntaxError).toBeDefined();
      await expect(executor.analyze('1', NAMES, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    });
  });

  describe(`${subject.name}: time`, PATIENCE, () => {
    test('a loop without end is stopped, and the next run works at once', async () => {
      const executor = create();
      const reply = await run(executor, 'for (;;) {}', { limits: { timeoutMs: 200 } });
      expect(reply).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
      expect(await run(executor, '2')).toMatchObject({ status: 'completed', value: '2' });
    });

    test('a built-in that cannot be interrupted is ended with its worker', async () => {
      const executor = create();
      const start = performance.now();
      const reply = await run(executor, NATIVE_LOOP, { limits: { timeoutMs: 100 } });
      expect(reply).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
      expect(reply.computeMs).toBeGreaterThanOrEqual(600);
      expect(performance.now() - start).toBeLessThan(15_000);
      expect(await run(executor, '2')).toMatchObject({ status: 'completed', value: '2' });
    });

    test('also when a timer of the program leads into it', async () => {
      const reply = await run(create(), `await new Promise((r) => setTimeout(r, 50)); ${NATIVE_LOOP}`, {
        limits: { timeoutMs: 100 },
      });
      expect(reply).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    });

    test('waiting for a tool is not charged', async () => {
      const host = aHost(async (call) => {
        await after(900);
        return echo(call);
      });
      const reply = await run(create(), 'await tools.slow({}); 7', { limits: { timeoutMs: 100 } }, host);
      expect(reply).toMatchObject({ status: 'completed', value: '7' });
      expect(reply.computeMs).toBeLessThan(100);
    });
  });

  describe(`${subject.name}: cancelling`, PATIENCE, () => {
    const timed = async (
      executor: PooledExecutor,
      source: string,
      host = aHost(),
    ): Promise<{ reply: ExecuteReply; late: number }> => {
      await executor.warmUp(16 * MIB);
      const aborting = new AbortController();
      let at = 0;
      setTimeout(() => {
        at = performance.now();
        aborting.abort();
      }, 150);
      const reply = await executor.execute(aRequest(source), host, aborting.signal);
      return { reply, late: performance.now() - at };
    };

    test.each([
      ['a loop', 'for (;;) {}'],
      ['a built-in that cannot be interrupted', NATIVE_LOOP],
      ['a program that awaits for ever', 'for (;;) await null'],
      ['a program that waits for a tool', 'await tools.slow({})'],
      ['a program that waits for a timer', 'await new Promise((r) => setTimeout(r, 60_000))'],
    ])('%s', async (_what, source) => {
      const executor = create();
      const { reply, late } = await timed(
        executor,
        source,
        aHost(() => new Promise(() => {})),
      );
      expect(reply).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
      // 100 ms are promised and measured by the bench; here the machine may be busy with other tests.
      expect(late).toBeLessThan(1_500);
      expect(await run(executor, '3')).toMatchObject({ status: 'completed', value: '3' });
    });

    test('before the start nothing runs', async () => {
      const host = aHost();
      const reply = await create().execute(aRequest('1'), host, AbortSignal.abort());
      expect(reply).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
      expect(host.log).toEqual([]);
    });

    test('while it waits for a worker, the place in the queue is free again', async () => {
      const executor = create();
      const waiting = aHost(() => new Promise(() => {}));
      const first = executor.execute(aRequest('await tools.slow({})', { maxWorkers: 1, sessionId: 'a' }), waiting, abortIn(400));
      const second = executor.execute(aRequest('2', { maxWorkers: 1, sessionId: 'b' }), aHost(), abortIn(100));
      expect(await second).toMatchObject({ error: { code: 'cancelled' } });
      expect(executor.load).toMatchObject({ busy: 1, queued: 0 });
      await first;
    });
  });

  describe(`${subject.name}: many`, PATIENCE, () => {
    test('one program that computes for ever delays nobody', async () => {
      const executor = create({ maxComputing: 2 });
      const stopping = new AbortController();
      let looping = true;
      const loop = executor.execute(aRequest('for (;;) {}', { sessionId: 'a' }), aHost(), stopping.signal).finally(() => {
        looping = false;
      });
      for (let i = 0; i < 3; i++) expect(await run(executor, '1', { sessionId: 'b' })).toMatchObject({ status: 'completed' });
      expect(looping).toBe(true);
      stopping.abort();
      await loop;
    });

    test('a program that waits gives its slot to the next', async () => {
      const executor = create({ maxComputing: 1 });
      let release: () => void = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const host = aHost(async (call) => {
        await gate;
        return echo(call);
      });
      const waiting = run(executor, 'await tools.slow({}); "first"', { sessionId: 'a' }, host);
      expect(await run(executor, '"second"', { sessionId: 'b' })).toMatchObject({ status: 'completed', value: '"second"' });
      release();
      expect(await waiting).toMatchObject({ status: 'completed', value: '"first"' });
    });

    test('with one slot programs start in the order they came', async () => {
      const executor = create({ maxComputing: 1, spare: false });
      const order: string[] = [];
      const program = 'const end = Date.now() + 40; while (Date.now() < end); 1';
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((sessionId) =>
          executor.execute(aRequest(program, { sessionId }), { ...aHost(), started: () => void order.push(sessionId) }, never()),
        ),
      );
      expect([...order].sort()).toEqual(['a', 'b', 'c', 'd']);
      expect(executor.load.waitingForSlot).toBe(0);
    });

    test('above maxWorkers a run waits, and starts when a place is free', async () => {
      const executor = create();
      let release: () => void = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const held = (): ReturnType<typeof aHost> =>
        aHost(async (call) => {
          await gate;
          return echo(call);
        });
      const limited = { maxWorkers: 2 };
      const two = ['a', 'b'].map((sessionId) => run(executor, 'await tools.slow({})', { ...limited, sessionId }, held()));
      const late = aHost();
      const third = run(executor, '3', { ...limited, sessionId: 'c' }, late);
      await after(300);
      expect(late.log).toEqual([]);
      expect(executor.load).toMatchObject({ busy: 2, queued: 1 });
      release();
      expect(await third).toMatchObject({ status: 'completed', value: '3' });
      await Promise.all(two);
      const { spare, busy, idle } = executor.load;
      expect(spare + busy + idle).toBeLessThanOrEqual(2);
    });

    test('sixteen sessions at once keep apart', async () => {
      const executor = create();
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, i) =>
          run(executor, `globalThis.mine = ${i}; const got = await tools.echo({ i: ${i} }); [got.i, mine].join()`, {
            sessionId: `s${i}`,
          }),
        ),
      );
      expect(replies.map((reply) => reply.status === 'completed' && reply.value)).toEqual(
        Array.from({ length: 16 }, (_, i) => `"${i},${i}"`),
      );
    });
  });

  describe(`${subject.name}: workers`, PATIENCE, () => {
    test('warming up starts one spare, which the first run takes and which is replaced', async () => {
      const executor = create();
      await executor.warmUp(16 * MIB);
      await executor.warmUp(16 * MIB);
      expect(executor.load).toMatchObject({ spare: 1, busy: 0, idle: 0 });
      expect(executor.engine).toContain('quickjs');
      await run(executor, '1');
      await expect.poll(() => executor.load).toMatchObject({ spare: 1, busy: 0, idle: 1 });
    });

    test('the first program on a worker that was warmed up finds nothing of the rehearsal', async () => {
      const executor = create();
      await executor.warmUp(16 * MIB);
      const host = aHost();
      const source = 'await tools.echo({ a: 1 }); [Object.keys(tools), Object.keys(globalThis)]';
      const warm = await executor.execute(aRequest(source), host, never());
      expect(host.fresh).toEqual([true]);
      expect(host.calls).toMatchObject([{ id: 1, tool: 'echo' }]);
      const cold = await run(create(), source);
      expect(cold.status).toBe('completed');
      expect({ ...warm, computeMs: 0 }).toEqual({ ...cold, computeMs: 0 });
    });

    test('an idle worker serves its own session again, never another', async () => {
      const executor = create();
      const hosts = [aHost(), aHost(), aHost()] as const;
      await run(executor, '1', { sessionId: 'a' }, hosts[0]);
      await run(executor, '1', { sessionId: 'a' }, hosts[1]);
      await run(executor, '1', { sessionId: 'b' }, hosts[2]);
      expect(hosts.map(({ fresh }) => fresh[0])).toEqual([true, false, true]);
      expect(executor.load.idle).toBe(2);
    });

    test('globals of a session survive between its runs until it ends', async () => {
      const executor = create();
      const kept = { state: 'session', sessionId: 'k' } as const;
      await run(executor, 'let count = 41', kept);
      expect(await run(executor, '++count', kept)).toMatchObject({ status: 'completed', value: '42' });
      executor.endSession('k');
      expect(executor.load.idle).toBe(0);
      expect(await run(executor, 'typeof count', kept)).toMatchObject({ status: 'completed', value: '"undefined"' });
    });

    test('idle workers are few', async () => {
      const executor = create();
      for (let i = 0; i < 7; i++) await run(executor, '1', { sessionId: `s${i}` });
      expect(executor.load.idle).toBeLessThanOrEqual(4);
    });

    test('fifty runs leave nothing behind', async () => {
      const executor = create();
      for (let i = 0; i < 50; i++) {
        expect(await run(executor, 'await tools.echo({})')).toMatchObject({ status: 'completed' });
      }
      await expect.poll(() => executor.load).toEqual({ spare: 1, busy: 0, idle: 1, queued: 0, waitingForSlot: 0 });
    });

    test('disposed, it ends what runs and refuses what comes', async () => {
      const executor = create();
      const running = run(
        executor,
        'await tools.slow({})',
        {},
        aHost(() => new Promise(() => {})),
      );
      await after(300);
      await executor[Symbol.asyncDispose]();
      expect(await running).toMatchObject({ status: 'failed', error: { code: 'executor_unavailable' } });
      expect(await run(executor, '1')).toMatchObject({ status: 'failed', error: { code: 'executor_unavailable' } });
      expect(executor.load).toEqual({ spare: 0, busy: 0, idle: 0, queued: 0, waitingForSlot: 0 });
    });
  });

  describe(`${subject.name}: workers that fail`, PATIENCE, () => {
    test.each<[FakeWorker, number, RegExp]>([
      ['throwsAtStart', 9_000, /a part is missing/],
      ['silent', 300, /said nothing within/],
      ['neverReady', 600, /said nothing within|initTimeoutMs/],
      ['otherProtocol', 9_000, /protocol 99, this page \d/],
      ['answersNonsense', 9_000, /not the one of this package/],
    ])('at the start: %s', async (name, initTimeoutMs, message) => {
      const executor = fake(name, { initTimeoutMs });
      const code = 'executor_unavailable';
      expect(await run(executor, '1')).toMatchObject({
        status: 'failed',
        error: { code, message: expect.stringMatching(message) },
      });
      await expect(executor.warmUp(MIB)).rejects.toMatchObject({ code });
      expect(executor.load).toMatchObject({ spare: 0, busy: 0, idle: 0 });
    });

    test.each<[FakeWorker, RegExp]>([
      ['diesInRun', /out of luck/],
      ['throwsInRun', /broken inside/],
      ['losesFrames', /not all that came before/],
      ['badFrame', /a frame \(calls\.id\)/],
      ['badEnd', /the end of a run/],
      ['floods', /its messages/],
    ])('in a run: %s', async (name, message) => {
      const executor = fake(name);
      expect(await run(executor, '1')).toMatchObject({
        status: 'failed',
        error: { code: 'executor_crashed', message: expect.stringMatching(message) },
      });
      expect(executor.load).toMatchObject({ busy: 0, idle: 0 });
    });

    test('a worker that talks of other runs is not heard', async () => {
      const host = aHost();
      expect(await run(fake('talksOfOthers'), '1', {}, host)).toMatchObject({ status: 'completed', value: '1' });
      expect(host.calls).toEqual([]);
    });

    test('frames that the end has overtaken still arrive before the reply', async () => {
      const host = aHost();
      expect(await run(fake('lateFrames'), '1', {}, host)).toMatchObject({ status: 'completed', value: '"late"' });
      expect(host.frames.map(({ seq }) => seq)).toEqual([1, 2]);
    });

    test('a worker that never takes its reply is charged for it', async () => {
      expect(await run(fake('deaf'), '1', { limits: { timeoutMs: 50 } })).toMatchObject({
        status: 'failed',
        error: { code: 'timeout' },
      });
    });

    test('after crashes in three sessions the next one waits and says so', async () => {
      const executor = fake('diesInRun');
      for (let i = 0; i < 3; i++) await run(executor, '1', { sessionId: `session ${i}` });
      expect(await run(executor, '1')).toMatchObject({
        status: 'failed',
        error: { code: 'executor_unavailable', message: expect.stringMatching(/3 workers failed.*out of luck/) },
      });
    });

    test('options that make no sense are refused', () => {
      expect(() => subject.create({ maxComputing: 0 })).toThrow(/maxComputing/);
      expect(() => subject.create({ initTimeoutMs: Number.NaN })).toThrow(/initTimeoutMs/);
    });
  });
}
