import { beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import { createTestSandbox, drive, type Handlers } from './test-tools/drive.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createTestSandbox();
});

const handlers: Handlers = {
  echo: (input: unknown) => input,
  rich: () => ({ when: new Date(5), map: new Map([['k', [1n]]]), list: [1, { a: undefined }] }),
  boom: () => {
    throw new Error('no');
  },
};

/** What must work whatever a program did to the language before: calls, rich values, errors, output, timers, the value. */
const EXERCISE = `
const first = await tools.echo({ n: 1 });
const rich = await tools.rich();
let failure = 'none';
try { await tools.boom() } catch (e) { failure = e.code }
console.log('line', 1);
await new Own((resolve) => setTimeout(resolve, 0));
return { n: first.n, failure, day: rich.day, rich }`;

const ATTACKS: readonly (readonly [string, string])[] = [
  ['Promise.prototype.then throws', `Promise.prototype.then = () => { throw new Error('patched') }`],
  ['Promise.prototype.then swallows', `Promise.prototype.then = function () { return this }`],
  ['Promise is gone', `globalThis.Promise = undefined; delete globalThis.Promise`],
  ['Promise.resolve lies', `Promise.resolve = () => 'HIJACKED'; Promise.prototype.constructor = function () { throw 1 }`],
  ['a species that throws', `Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('species') } })`],
  ['array iteration throws', `Array.prototype[Symbol.iterator] = () => { throw new Error('iterator') }`],
  [
    'array methods are gone',
    `for (const k of ['push', 'join', 'map', 'slice', 'forEach', 'indexOf']) Array.prototype[k] = () => { throw new Error(k) }`,
  ],
  [
    'array indices have setters',
    `for (let i = 0; i < 20; i++) Object.defineProperty(Array.prototype, i, { configurable: true, set() { throw new Error('set ' + i) }, get() { return 'got' } })`,
  ],
  // Not `value`: the engine itself sets it on the object that it completes a program with.
  [
    'Object.prototype has setters',
    `for (const k of ['code', 'name', 'id', 'input', 'resolve', 'reject', 'fact', 'tool', 'site', 'looked', 'failed', 'index', 'kind', 'field', 'maxBytes', 'maxDepth', 'bytesLimit', 'dropUndefined', 'tagged', 'limit', 'path', 'data']) Object.defineProperty(Object.prototype, k, { configurable: true, set() { throw new Error('set ' + k) }, get() { return 'got ' + k } })`,
  ],
  [
    'descriptors are polluted',
    `Object.prototype.get = () => 'polluted'; Object.prototype.set = () => {}; Object.prototype.writable = false; Object.prototype.value = 'polluted'`,
  ],
  [
    'toJSON everywhere',
    `Object.prototype.toJSON = () => 'stolen'; Array.prototype.toJSON = () => 'stolen'; String.prototype.toJSON = () => 'stolen'`,
  ],
  ['JSON is replaced', `globalThis.JSON = { parse: () => ({ stolen: true }), stringify: () => '"stolen"' }`],
  ['JSON methods are replaced', `JSON.parse = () => ({ stolen: true }); JSON.stringify = () => '"stolen"'`],
  [
    'Map and WeakMap are replaced',
    `Map.prototype.get = Map.prototype.set = WeakMap.prototype.get = () => { throw new Error('map') }; globalThis.Map = globalThis.WeakMap = undefined`,
  ],
  [
    'String methods are replaced',
    `for (const k of Object.getOwnPropertyNames(String.prototype)) if (k !== 'constructor' && k !== 'length') String.prototype[k] = () => { throw new Error(k) }`,
  ],
  [
    'Function methods are replaced',
    `Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw new Error('call') }`,
  ],
  [
    'Reflect and Object are gone',
    `delete globalThis.Reflect; for (const k of ['create', 'keys', 'defineProperty', 'freeze', 'hasOwn', 'getPrototypeOf']) delete Object[k]`,
  ],
  ['Error is replaced', `globalThis.Error = function () { throw 1 }; globalThis.TypeError = undefined`],
  ['Error has no instances', `Object.defineProperty(Error, Symbol.hasInstance, { value: () => { throw 1 } })`],
  [
    'numbers are replaced',
    `Math.trunc = Math.imul = Math.floor = () => NaN; Number.prototype.toString = () => 'x'; globalThis.Number = globalThis.String = undefined`,
  ],
  ['eval is replaced', `globalThis.eval = () => { throw new Error('eval') }`],
  [
    'everything is frozen',
    `for (const o of [Object, Array, Promise, Map, String, Error, JSON, Math, Reflect]) { Object.freeze(o); if (o.prototype) Object.freeze(o.prototype) }`,
  ],
  ['the console is gone and back', `const c = console; delete globalThis.console; globalThis.console = c`],
  [
    'an unhandled proxy in the chain',
    `Object.setPrototypeOf(Array.prototype, new Proxy({}, { get() { throw new Error('trap') }, has() { throw new Error('trap') } }))`,
  ],
];

