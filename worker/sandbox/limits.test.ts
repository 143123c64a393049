import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import type { ExecuteReply } from '../../src/protocol/wire.ts';
import type { Sandbox } from './sandbox.ts';
import { createTestSandbox, drive } from './test-tools/drive.ts';

const MIB = 1024 * 1024;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createTestSandbox();
});

const echo = (input: unknown): unknown => input;
const within = (limits: Partial<typeof DEFAULT_LIMITS>): { limits: typeof DEFAULT_LIMITS } => ({
  limits: { ...DEFAULT_LIMITS, memoryBytes: 64 * MIB, ...limits },
});
/** An encoded text of exactly so many bytes: two quotes and letters of two bytes, one of one byte where it is odd. */
const sized = (bytes: number): string => `'ü'.repeat(${Math.floor((bytes - 2) / 2)}) + '${bytes % 2 === 1 ? 'x' : ''}'`;

// The worker's own half, in the engine itself. What people meet: src/session/limits.
describe('each limit, at the bound and one above', () => {
  test('maxResultBytes', async () => {
    expect((await drive(sandbox, sized(1001), {}, within({ maxResultBytes: 1001 }))).reply).toMatchObject({
      status: 'completed',
    });
    expect((await drive(sandbox, sized(1002), {}, within({ maxResultBytes: 1001 }))).reply).toMatchObject({
      status: 'failed',
      error: { code: 'value_too_large', message: expect.stringContaining('1001') },
    });
  });

  test('maxInputBytes', async () => {
    const call = (bytes: number): string => `await tools.echo({ t: ${sized(bytes - 6)} }); 1`;
    const at = await drive(sandbox, call(1001), { echo }, within({ maxInputBytes: 1001 }));
    expect(new TextEncoder().encode(at.calls[0]!.input)).toHaveLength(1001);
    const above = await drive(sandbox, call(1002), { echo }, within({ maxInputBytes: 1001 }));
    expect(above.reply).toMatchObject({ error: { code: 'value_too_large' } });
    expect(above.calls).toEqual([]);
  });

  test('maxDepth of inputs and results', async () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect((await drive(sandbox, `(${nested(5)})`, {}, within({ maxDepth: 5 }))).reply).toMatchObject({ status: 'completed' });
    expect((await drive(sandbox, `(${nested(6)})`, {}, within({ maxDepth: 5 }))).reply).toMatchObject({
      error: { code: 'value_too_large' },
    });
    expect(
      (await drive(sandbox, `await tools.echo({ a: ${nested(4)} })`, { echo }, within({ maxDepth: 5 }))).reply,
    ).toMatchObject({ status: 'completed' });
    expect(
      (await drive(sandbox, `await tools.echo({ a: ${nested(5)} })`, { echo }, within({ maxDepth: 5 }))).reply,
    ).toMatchObject({ error: { code: 'value_too_large' } });
  });

  test('the default maxDepth crosses with the browser’s stack', async () => {
    const { value } = await drive(sandbox, `let v = []; for (let i = 1; i < 199; i++) v = [v]; (await tools.echo({ v })).v`, {
      echo,
    });
    expect(JSON.stringify(value)).toHaveLength(398);
  });

  test('maxCalls: the call above is refused with the limit, and not made', async () => {
    const source = `let made = 0; try { for (;;) { await tools.echo(); made++ } } catch (e) { return [made, e.code, e.message.includes('50')] }`;
    const { value, calls } = await drive(sandbox, source, { echo }, within({ maxCalls: 50 }));
    expect(value).toEqual([50, 'call_limit', true]);
    expect(calls).toHaveLength(50);
    const { reply } = await drive(sandbox, 'for (let i = 0; i < 51; i++) await tools.echo()', { echo }, within({ maxCalls: 50 }));
    expect(reply).toMatchObject({
      error: { code: 'call_limit', name: 'CallLimitError', message: expect.stringContaining('50') },
    });
  });

  test('maxOutputBytes: the line that passes it is cut, with a warning; what fits exactly is not', async () => {
    const at = await drive(
      sandbox,
      `console.log('ü'.repeat(5)); console.log('x'.repeat(5)); 1`,
      {},
      within({ maxOutputBytes: 15 }),
    );
    expect(at.lines).toEqual(['üüüüü', 'xxxxx']);
    expect(at.reply.warnings).toEqual([]);
    const above = await drive(
      sandbox,
      `console.log('üüüüü'); console.log('xxüx🧪'); console.log('dropped'); 1`,
      {},
      within({ maxOutputBytes: 17 }),
    );
    expect(above.lines).toEqual(['üüüüü', 'xxüx']);
    expect(above.reply).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'output_truncated', message: expect.stringContaining('17') }],
    });
  });

  test('twenty thousand lines are cut, not lost', async () => {
    const { lines, reply } = await drive(
      sandbox,
      `for (let i = 0; i < 20000; i++) console.log('line ' + i); 'done'`,
      {},
      within({ maxOutputBytes: 20_000 }),
    );
    expect(lines[0]).toBe('line 0');
    expect(lines.join('')).toHaveLength(20_000);
    expect(reply).toMatchObject({ value: '"done"', warnings: [{ code: 'output_truncated' }] });
  });

  test('an emitted value counts as output and is dropped whole', async () => {
    const { frames, reply } = await drive(
      sandbox,
      `codemode.emit({ a: 1 }); codemode.emit('x'.repeat(100)); 1`,
      {},
      within({ maxOutputBytes: 50 }),
    );
    expect(frames.flatMap((frame) => frame.output)).toMatchObject([{ kind: 'emit', value: '{"a":1}' }]);
    expect(reply).toMatchObject({ warnings: [{ code: 'output_truncated' }] });
  });
});

