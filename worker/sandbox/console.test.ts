/** Whatever a program hands to `console`, it gets no exception for it, and the line comes out. */
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import { createTestSandbox, drive } from './test-tools/drive.ts';

vi.setConfig({ testTimeout: 120_000 });

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createTestSandbox();
});

/** Source of values that want to be the last thing an inspector sees. */
const HOSTILE = [
  '({ get a() { throw new Error("getter") }, get [Symbol.toStringTag]() { throw 1 } })',
  'new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 }, getOwnPropertyDescriptor() { throw 4 }, has() { throw 5 } })',
  'new Proxy([], { get(t, k) { return k === "length" ? 2 ** 53 : Reflect.get(t, k) } })',
  'new Proxy(function () {}, { get() { throw 1 }, apply() { throw 2 } })',
  '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()',
  '(() => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return proxy })()',
  'Object.create(null, { then: { get() { throw 1 } } })',
  'Object.create(new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } }))',
  '({ toString() { throw 1 }, valueOf() { throw 2 }, [Symbol.toPrimitive]() { throw 3 }, toJSON() { throw 4 } })',
  '({ constructor: { get name() { throw 1 } } })',
  '({ __proto__: { get constructor() { throw 1 } } })',
  'Object.defineProperty(new Error("e"), "stack", { get() { throw 1 } })',
  'Object.defineProperty(new Error("e"), "message", { get() { throw 1 } })',
  'Object.defineProperty(new Error("e"), "name", { value: Symbol("n") })',
  'Object.assign(new Error("e"), { name: { toString() { throw 1 } }, stack: 7, cause: new Proxy({}, { get() { throw 1 } }) })',
  '(() => { const e = new Error("loop"); e.cause = e; return e })()',
  '(() => { let e = new Error("0"); for (let i = 0; i < 3000; i++) e = new Error(String(i), { cause: e }); return e })()',
  'new AggregateError([null, { get message() { throw 1 } }], { toString() { return "a" } })',
  '(() => { const o = {}; o.o = o; o.list = [o, [o]]; return o })()',
  '(() => { let o = 1; for (let i = 0; i < 5000; i++) o = { o }; return o })()',
  '(() => { let o = [1]; for (let i = 0; i < 40; i++) o = [o, o]; return o })()',
  'new Array(4_000_000_000)',
  '(() => { const a = []; a[2 ** 32 - 2] = 1; return a })()',
  'Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, i]))',
  '"x".repeat(3_000_000)',
  '"\\ud800\\u0000\\udfff"',
  'Object("boxed")',
  'Object(1n)',
  'Object(Symbol("s"))',
  'new Date(NaN)',
  'Object.assign(new Date(0), { toISOString() { throw 1 }, getTime() { return 0 } })',
  'Object.create(Date.prototype)',
  'Object.create(Map.prototype)',
  'Object.setPrototypeOf(new Map([[1, 2]]), null)',
  'Object.create(Promise.prototype)',
  'Object.create(Uint8Array.prototype)',
  'Object.create(RegExp.prototype)',
  'Object.create(Error.prototype)',
  'Object.create(Array.prototype, { length: { get() { throw 1 } } })',
  'new (class extends Map { get size() { throw 1 } [Symbol.iterator]() { throw 2 } })([[1, 2]])',
  'new (class extends Set { [Symbol.iterator]() { return { next() { throw 1 } } } })([1])',
  'new (class extends Array { static get [Symbol.species]() { throw 1 } map() { throw 2 } })(3)',
  'new (class { static get name() { throw 1 } })()',
  'class { static [Symbol.hasInstance]() { throw 1 } }',
  'Object.defineProperty(function f() {}, "name", { get() { throw 1 } })',
  'Object.defineProperty(() => 1, "toString", { value() { throw 1 } })',
  'new Uint8Array(100_000)',
  'new DataView(new ArrayBuffer(8))',
  'new WeakMap()',
  'Promise.resolve(1)',
  'tools',
  'codemode',
  'tools.nothing.at.all',
  'globalThis',
  'Symbol.iterator',
  '(function* () { throw 1 })()',
];

const expression = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
    {
      weight: 2,
      arbitrary: fc
        .oneof(fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null))
        .map((plain) => (Object.is(plain, -0) ? '-0' : (JSON.stringify(plain) ?? 'undefined'))),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('undefined', 'NaN', '-Infinity', '10n', '/x/g', '() => 1', '"%s %d %i %f %o %O %j %c %% %"'),
    },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.tuple(fc.string({ maxLength: 5 }), tie('value')), { maxLength: 3 })
        .map((entries) => `({ ${entries.map(([key, item]) => `[${JSON.stringify(key)}]: ${item}`).join(', ')} })`),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.tuple(tie('value'), tie('value')), { maxLength: 2 })
        .map((entries) => `new Map([${entries.map(([key, item]) => `[${key}, ${item}]`).join(', ')}])`),
    },
  ),
})).value;

