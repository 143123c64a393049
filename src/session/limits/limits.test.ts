/**
 * Every limit, at its bound and one above, through the public surface with real workers. What is above fails with an error
 * that names the limit, what it is set to and what to do. Time is a clock that the test moves. (The worker's own measure of
 * `timeoutMs`, to the millisecond: worker/sandbox/limits.test.ts. Memory of the whole process: e2e/memory.)
 */
import { describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../../bridge/node-worker-executor.ts';
import { DEFAULT_LIMITS, type Limits } from '../../protocol/limits.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createLimitBench, held, tool, until } from '../test-tools/limit-bench.ts';

vi.setConfig({ testTimeout: 60_000 });

const MIB = 1024 * 1024;
const bench = createLimitBench(createNodeExecutor);
const covered = new Set<keyof Limits>();
/** The title of a test of this limit. */
const about = (name: keyof Limits, says: string): string => {
  covered.add(name);
  return `${name}: ${says}`;
};

/** A literal whose encoded text has so many bytes: two quotes, letters of two bytes, one of one where it is odd. */
const sized = (bytes: number): string => JSON.stringify('ü'.repeat((bytes - 2) >> 1) + (bytes % 2 === 1 ? 'x' : ''));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
/** A program of so many bytes. */
const source = (bytes: number): string => `return 1 // ü${'x'.repeat(bytes - 14)}`;

const tools = [
  tool('echo', (input) => input),
  tool('give', ({ letters }: { letters: number }) => 'ü'.repeat((letters - 2) >> 1) + (letters % 2 === 1 ? 'x' : '')),
  tool('nest', ({ depth }: { depth: number }) => JSON.parse(nested(depth))),
];

interface Row {
  readonly limit: keyof Limits;
  readonly what: string;
  readonly value: number;
  readonly program: (size: number) => string;
  readonly code: string;
  /** What the program says of itself where the error knows it. */
  readonly actual?: true;
  /** What to do. */
  readonly advice: RegExp;
  /** Calls that were made by the program above. */
  readonly calls: number;
}

const ROWS: readonly Row[] = [
  {
    limit: 'maxSourceBytes',
    what: 'the program',
    value: 64,
    program: source,
    code: 'source_too_large',
    actual: true,
    advice: /Load data with tools/,
    calls: 0,
  },
  {
    limit: 'maxInputBytes',
    what: 'a flat input',
    value: 101,
    program: (size) => `await tools.echo({ t: ${sized(size - 6)} }); return 1`,
    code: 'value_too_large',
    advice: /fewer rows.*was not made/,
    calls: 0,
  },
  {
    limit: 'maxInputBytes',
    what: 'an input of parts',
    value: 101,
    program: (size) => `await tools.echo({ t: [${sized(size - 8)}] }); return 1`,
    code: 'value_too_large',
    advice: /fewer rows.*was not made/,
    calls: 0,
  },
  {
    limit: 'maxResultBytes',
    what: 'the value of a program',
    value: 101,
    program: (size) => `return ${sized(size)}`,
    code: 'value_too_large',
    advice: /fewer rows/,
    calls: 0,
  },
  {
    limit: 'maxResultBytes',
    what: 'the result of a call',
    value: 101,
    program: (size) => `return (await tools.give({ letters: ${size} })).length`,
    code: 'value_too_large',
    advice: /fewer rows/,
    calls: 1,
  },
  {
    limit: 'maxDepth',
    what: 'the value of a program',
    value: 5,
    program: (size) => `return ${nested(size)}`,
    code: 'value_too_large',
    advice: /flatter/,
    calls: 0,
  },
  {
    limit: 'maxDepth',
    what: 'an input',
    value: 5,
    program: (size) => `await tools.echo({ a: ${nested(size - 1)} }); return 1`,
    code: 'value_too_large',
    advice: /flatter.*was not made/,
    calls: 0,
  },
  {
    limit: 'maxDepth',
    what: 'the result of a call',
    value: 5,
    program: (size) => `await tools.nest({ depth: ${size} }); return 1`,
    code: 'value_too_large',
    advice: /flatter/,
    calls: 1,
  },
  {
    limit: 'maxDepth',
    what: 'a clone',
    value: 5,
    program: (size) => `structuredClone(${nested(size)}); return 1`,
    code: 'value_too_large',
    advice: /flatter/,
    calls: 0,
  },
  {
    limit: 'maxDepth',
    what: 'a value for the person',
    value: 5,
    program: (size) => `codemode.emit(${nested(size)}); return 1`,
    code: 'value_too_large',
    advice: /flatter/,
    calls: 0,
  },
  {
    limit: 'maxCalls',
    what: 'one after another',
    value: 3,
    program: (size) => `for (let i = 0; i < ${size}; i++) await tools.echo({}); return 1`,
    code: 'call_limit',
    advice: /another program/,
    calls: 3,
  },
  {
    limit: 'maxCalls',
    what: 'at once',
    value: 3,
    program: (size) => `await Promise.all(Array.from({ length: ${size} }, () => tools.echo({}))); return 1`,
    code: 'call_limit',
    advice: /another program/,
    // None has gone out when the program fails.
    calls: 0,
  },
  {
    limit: 'maxTransferBytes',
    what: 'inputs and results together',
    value: 24,
    // {"a":"…"} there and back.
    program: (size) => `return (await tools.echo({ a: '${'x'.repeat(size / 2 - 8)}' })).a`,
    code: 'transfer_limit',
    advice: /several programs/,
    calls: 1,
  },
];

describe('what is counted', () => {
  for (const row of ROWS) {
    // Both ways count for a transfer: the next larger one has two bytes more.
    const above = row.limit === 'maxTransferBytes' ? row.value + 2 : row.value + 1;
    it(about(row.limit, `${row.what} of exactly so much passes, more does not`), async () => {
      const session = bench.session({ tools, limits: { [row.limit]: row.value } });
      const at = await session.run(row.program(row.value)).outcome;
      expect(at).toMatchObject({ status: 'completed', warnings: [] });
      if (row.limit === 'maxTransferBytes') expect(at.stats.transferBytes).toBe(row.value);

      const outcome = await session.run(row.program(above)).outcome;
      expect(outcome).toMatchObject({
        status: 'failed',
        error: { code: row.code, data: { limit: row.limit, value: row.value, ...(row.actual && { actual: above }) } },
      });
      const { message } = outcome.status === 'failed' ? outcome.error : { message: '' };
      expect(message).toContain(`(${row.limit})`);
      expect(message).toContain(String(row.value));
      expect(message).toMatch(row.advice);
      expect(outcome.calls.filter(({ status }) => status !== 'cancelled')).toHaveLength(row.calls);
      // And the model reads the same once, in words.
      const { text } = await session.modelTools.executeCode.run({ code: row.program(above) });
      expect(text).toContain(`(${row.limit})`);
      expect(text).not.toContain('Data: {"limit"');
    });
  }

  it(about('maxTransferBytes', 'a kept result counts like any other'), async () => {
    const session = bench.session({ limits: { maxTransferBytes: 106 } });
    await session.run(`return ${sized(102)}`).outcome;
    await session.run(`return ${sized(103)}`).outcome;
    const load = (name: string) => session.run(`return (await codemode.results.load('${name}')).length`).outcome;
    expect(await load('r1')).toMatchObject({ status: 'completed', value: 50, stats: { transferBytes: 102 } });
    expect(await load('r2')).toMatchObject({ status: 'completed', stats: { transferBytes: 103 } });
    await session.run(`return ${sized(107)}`).outcome;
    expect(await load('r5')).toMatchObject({
      error: {
        code: 'transfer_limit',
        message: expect.stringMatching(/106 bytes.*\(maxTransferBytes\).*several programs/),
        data: { limit: 'maxTransferBytes', value: 106 },
      },
    });
  });

  it(about('maxOutputBytes', 'what fits exactly is whole, what is above is cut with a warning'), async () => {
    const session = bench.session({ limits: { maxOutputBytes: 20 } });
    const written = (outcome: { readonly output: readonly object[] }): string =>
      outcome.output.map((item) => ('text' in item ? item.text : '')).join('|');
    const at = await session.run(`console.log('ü'.repeat(5)); console.log('x'.repeat(10)); return 1`).outcome;
    expect([written(at), at.warnings]).toEqual(['üüüüü|xxxxxxxxxx', []]);
    const above = await session.run(`console.log('ü'.repeat(5)); console.log('x'.repeat(11)); return 1`).outcome;
    expect(written(above)).toBe('üüüüü|xxxxxxxxxx');
    expect(above).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'output_truncated', message: expect.stringMatching(/20 bytes \(maxOutputBytes\).*Print less/) }],
    });
  });

  it(about('maxModelChars', 'a text of exactly so many characters is whole, a longer one is cut and says so'), async () => {
    const session = bench.session({ limits: { maxModelChars: 1_000 } });
    const answer = async (code: string): Promise<string> => (await session.modelTools.executeCode.run({ code })).text;
    expect(await answer(`return 'x'.repeat(998)`)).toBe(JSON.stringify('x'.repeat(998)));
    const above = await answer(`return 'x'.repeat(999)`);
    expect(above.length).toBeLessThanOrEqual(1_000);
    expect(above).toMatch(/Truncated to 1,000 characters \(maxModelChars; .*Return less/);
    const lines = `for (let i = 0; i < 97; i++) console.log('12345678')`;
    // {"output":"…","result":1}, each line with an escaped end.
    const rest = 1_000 - '{"output":"","result":1}'.length - 97 * 10;
    expect(await answer(`${lines}; console.log('x'.repeat(${rest})); return 1`)).toHaveLength(1_000);
    expect(await answer(`${lines}; console.log('x'.repeat(${rest + 1})); return 1`)).toMatch(/\(maxModelChars; output/);
    const failing = await answer(`throw new Error('m'.repeat(3000))`);
    expect(failing.length).toBeLessThanOrEqual(1_000);
  });

  it(about('memoryBytes', 'a program that holds so much completes, what its worker has not room for fails'), async () => {
    const session = bench.session({ limits: { memoryBytes: 16 * MIB } });
    const hold = (mebibytes: number): string =>
      `const keep = []; for (let i = 0; i < ${mebibytes}; i++) keep.push(new Uint8Array(1048576).fill(1)); return keep.length`;
    expect(await session.run(hold(16)).outcome).toMatchObject({ status: 'completed', value: 16 });
    // The memory of the worker is the limit and 32 MiB, part of which the engine needs.
    const above = { code: 'memory_limit', data: { limit: 'memoryBytes', value: 16 * MIB } };
    for (const program of [hold(48), `return new ArrayBuffer(${16 * MIB}).byteLength`])
      expect(await session.run(program).outcome).toMatchObject({
        status: 'failed',
        error: { ...above, message: expect.stringMatching(/16777216 bytes.*\(memoryBytes\).*fewer rows/) },
      });
  });
});