describe('timeoutMs, by a clock of the test', () => {
  /** A millisecond passes with each look at it: what a program is charged is the same every time. */
  const ticking = (): { now: () => number; skip: (ms: number) => void } => {
    let time = 1_000_000;
    return { now: () => ++time, skip: (ms) => (time += ms) };
  };
  const PROGRAM =
    'let n = 0; for (let i = 0; i < 300000; i++) n += i; await tools.slow(); for (let i = 0; i < 300000; i++) n -= i; n';

  test('a program that computes exactly so long completes, a millisecond less is not enough', async () => {
    const timed = async (timeoutMs: number, waits = 0): Promise<ExecuteReply> => {
      const { now, skip } = ticking();
      const own = await createTestSandbox({ now });
      return (await drive(own, PROGRAM, { slow: () => skip(waits) }, within({ timeoutMs }))).reply;
    };
    const { computeMs } = await timed(60_000);
    expect(computeMs).toBeGreaterThan(20);
    expect(await timed(computeMs)).toMatchObject({ status: 'completed', computeMs });
    expect(await timed(computeMs - 1)).toMatchObject({
      status: 'failed',
      error: {
        code: 'timeout',
        message: expect.stringMatching(new RegExp(`${computeMs - 1} ms \\(timeoutMs\\).*do less`)),
        data: JSON.stringify({ limit: 'timeoutMs', value: computeMs - 1 }),
      },
    });
    // Hours of a tool or a person change nothing, to the millisecond.
    expect(await timed(computeMs, 36e5)).toMatchObject({ status: 'completed', computeMs });
    expect(await timed(computeMs - 1, 36e5)).toMatchObject({ error: { code: 'timeout' } });
  });
});

describe('memory', () => {
  const fill = `const keep = []; while (true) keep.push(new ArrayBuffer(1048576))`;

  test('a program that takes all of it fails, and its worker is at its end', async () => {
    for (const source of [
      fill,
      `const keep = []; while (true) keep.push({ a: keep.length, b: [keep.length] })`,
      `globalThis.keep = []; while (true) globalThis.keep.push('x'.repeat(1000) + keep.length)`,
      // Here the engine itself does not look whether it got memory, and traps.
      `const f = () => { for (let i = 0; i < 10; i++) queueMicrotask(f) }; f(); await new Promise(() => {})`,
    ]) {
      const own = await createTestSandbox({ memoryBytes: 16 * MIB });
      const { reply, lines } = await drive(own, `console.log('before'); ${source}`, {}, within({ memoryBytes: 16 * MIB }));
      expect(reply).toMatchObject({ status: 'failed', error: { code: 'memory_limit' } });
      expect(reply.peakMemoryBytes).toBeGreaterThan(16 * MIB);
      expect(own.spent).toBe(true);
      // After a trap nothing is read out of the engine any more. Among small objects it depends on the last one whether it traps.
      if (source.includes('queueMicrotask')) continue;
      if (source.includes('{ a:')) expect([[], ['before']]).toContainEqual(lines);
      else expect(lines, source).toEqual(['before']);
    }
  }, 30_000);

  test('a text larger than memory is out of memory, not a crash', async () => {
    const own = await createTestSandbox({ memoryBytes: 16 * MIB });
    expect((await drive(own, `'x'.repeat(2 ** 28)`, {}, within({ memoryBytes: 16 * MIB }))).reply).toMatchObject({
      error: { code: 'memory_limit' },
    });
  });

  test('a caught one lets the program go on; a thrown null is no lack of memory', async () => {
    const own = await createTestSandbox({ memoryBytes: 16 * MIB });
    expect(
      (
        await drive(
          own,
          `let n = 0; try { const keep = []; while (true) { keep.push(new ArrayBuffer(1048576)); n++ } } catch {} n > 10`,
          {},
          within({ memoryBytes: 16 * MIB }),
        )
      ).value,
    ).toBe(true);
    expect((await drive(sandbox, 'throw null')).reply).toMatchObject({
      error: { code: 'program_error', message: expect.stringContaining('null') },
    });
    expect(
      (await drive(sandbox, `throw Object.assign(new Error('out of memory'), { name: 'InternalError' })`)).reply,
    ).toMatchObject({ error: { code: 'program_error' } });
  });

  test('an input or a value that does not fit into it is out of memory, not wrong', async () => {
    for (const end of [
      'await tools.echo({ a: new Date(0), text, more: text + 1 })',
      '({ a: new Date(0), text, more: text + 1 })',
    ]) {
      const own = await createTestSandbox({ memoryBytes: 16 * MIB });
      const source = `const text = 'x'.repeat(6e6), keep = []; try { for (;;) keep.push(new ArrayBuffer(1e6)) } catch { keep.length -= 3 }\n${end}`;
      const limits = within({ memoryBytes: 16 * MIB, maxInputBytes: 16 * MIB });
      expect((await drive(own, source, { echo }, limits)).reply).toMatchObject({
        status: 'failed',
        error: { code: 'memory_limit' },
      });
    }
  });

  test('what has crossed takes no room of it any more', async () => {
    for (const input of ['{ text: text + i }', '{ at: new Date(0), text: text + i }']) {
      const own = await createTestSandbox({ memoryBytes: 64 * MIB });
      const source = `const text = 'x'.repeat(1.4e6); for (let i = 0; i < 20; i++) await tools.take(${input}); return 1`;
      const { reply } = await drive(own, source, { take: () => 1 }, within({ timeoutMs: 600_000 }));
      expect(reply).toMatchObject({ status: 'completed' });
      // Every one of them kept would be 28 MiB.
      expect(reply.peakMemoryBytes).toBeLessThan(14 * MIB);
    }
  });

  test('a reply larger than memory is out of memory', async () => {
    const own = await createTestSandbox({ memoryBytes: 16 * MIB });
    const { reply } = await drive(
      own,
      `(await tools.big()).length`,
      { big: () => Array.from({ length: 400_000 }, (_, id) => ({ id, name: `row number ${id}` })) },
      within({ memoryBytes: 16 * MIB }),
    );
    expect(reply).toMatchObject({ status: 'failed', error: { code: 'memory_limit' } });
  });
});