const METHODS = [
  'log',
  'debug',
  'info',
  'warn',
  'error',
  'dir',
  'table',
  'group',
  'groupCollapsed',
  'groupEnd',
  'assert',
  'count',
  'countReset',
  'time',
  'timeLog',
  'timeEnd',
  'trace',
];
const line = fc
  .tuple(fc.constantFrom(...METHODS), fc.array(expression, { maxLength: 4 }))
  .map(([method, args]): Line => [method, ...args]);

/** A method of `console` and the sources of its arguments. */
type Line = readonly [method: string, ...args: string[]];

/** Runs each line by itself and says which of them threw. The arguments are made outside of the attempt. */
async function thrownBy(lines: readonly Line[], before = ''): Promise<unknown> {
  const attempts = lines.map((line, i) => {
    const [method, ...args] = line;
    return `{ const args${i} = [${args.join(', ')}]; attempt(${JSON.stringify(line.join(' '))}, () => apply(write.${method}, write, args${i})) }`;
  });
  const code = `
    const thrown = [], write = { ...console }, { apply } = Reflect;
    const attempt = (source, run) => { try { run() } catch (e) { thrown[thrown.length] = source } };
    ${before}
    ${attempts.join('\n')}
    console.log('alive');
    return thrown`;
  const { value, reply, lines: written } = await drive(sandbox, code, { echo: (input) => input });
  if (reply.status === 'failed') return reply.error;
  const truncated = reply.warnings.some(({ code: each }) => each === 'output_truncated');
  return truncated || written.at(-1)?.trimStart() === 'alive' ? value : written.slice(-3);
}

test('each hostile value alone, by each method', async () => {
  for (const value of HOSTILE) expect(await thrownBy(METHODS.map((method): Line => [method, value])), value).toEqual([]);
});

test('each hostile value under each directive of a format', async () => {
  for (const value of HOSTILE) {
    const statements = ['s', 'd', 'i', 'f', 'o', 'O', 'j', 'c'].map((letter): Line => ['log', `'a %${letter} b'`, value]);
    expect(await thrownBy(statements), value).toEqual([]);
  }
});

test('any mixture of values, methods and formats', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (statements) => {
      expect(await thrownBy(statements)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

/** What a program may break of the language before it writes its first line. */
const VANDALS = [
  'Array.prototype.map = Array.prototype.join = Array.prototype.push = Array.prototype.slice = () => { throw 1 };',
  'String.prototype.replaceAll = String.prototype.padEnd = String.prototype.slice = () => { throw 1 };',
  'Object.keys = Object.entries = Object.getOwnPropertyDescriptor = Object.getPrototypeOf = () => { throw 1 };',
  'JSON.stringify = () => { throw 1 }; Number.isNaN = () => { throw 1 };',
  'Array.prototype[Symbol.iterator] = Map.prototype[Symbol.iterator] = () => { throw 1 };',
  'Object.defineProperty(Object.prototype, "0", { set() { throw 1 }, get() { throw 2 }, configurable: true });',
  'Object.defineProperty(Array.prototype, "0", { set() { throw 1 }, configurable: true });',
  'Map = Set = WeakMap = Error = String = Object = Symbol = Math = undefined;',
  'Date.now = performance.now = () => { throw 1 }; globalThis.console2 = console; Object.freeze(console);',
];

test('after a program has broken the language', async () => {
  const values = [
    '{ a: [1, { b: "c" }] }',
    'new Uint8Array(2)',
    '"%s %o", 1, { a: 1 }',
    '[{ a: 1 }, { a: 2 }]',
    'null',
    '1n',
    '() => 1',
  ];
  const statements = values.flatMap((value) => ['log', 'table', 'error'].map((method): Line => [method, value]));
  for (const vandal of VANDALS) expect(await thrownBy(statements, vandal), vandal).toEqual([]);
});

test('a cause is shown once, and a chain of them has an end', async () => {
  const { lines: written } = await drive(
    sandbox,
    `const e = new Error('loop'); e.cause = e; console.log(e);
    let chain = new Error('0'); for (let i = 1; i < 1000; i++) chain = new Error(String(i), { cause: chain }); console.log(chain);`,
  );
  expect(written[0]).toMatch(/^Error: loop\n.*\n {2}\[cause\]: \[Circular\]$/);
  expect(written[1]!.match(/\[cause\]/g)).toHaveLength(6);
  expect(written[1]).toMatch(/\[cause\]: …$/);
});