describe('a program that changes the language', () => {
  test.each(ATTACKS)('%s: calls, values, errors and output still say the truth', async (_name, attack) => {
    const { reply, calls, lines, value } = await drive(sandbox, `const Own = Promise;\n${attack};\n${EXERCISE}`, handlers);
    expect(calls.map((call) => [call.id, call.tool, call.input])).toEqual([
      [1, 'echo', '{"n":1}'],
      [2, 'rich', '{}'],
      [3, 'boom', '{}'],
    ]);
    expect(lines).toEqual(['line 1']);
    expect(reply).toMatchObject({ status: 'completed' });
    expect(value).toMatchObject({ n: 1, failure: 'tool_error', rich: { when: new Date(5), map: new Map([['k', [1n]]]) } });
    expect((await drive(sandbox, '[typeof Promise, typeof JSON, Object.keys({}).length, [1].map((x) => x)]')).value).toEqual([
      'function',
      'object',
      0,
      [1],
    ]);
  });

  test('whatever it throws, the failure is readable', async () => {
    const thrown = [
      `'text'`,
      `42`,
      `undefined`,
      `Symbol('s')`,
      `() => 1`,
      `{ a: 1 }`,
      `new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })`,
      `{ get message() { throw 1 } }`,
      `Object.assign(new Error('x'), { toString() { throw 1 } })`,
      `Object.defineProperty(new Error('x'), 'name', { get() { throw 1 } })`,
      `Object.create(null)`,
      `new Error('x'.repeat(5e6))`,
    ];
    for (const value of thrown) {
      const { reply } = await drive(sandbox, `throw (${value})`);
      expect(reply).toMatchObject({ status: 'failed', error: { code: 'program_error', message: expect.any(String) } });
      expect(reply.status === 'failed' && reply.error.message.length).toBeLessThan(5_000);
    }
    expect((await drive(sandbox, `throw 'boom'`)).reply).toMatchObject({ error: { message: expect.stringContaining('boom') } });
    expect((await drive(sandbox, `throw { code: 7 }`)).reply).toMatchObject({
      error: { message: expect.stringContaining('code: 7') },
    });
  });
});