describe('the stack', () => {
  test('endless recursion can be caught; uncaught it has its own code, and the next program runs', async () => {
    expect(
      (await drive(sandbox, `function f() { return f() + 1 } try { f(); return 'no' } catch { return 'caught' }`)).value,
    ).toBe('caught');
    expect((await drive(sandbox, `function f() { return f() + 1 }\nf()`)).reply).toMatchObject({
      error: { code: 'stack_overflow', site: { line: 1 } },
    });
    expect((await drive(sandbox, '1')).reply).toMatchObject({ value: '1' });
  });

  test.each([
    ['getter', `const o = { get a() { return this.a } }; o.a`],
    ['toString', `const o = { toString() { return '' + this } }; '' + o`],
    ['proxy', `const p = new Proxy({}, { get(t, k, r) { return r[k] } }); p.x`],
    ['sort', `function f() { [2, 1].sort(() => f()) } f()`],
    ['map', `function f() { return [1].map(f) } f()`],
    ['replace', `function f() { return 'a'.replace(/a/, f) } f()`],
    ['JSON.stringify', `const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)`],
    ['JSON.parse reviver', `function f() { return JSON.parse('[1]', f) } f()`],
    ['deep JSON', `JSON.parse('['.repeat(100000))`],
    ['deep stringify', `let v = []; for (let i = 0; i < 50000; i++) v = [v]; JSON.stringify(v)`],
    ['constructor', `class A { constructor() { new A() } } new A()`],
    ['bind', `let f = () => 1; for (let i = 0; i < 50000; i++) f = f.bind(null); f()`],
    ['eval', `function f() { eval('f()') } f()`],
    ['Reflect.apply', `function f() { Reflect.apply(f, null, []) } f()`],
    ['generator', `function* g() { yield* g() } [...g()]`],
    ['async', `async function f() { await f() } await f()`],
    ['spread', `function f(...a) { return f(...a, 1) } f()`],
    ['template', 'const o = { toString() { return `${o}` } }; `${o}`'],
    ['instanceof', `class A { static [Symbol.hasInstance](x) { return x instanceof A } } 1 instanceof A`],
    ['deep value', `let v = []; for (let i = 0; i < 100000; i++) v = [v]; v`],
    ['deep input', `let v = []; for (let i = 0; i < 100000; i++) v = { v }; await tools.echo(v)`],
    ['console', `let v = []; for (let i = 0; i < 100000; i++) v = [v]; console.log(v); 1`],
    ['regex', `/(?:(?:a*)*)*b/.test('a'.repeat(100000)); new RegExp('('.repeat(20000) + ')'.repeat(20000)).test('a')`],
  ])('recursion through %s ends the program at most, never the host', async (_name, source) => {
    const own = await createTestSandbox({ memoryBytes: 32 * MIB });
    const { reply } = await drive(own, source, { echo }, within({ timeoutMs: 2_000, memoryBytes: 32 * MIB }));
    if (reply.status === 'failed')
      expect(['stack_overflow', 'program_error', 'value_too_large', 'memory_limit', 'timeout']).toContain(reply.error.code);
    if (!own.spent) expect((await drive(own, '1 + 1')).reply).toMatchObject({ value: '2' });
  });
});
