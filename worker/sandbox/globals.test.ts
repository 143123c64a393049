import { beforeAll, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { Sandbox } from './sandbox.ts';
import { createTestSandbox, drive } from './test-tools/drive.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createTestSandbox();
});

const value = async (source: string): Promise<unknown> => {
  const driven = await drive(sandbox, source);
  if (driven.reply.status === 'failed') throw new Error(JSON.stringify(driven.reply.error));
  return driven.value;
};
const lines = async (source: string): Promise<readonly string[]> => (await drive(sandbox, source)).lines;

describe('console', () => {
  test('writes texts as they are and the rest as source would', async () => {
    expect(
      await lines(
        `console.log('hello', 'Ada'); console.log(1, true, null, undefined, 2n, -0); console.log({ id: 1, name: 'Ada', tags: ['a'] })`,
      ),
    ).toEqual(['hello Ada', '1 true null undefined 2n -0', `{ id: 1, name: 'Ada', tags: ['a'] }`]);
  });

  test('has levels and lines', async () => {
    const { frames } = await drive(sandbox, `console.debug('d');\nconsole.info('i');\nconsole.warn('w');\nconsole.error('e')`);
    expect(
      frames.flatMap((frame) => frame.output).map((item) => item.kind === 'console' && [item.level, item.text, item.site?.line]),
    ).toEqual([
      ['debug', 'd', 1],
      ['info', 'i', 2],
      ['warn', 'w', 3],
      ['error', 'e', 4],
    ]);
  });

  test('knows placeholders, groups, counts, assertions, tables', async () => {
    expect(await lines(`console.log('%s is %d%% of %o', 'a', 5, { b: 1 }, 'rest'); console.log('100%', 'x')`)).toEqual([
      `a is 5% of { b: 1 } rest`,
      '100% x',
    ]);
    expect(await lines(`console.group('g'); console.log('in'); console.groupEnd(); console.log('out')`)).toEqual([
      'g',
      '  in',
      'out',
    ]);
    expect(await lines(`console.count(); console.count(); console.assert(false, 'bad'); console.assert(true, 'good')`)).toEqual([
      'default: 1',
      'default: 2',
      'Assertion failed: bad',
    ]);
    expect(await lines(`console.table([{ a: 1, b: 'x' }, { a: 22 }])`)).toEqual([
      '|   | a  | b |\n|---|----|---|\n| 0 | 1  | x |\n| 1 | 22 |   |',
    ]);
  });

  test('shows what objects are, cut where they are deep, long or endless', async () => {
    expect(
      await lines(`class P { constructor() { this.x = 1 } get y() { return 2 } }
const c = { n: 1 }; c.self = c;
console.log(new P(), [1, , 3], new Map([['a', 1]]), new Set([1]), new Date(0), /x/g, new Error('e').message, () => 1, class A {}, Symbol('s'), c, Object.create(null))`),
    ).toEqual([
      `P { x: 1 } [1, <empty>, 3] Map(1) { 'a' => 1 } Set(1) { 1 } 1970-01-01T00:00:00.000Z /x/g e [Function (anonymous)] [class: A] Symbol(s) { n: 1, self: [Circular] } [null prototype] {}`,
    ]);
    const [deep, long] = await lines(
      `let v = []; for (let i = 0; i < 50; i++) v = { v }; console.log(v); console.log(Array.from({ length: 1000 }, (_, i) => i))`,
    );
    expect(deep).toContain('…');
    expect(long).toContain('900 more');
  });

  test('never throws, whatever it is given', async () => {
    const [line] = await lines(
      `console.log(new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } }), { get a() { throw 1 }, toString() { throw 2 } })`,
    );
    expect(line).toContain('[');
    expect(
      await lines(`console.log({ [Symbol.toPrimitive]() { throw 1 } }); console.log('%d', Symbol()); console.log('after')`),
    ).toContain('after');
  });

  test('text crosses exactly', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 30 }),
        async (text) => {
          expect(await lines(`console.log(${JSON.stringify(text)})`)).toEqual([text]);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('locale methods and Intl', () => {
  test.each([
    [`(1234567.5).toLocaleString('en-US', { style: 'currency', currency: 'USD' })`, '$1,234,567.50'],
    [`(1234567.5).toLocaleString()`, '1,234,567.5'],
    [`(12345678901234567890n).toLocaleString('de-DE')`, '12.345.678.901.234.567.890'],
    [`new Date(0).toLocaleDateString('en-US')`, '1/1/1970'],
    [`new Date(0).toLocaleDateString('de-DE', { weekday: 'long', timeZone: 'UTC' })`, 'Donnerstag'],
    [`new Date(NaN).toLocaleString()`, 'Invalid Date'],
    [`['ä', 'z', 'a'].sort((x, y) => x.localeCompare(y)).join()`, 'a,ä,z'],
    [`[1000, new Date(0)].toLocaleString('en-US').slice(0, 5)`, '1,000'],
    [`new Intl.NumberFormat('en-IN').format(1234567)`, '12,34,567'],
    [`Intl.NumberFormat('en', { notation: 'compact' }).format(12345)`, '12K'],
    [`[-0, NaN, Infinity].map(new Intl.NumberFormat('en').format).join()`, '-0,NaN,∞'],
    [`new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(0))`, '1 Jan 1970'],
    [`['b', 'a', 'C'].sort(new Intl.Collator('en').compare).join()`, 'a,b,C'],
    [`new Intl.PluralRules('en').select(1)`, 'one'],
    [`new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day')`, 'yesterday'],
    [`new Intl.ListFormat('en', { type: 'conjunction' }).format(new Set(['a', 'b', 'c']))`, 'a, b, and c'],
    [`new Intl.DisplayNames('en', { type: 'region' }).of('DE')`, 'Germany'],
    [`[...new Intl.Segmenter('en').segment('a\u{1F468}‍\u{1F469}b')].length`, 3],
    [`new Intl.Segmenter('en', { granularity: 'word' }).segment('a b '.repeat(5_000)).at(-2).input.length`, 20_000],
    [
      `new Intl.NumberFormat('en', { style: 'unit', unit: 'liter' }).formatToParts(3).map((p) => p.type).join()`,
      'integer,literal,unit',
    ],
    [`Intl.NumberFormat.supportedLocalesOf(['en', 'de']).join()`, 'en,de'],
    [`Intl.DateTimeFormat().resolvedOptions().timeZone`, 'UTC'],
    [`try { new Intl.NumberFormat('no_such_locale!') } catch (e) { return e.name }`, 'RangeError'],
  ])('%s', async (source, expected) => {
    expect(await value(source)).toBe(expected);
  });
});

describe('URL', () => {
  test('reads and changes as in browsers', async () => {
    expect(
      await value(`const u = new URL('../a?x=1&x=2#h', 'https://user@ex.test:8080/b/c');
u.searchParams.append('y', 'ü &'); u.hash = ''; u.port = '';
[u.href, u.origin, u.searchParams.getAll('x'), u.searchParams.get('y'), String(u), JSON.stringify({ u }), URL.canParse('nope'), [...new URLSearchParams({ a: 1, b: 'c d' })], new URLSearchParams('?a=%zz+b').get('a')]`),
    ).toEqual([
      'https://user@ex.test/a?x=1&x=2&y=%C3%BC+%26',
      'https://ex.test',
      ['1', '2'],
      'ü &',
      'https://user@ex.test/a?x=1&x=2&y=%C3%BC+%26',
      '{"u":"https://user@ex.test/a?x=1&x=2&y=%C3%BC+%26"}',
      false,
      [
        ['a', '1'],
        ['b', 'c d'],
      ],
      '%zz b',
    ]);
    expect(await value(`try { new URL('nope') } catch (e) { return [e.name, e.message] }`)).toEqual([
      'TypeError',
      'Invalid URL: "nope"',
    ]);
  });
});

describe('text', () => {
  test('base64 and UTF-8 agree with the host', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 20 }), async (bytes, text) => {
        const source = `const b = new Uint8Array(${JSON.stringify([...bytes])}); const t = ${JSON.stringify(text)};
const latin = String.fromCharCode(...b); [btoa(latin), atob(btoa(latin)) === latin, new TextDecoder().decode(b), [...new TextEncoder().encode(t)], new TextDecoder().decode(new TextEncoder().encode(t)) === t || t.charCodeAt(0) === 0xfeff]`;
        expect(await value(source)).toEqual([
          Buffer.from(bytes).toString('base64'),
          true,
          new TextDecoder().decode(bytes),
          [...new TextEncoder().encode(text)],
          true,
        ]);
      }),
      { numRuns: 40 },
    );
    expect(await value(`new TextDecoder('latin1').decode(new Uint8Array([0x41, 0x80, 0x99, 0xe4]))`)).toBe('A€™ä');
  }, 30_000);

  test('a text decoder can stream', async () => {
    expect(
      await value(
        `const d = new TextDecoder(); const b = new TextEncoder().encode('aü€🧪'); let t = ''; for (const x of b) t += d.decode(new Uint8Array([x]), { stream: true }); t + d.decode()`,
      ),
    ).toBe('aü€🧪');
  });
});