describe('what runs at the same time', () => {
  it(about('maxConcurrentCalls', 'so many handlers run together, one more waits until one has ended'), async () => {
    const { execute, arrived, release } = held();
    const order: number[] = [];
    const hold = tool('hold', ({ i }: { i: number }) => (order.push(i), execute()));
    const session = bench.session({ tools: [hold], limits: { maxConcurrentCalls: 3 } });
    const run = session.run('return (await Promise.all(Array.from({ length: 7 }, (_, i) => tools.hold({ i })))).length');
    const count = (type: string): number => session.journal.events.filter((event) => event.type === type).length;
    for (const begun of [3, 6]) {
      // All seven are known, and three of them are at work: a fourth would be, too, if it were let in.
      await until(() => expect(arrived()).toBe(begun));
      await until(() => expect(count('tool_call.requested')).toBe(7));
      expect(count('tool_call.started')).toBe(begun);
      release();
    }
    await until(() => expect(arrived()).toBe(7));
    release();
    expect(await run.outcome).toMatchObject({ status: 'completed', value: 7 });
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it(about('maxWorkers', 'so many programs are alive together, one more is queued until one has ended'), async () => {
    const { execute, arrived, release } = held();
    const options = { tools: [tool('hold', execute)], limits: { maxWorkers: 2, memoryBytes: 16 * MIB } };
    const sessions = [1, 2, 3].map(() => bench.session(options));
    const runs = sessions.slice(0, 2).map((session) => session.run('return tools.hold({})'));
    await until(() => expect(arrived()).toBe(2));
    const third = sessions[2]!.run('return 3');
    await until(() => expect(bench.executor.load).toMatchObject({ busy: 2, queued: 1 }));
    expect(sessions[2]!.store.getState().runs[third.id]).toMatchObject({ status: 'queued' });
    release();
    expect(await third.outcome).toMatchObject({ status: 'completed', value: 3 });
    for (const run of runs) expect(await run.outcome).toMatchObject({ status: 'completed' });
    const { spare, busy, idle } = bench.executor.load;
    expect(spare + busy + idle).toBeLessThanOrEqual(2);
  });
});

describe('what takes time', () => {
  it(about('toolTimeoutMs', 'a handler may take exactly so long, and is aborted a millisecond later'), async () => {
    const clock = createFakeClock();
    const { execute, arrived, release } = held();
    let signal: AbortSignal | undefined;
    const slow = tool('slow', (_: unknown, call: { signal: AbortSignal }) => ((signal = call.signal), execute()));
    const session = bench.session({ clock, tools: [slow], limits: { toolTimeoutMs: 1_000 } });
    const at = session.run('return tools.slow({})');
    await until(() => expect(arrived()).toBe(1));
    clock.advance(1_000);
    release();
    expect(await at.outcome).toMatchObject({ status: 'completed', value: 1 });

    const above = session.run('return tools.slow({})');
    await until(() => expect(arrived()).toBe(2));
    clock.advance(1_000);
    expect(signal?.aborted).toBe(false);
    clock.advance(1);
    expect(signal?.aborted).toBe(true);
    expect(await above.outcome).toMatchObject({
      status: 'failed',
      error: {
        code: 'tool_timeout',
        message: expect.stringMatching(/1000 ms \(toolTimeoutMs\).*ask it for less/),
        data: { limit: 'toolTimeoutMs', value: 1_000 },
      },
    });
  });

  it(about('maxDurationMs', 'a run may take exactly so long, and ends a millisecond later'), async () => {
    const clock = createFakeClock();
    const { execute, arrived, release } = held();
    const limits = { maxDurationMs: 1_000, toolTimeoutMs: 5_000 };
    const session = bench.session({ clock, tools: [tool('slow', execute)], limits });
    const at = session.run('return tools.slow({})');
    await until(() => expect(arrived()).toBe(1));
    clock.advance(1_000);
    release();
    expect(await at.outcome).toMatchObject({ status: 'completed', value: 1 });

    const above = session.run('return tools.slow({})');
    await until(() => expect(arrived()).toBe(2));
    clock.advance(1_000);
    expect(session.store.getState().runs[above.id]?.status).toBe('running');
    clock.advance(1);
    expect(await above.outcome).toMatchObject({
      status: 'failed',
      error: {
        code: 'duration_limit',
        message: expect.stringMatching(/1000 ms.*\(maxDurationMs\).*do less/),
        data: { limit: 'maxDurationMs', value: 1_000 },
      },
      calls: [{ status: 'cancelled' }],
    });
  });

  it(about('timeoutMs', 'a program that computes longer says how long it may'), async () => {
    const session = bench.session({ limits: { timeoutMs: 60 } });
    expect(await session.run('for (;;);').outcome).toMatchObject({
      status: 'failed',
      error: {
        code: 'timeout',
        message: expect.stringMatching(/60 ms \(timeoutMs\).*do less/),
        data: { limit: 'timeoutMs', value: 60 },
      },
    });
  });
});

it('is, unless it is set, what the documents say', () => {
  expect(DEFAULT_LIMITS).toEqual({
    timeoutMs: 30_000,
    toolTimeoutMs: 60_000,
    maxDurationMs: 600_000,
    memoryBytes: 128 * MIB,
    maxModelChars: 20_000,
    maxOutputBytes: 1 * MIB,
    maxTransferBytes: 256 * MIB,
    maxCalls: 1_000,
    maxConcurrentCalls: 32,
    maxSourceBytes: 256 * 1024,
    maxInputBytes: 4 * MIB,
    maxResultBytes: 16 * MIB,
    maxDepth: 200,
    maxWorkers: 16,
  });
});

it('has a test here, each of them', () => {
  expect([...covered].sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
});