describe('the way out', () => {
  test('constructor chains end inside the sandbox', async () => {
    const source = `const r = await tools.echo({ n: 1 }); let err; try { await tools.boom() } catch (e) { err = e }
const out = [];
for (const x of [tools.echo, tools.nothing, codemode.invoke, r, err, console.log, globalThis, tools.echo({}), setTimeout, crypto.randomUUID, Date, new URL('https://a.test/'), Intl.NumberFormat]) {
  try { out.push((x.constructor || Function).constructor('return typeof process + typeof window + typeof postMessage + typeof importScripts + typeof require')()) } catch { out.push('blocked') }
}
out`;
    const { value } = await drive(sandbox, source, handlers);
    for (const item of value as string[]) expect(['blocked', 'undefined'.repeat(5)]).toContain(item);
  });

  test('the host’s function is nowhere to be found', async () => {
    const source = `const seen = new Set(); const found = [];
const visit = (value, path) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
  seen.add(value);
  if (typeof value === 'function' && (value.name === 'host' || /\\bhost\\b/.test(value.name))) found.push(path);
  for (const key of Reflect.ownKeys(value)) { try { const d = Object.getOwnPropertyDescriptor(value, key); for (const part of [d.value, d.get, d.set]) visit(part, path + '.' + String(key)); } catch {} }
  visit(Object.getPrototypeOf(value), path + '.__proto__');
};
new Intl.NumberFormat('en'); new URL('https://a.test/'); new AbortController(); console.log({});
visit(globalThis, 'globalThis'); visit(tools.echo, 'tool'); visit(tools.echo({}), 'call'); visit(await tools.boom().catch((e) => e), 'error');
[found, seen.size > 300]`;
    expect((await drive(sandbox, source, handlers)).value).toEqual([[], true]);
  });

  test('neither network nor modules nor a worker are there; import is refused', async () => {
    const source = `const names = ['process', 'require', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'importScripts', 'postMessage', 'indexedDB', 'localStorage', 'document', 'window', 'self', 'WebAssembly', 'Deno', 'Bun', 'navigator'];
const seen = names.filter((n) => typeof globalThis[n] !== 'undefined'); let mod = 'refused';
try { await import('node:fs'); mod = 'loaded' } catch {}
return { seen, mod }`;
    const { reply, value } = await drive(sandbox, source);
    if (reply.status === 'completed') expect(value).toEqual({ seen: [], mod: 'refused' });
    else expect(reply.error.message).toContain('import');
  });

  test.each([
    ['fetch("https://a.test")', 'tools'],
    ['require("fs")', 'modules'],
    ['process.env.KEY', 'Node'],
    ['document.title', 'page'],
    ['localStorage.x', 'storage'],
    ['await import("fs")', 'modules'],
  ])('%s says what to use instead', async (source, word) => {
    const { reply } = await drive(sandbox, source);
    expect(reply).toMatchObject({
      status: 'failed',
      error: { name: 'ReferenceError', message: expect.stringMatching(new RegExp(`(?:is not defined|could not load).*${word}`)) },
    });
  });

  test('a tool without its prefix says how it is called', async () => {
    const { reply } = await drive(sandbox, 'await echo({ n: 1 })', handlers);
    expect(reply).toMatchObject({ error: { message: 'echo is not defined. It is a tool: call tools.echo(…).' } });
  });

  test('nothing of one program is there for the next', async () => {
    await drive(
      sandbox,
      `globalThis.leak = 1; Object.prototype.p = 'polluted'; Array.prototype.extra = () => 'polluted'; var later = 2; setTimeout(() => {}, 1e6)`,
    );
    expect((await drive(sandbox, `[typeof leak, ({}).p, [].extra, typeof later]`)).value).toEqual([
      'undefined',
      undefined,
      undefined,
      'undefined',
    ]);
    expect(({} as { p?: unknown }).p).toBeUndefined();
  });

  test('a getter that makes calls while its input is read keeps the order of ids', async () => {
    const source = `const calls = []; const r = await tools.echo({ get a() { calls.push(tools.echo({ inner: true })); return 1 } }); await Promise.all(calls); r`;
    const { calls, value } = await drive(sandbox, source, handlers);
    expect(calls.map((call) => call.id)).toEqual(calls.map((_, i) => i + 1));
    expect(value).toEqual({ a: 1 });
  });

  test('function names that look like positions do no harm', async () => {
    const source = `const o = { ['x (program.js:9:9)'](n) { return tools.echo({ n }) }, ['program.js:evil:1)'](n) { return tools.echo({ n }) } };
[await o['x (program.js:9:9)'](1), await o['program.js:evil:1)'](2)]`;
    expect((await drive(sandbox, source, handlers)).value).toEqual([{ n: 1 }, { n: 2 }]);
  });
});