describe('the rest', () => {
  test('AbortController, events and their errors', async () => {
    expect(
      await value(`const c = new AbortController(); const log = []; c.signal.addEventListener('abort', (e) => log.push(e.type)); c.signal.onabort = () => log.push('on');
c.abort(); c.abort(); const any = AbortSignal.any([c.signal]); let name; try { any.throwIfAborted() } catch (e) { name = e.name + (e instanceof Error) }
const t = new EventTarget(); t.addEventListener('x', (e) => log.push(e.detail), { once: true }); t.dispatchEvent(new CustomEvent('x', { detail: 7 })); t.dispatchEvent(new Event('x'));
[log, c.signal.aborted, name]`),
    ).toEqual([['on', 'abort', 7], true, 'AbortErrortrue']);
    expect(
      await value(`const s = AbortSignal.timeout(1); await new Promise((r) => s.addEventListener('abort', r)); s.reason.name`),
    ).toBe('TimeoutError');
  });

  test('structuredClone copies, refuses functions', async () => {
    expect(
      await value(
        `const a = { m: new Map([[1, new Date(5)]]) }; a.self = a; const b = structuredClone(a); [b !== a, b.self === b, b.m.get(1).getTime()]`,
      ),
    ).toEqual([true, true, 5]);
    expect(await value(`try { structuredClone(() => 1) } catch (e) { return e.name }`)).toBe('TypeError');
  });

  test('Array.fromAsync, queueMicrotask, crypto', async () => {
    expect(
      await value(
        `async function* g() { yield 1; yield Promise.resolve(2) } [await Array.fromAsync(g(), (x) => x * 2), await Array.fromAsync([Promise.resolve(3)]), await Array.fromAsync({ length: 1, 0: 4 })]`,
      ),
    ).toEqual([[2, 4], [3], [4]]);
    expect(await value(`const log = []; queueMicrotask(() => log.push('b')); log.push('a'); await null; log`)).toEqual([
      'a',
      'b',
    ]);
    expect(
      await value(
        `[/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()), crypto.getRandomValues(new Uint16Array(3)).length, Math.random() < 1]`,
      ),
    ).toEqual([true, 3, true]);
    expect(await value(`try { crypto.getRandomValues(new Float32Array(1)) } catch (e) { return e.name }`)).toBe('TypeError');
  });

  test('classes keep their names', async () => {
    const names = ['URL', 'URLSearchParams', 'AbortController', 'AbortSignal', 'Event', 'TextEncoder', 'Date', 'ToolError'];
    expect(await value(`[${names.map((name) => `${name}.name`).join()}, Intl.NumberFormat.name, new Error('x').name]`)).toEqual([
      ...names,
      'NumberFormat',
      'Error',
    ]);
  });

  test('a global can be replaced by the program', async () => {
    expect(await value(`var URL = 5; globalThis.Intl = 6; setTimeout = 7; [URL, Intl, setTimeout]`)).toEqual([5, 6, 7]);
  });

  test('random numbers are spread evenly', async () => {
    const counts = (await value(
      `const c = Array(10).fill(0); for (let i = 0; i < 20000; i++) c[Math.floor(Math.random() * 10)]++; c`,
    )) as number[];
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(250);
  });
});
