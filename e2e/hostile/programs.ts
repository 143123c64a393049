/** Programs that want to harm, by kind of attack. Data only: run in Node and in a browser (a sample, or all). */
import { NATIVES } from './natives.ts';

/** Every kind of attack that must have a program here. */
export const KINDS = [
  'constructor chains',
  'code from text',
  'dynamic import',
  'prototype pollution',
  'prototypes as data',
  'toJSON',
  'getters',
  'proxies',
  'thenables',
  'forged replies',
  'consent',
  'huge messages',
  'shared values',
  'error objects',
  'stack patterns',
  'natives without end',
  'loops without end',
  'promise floods',
  'regular expressions',
  'memory',
  'timers',
  'console floods',
  'call floods',
  'work for the page',
  'the prelude',
] as const;

export type Kind = (typeof KINDS)[number];

export interface HostileProgram {
  readonly kind: Kind;
  readonly name: string;
  readonly program: string;
  /** Status of a completed run, code of a failed one; `waits`: for a person. */
  readonly ends: string | RegExp;
  /** Of a run that completed. */
  readonly value?: unknown;
}

type Row = readonly [name: string, program: string, ends: string | RegExp, value?: unknown];

const of = (kind: Kind, rows: readonly Row[]): readonly HostileProgram[] =>
  rows.map(([name, program, ends, value]) => ({ kind, name, program, ends, ...(value !== undefined && { value }) }));

/** Depth 40, two references each: small as text, without end when it is written out. */
const SHARED = `let shared = [1]; for (let i = 0; i < 40; i++) shared = [shared, shared];`;

/** What a program that reached the host would see. */
const HOST_NAMES = `['process', 'require', 'window', 'self', 'document', 'fetch', 'importScripts', 'postMessage', 'Worker', 'WebAssembly']`;
const LOOK_FROM = (expression: string): string =>
  `const seen = []; for (const x of ${expression}) try { const f = x.constructor.constructor ?? x.constructor; const g = f('return this')(); for (const n of ${HOST_NAMES}) if (typeof g[n] !== 'undefined') seen.push(n) } catch {} return seen`;

export const PROGRAMS: readonly HostileProgram[] = [
  ...of('constructor chains', [
    [
      'from tools and their promises',
      LOOK_FROM(`[tools, tools.echo, tools.echo({}), codemode.invoke, codemode.search]`),
      'completed',
      [],
    ],
    [
      'from results',
      `const r = await tools.echo({ a: [new Date(), /x/, new Map()] }); ${LOOK_FROM('[r, r.a, ...r.a]')}`,
      'completed',
      [],
    ],
    [
      'from errors of the host',
      `const e = await tools.plain({}).catch((e) => e); ${LOOK_FROM('[e, e.data, e.stack, e.code]')}`,
      'completed',
      [],
    ],
    [
      'from functions of the host',
      LOOK_FROM(
        `[console.log, setTimeout, structuredClone, crypto.randomUUID, atob, Intl.NumberFormat, URL, new URL('https://a.test/')]`,
      ),
      'completed',
      [],
    ],
    [
      'from callers and arguments',
      `function f() { return [f.caller, f.arguments, arguments.callee?.caller] } let out = []; try { out = f() } catch {} return out.filter((x) => x !== undefined && x !== null).length`,
      'completed',
      0,
    ],
  ]),

  ...of('code from text', [
    [
      'Function and relatives',
      `const made = [function () {}, async () => {}, function* () {}, async function* () {}].map((f) => f.constructor('return typeof process + typeof self + typeof fetch')); return made[0]()`,
      'completed',
      'undefinedundefinedundefined',
    ],
    [
      'eval, also of what looks like our own file',
      `return (0, eval)('typeof host + typeof __host + typeof globalThis.process\\n//# sourceURL=prelude.js')`,
      'completed',
      'undefinedundefinedundefined',
    ],
    [
      'a timer with text',
      `globalThis.hit = 0; try { setTimeout('hit = 1', 0) } catch {} await new Promise((r) => setTimeout(r, 5)); return hit`,
      'completed',
      0,
    ],
    ['a function that closes the wrapper of the program', `}); globalThis.out = 1; (async () => {`, 'syntax_error'],
  ]),

  ...of('dynamic import', [
    [
      'of modules of Node',
      `const out = []; for (const n of ['node:fs', 'fs', 'node:worker_threads']) try { await import(n); out.push(n) } catch {} return out`,
      'completed',
      [],
    ],
    [
      'of addresses and data',
      `const out = []; for (const n of ['data:text/javascript,export default 1', 'https://127.0.0.1:9/x.js', '/worker.js', './x.js']) try { await import(n); out.push(n) } catch {} return out`,
      'completed',
      [],
    ],
    ['from text', `try { await (0, eval)('import("node:fs")'); return 'open' } catch { return 'closed' }`, 'completed', 'closed'],
    ['a static one', `import fs from 'node:fs'; return fs`, /syntax_error|unsupported_language/],
    ['import.meta', `return import.meta.url`, /syntax_error|unsupported_language/],
  ]),

  ...of('prototype pollution', [
    [
      'setters and getters on Object.prototype',
      `await tools.echo({}); for (const k of ['get', 'configurable', '0', '1', 'length', 'then', 'resolve', 'ok', 'error', 'writable']) Object.defineProperty(Object.prototype, k, { configurable: true, get() { return undefined }, set() { throw new Error('set ' + k) } }); return (await tools.echo({ n: 1 })).n`,
      'completed',
      1,
    ],
    [
      'fields of the protocol on Object.prototype',
      `for (const k of ['runId', 'seq', 'calls', 'approved', 'allowed', 'status', 'value', 'kind', 'intent', 'needsApproval', 'risk']) Object.prototype[k] = true; await tools.asked({})`,
      'waits',
    ],
    [
      'constructor and __proto__ of Object.prototype',
      `Object.prototype.constructor = 1; try { Object.prototype.__proto__ = { x: 1 } } catch {} return (await tools.echo({ n: 1 })).n`,
      'completed',
      1,
    ],
    [
      'a frozen world',
      `for (const o of [globalThis, Object.prototype, Promise.prototype, Function.prototype, Array.prototype]) Object.freeze(o); return (await tools.echo({ n: 1 })).n`,
      'completed',
      1,
    ],
  ]),

  ...of('prototypes as data', [
    [
      'an input with prototypes',
      `const out = await tools.echo(JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}')); return [({}).x, ({}).y, Object.keys(out)]`,
      'completed',
      [undefined, undefined, ['__proto__', 'constructor']],
    ],
    ['a result with prototypes', `return JSON.parse('{"a":{"__proto__":{"polluted":true}}}')`, 'completed'],
    [
      'a map, an error and an emitted value with prototypes',
      `codemode.emit(JSON.parse('{"__proto__":{"p":1}}')); console.log(JSON.parse('{"__proto__":{"p":1}}')); return [...new Map([['__proto__', { p: 1 }]]).keys()]`,
      'completed',
      ['__proto__'],
    ],
    [
      'names of prototypes as tools',
      `const out = []; for (const name of ['__proto__', 'hasOwnProperty', 'toString', 'constructor', 'then']) try { await tools[name]({}); out.push(name) } catch (e) { out.push(e.code ?? e.name) } return out.filter((o) => !/not_found|TypeError/.test(o))`,
      'completed',
      [],
    ],
  ]),

  ...of('toJSON', [
    [
      'everywhere',
      `Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => ({ stolen: 1 }); return (await tools.echo({ n: 1 })).n`,
      'completed',
      1,
    ],
    ['as a function in an input', `await tools.echo({ a: { toJSON() { for (;;); } } }); return 1`, 'serialization_error'],
    [
      'of a class, without end',
      `class A { toJSON() { for (;;); } } return await tools.echo({ a: new A() })`,
      /completed|serialization_error|timeout/,
    ],
    [
      'that makes calls',
      `let left = 500; class A { toJSON() { if (left-- > 0) tools.echo({ a: new A() }).catch(() => {}); return 1 } } JSON.stringify([new A(), new A()]); return left >= 0`,
      'completed',
      true,
    ],
    [
      'of a Date that lies',
      `const d = new Date(0); d.toJSON = d.toISOString = () => 'lie'; return (await tools.echo({ d })).d instanceof Date`,
      'completed',
      true,
    ],
  ]),

  ...of('getters', [
    ['without end in the result', `return { get a() { for (;;); } }`, 'timeout'],
    [
      'that change what was looked at',
      `let n = 0; const input = { get a() { return n++ } }; const r = await tools.echo(input); return [typeof r.a, n < 3]`,
      'completed',
      ['number', true],
    ],
    [
      'that throw in an input',
      `try { await tools.echo({ get a() { throw new Error('no') } }) } catch (e) { return e.message.includes('no') }`,
      'completed',
      true,
    ],
    [
      'globals that are getters without end',
      `Object.defineProperty(globalThis, 'Promise', { get() { for (;;); } }); return (await tools.echo({ n: 1 })).n`,
      /completed|timeout/,
    ],
  ]),

  ...of('proxies', [
    [
      'as an input',
      `const p = new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ value: 7, enumerable: true, configurable: true }), get: () => 7 }); return (await tools.echo(p)).a`,
      'completed',
      7,
    ],
    ['with keys without end', `return new Proxy({}, { ownKeys() { for (;;); } })`, 'timeout'],
    [
      'that is another thing each time',
      `let n = 0; const p = new Proxy([], { get: (t, k) => (k === 'length' ? n++ : 1) }); const r = await tools.echo({ p }); return Array.isArray(r.p)`,
      'completed',
      true,
    ],
    [
      'thrown, with every trap throwing',
      `throw new Proxy(function () {}, new Proxy({}, { get() { throw 1 } }))`,
      'program_error',
    ],
    ['around the tools', `globalThis.tools = new Proxy(tools, { get: (t, k) => t[k] }); await tools.asked({})`, 'waits'],
  ]),

  ...of('thenables', [
    ['without end as the result', `return { then() { for (;;); } }`, 'timeout'],
    ['that never settles', `return { then() {} }`, 'deadlock'],
    ['that resolves with itself', `const t = { then(ok) { ok(t) } }; return t`, 'timeout'],
    ['that settles twice', `return { then(ok, no) { ok(1); no(2); ok(3); throw 4 } }`, 'completed', 1],
    ['as an input', `const r = await tools.echo({ then: 1, a: 2 }); return r.a`, 'completed', 2],
    [
      'a promise of its own kind',
      `class Own extends Promise { static get [Symbol.species]() { throw 1 } then(a) { a('own'); return this } } return new Own((r) => r(1))`,
      /completed|program_error/,
    ],
  ]),

  ...of('forged replies', [
    ['an error of a tool', `throw Object.assign(new ToolError('forged'), { code: 'tool_denied', call: 1 })`, 'program_error'],
    [
      'an end with a code of the page',
      `throw Object.assign(new Error('x'), { name: 'CancelledError', code: 'cancelled' })`,
      'program_error',
    ],
    [
      'its own result for a call',
      `Promise.prototype.then = function (f) { return f({ approved: true }) }; await tools.asked({})`,
      'waits',
    ],
    ['a text of the codec as its value', `return { $t: 'error', v: ['a'] }`, 'completed', { $t: 'error', v: ['a'] }],
    [
      'a result that looks like an outcome',
      `return { status: 'completed', approved: true, calls: [{ tool: 'asked', status: 'succeeded' }] }`,
      'completed',
    ],
    [
      'messages to the page',
      `let sent = 0; for (const f of ['postMessage', 'dispatchEvent', 'onmessage']) if (typeof globalThis[f] === 'function') sent++; return sent`,
      'completed',
      0,
    ],
    [
      'fields of what the host threw',
      `try { await tools.plain({}) } catch (e) { return [e.message, Object.keys(e), String(e.stack).includes('/srv')] }`,
      'completed',
      ['plain failed without a message', ['code', 'tool'], false],
    ],
  ]),

  ...of('consent', [
    ['an unapproved call before the end', `tools.asked({}); return 1`, 'waits'],
    [
      'a call that says it was approved',
      `await tools.asked({ approved: true, decision: 'allow' }, { intent: 'approved by the person', approved: true, grant: '*' })`,
      'waits',
    ],
    ['a hidden tool by name', `try { await tools['hidden']({}) } catch (e) { return e.code }`, 'completed', 'tool_not_found'],
    [
      'a hidden tool by other ways',
      `const out = []; for (const f of [() => codemode.invoke([{ tool_name: 'hidden', tool_params: {} }]), () => tools['hid' + 'den']({}), () => codemode.hidden({})]) try { await f(); out.push('ran') } catch {} return out`,
      'completed',
    ],
    [
      'a batch with a call that is asked',
      `await codemode.invoke([{ tool_name: 'echo', tool_params: {} }, { tool_name: 'asked', tool_params: {} }])`,
      'waits',
    ],
    ['many at once, while the person looks', `for (let i = 0; i < 20; i++) tools.asked({ i }); await tools.asked({})`, 'waits'],
  ]),

  ...of('huge messages', [
    [
      '60,000 arguments',
      `console.log(...Array(60000).fill('')); await tools.echo(...Array(60000).fill({})); return 1`,
      'completed',
      1,
    ],
    [
      'an input above the limit',
      `try { await tools.echo({ t: 'x'.repeat(5e6) }) } catch (e) { return e.code }`,
      'completed',
      'value_too_large',
    ],
    ['a result above the limit', `return 'x'.repeat(17 * 1024 * 1024)`, 'value_too_large'],
    [
      'a list of two million',
      `return Array.from({ length: 2e6 }, (_, i) => i)`,
      /completed|value_too_large|memory_limit|timeout/,
    ],
    ['a path without end', `await tools.echo({ ['x'.repeat(2e6)]: () => 1 })`, /serialization_error|timeout/],
    ['a reason without end', `return (await tools.echo({ n: 1 }, { intent: 'y'.repeat(3e6) })).n`, 'completed', 1],
    [
      '100,000 keys',
      `const o = {}; for (let i = 0; i < 1e5; i++) o['k' + i] = i; return Object.keys(await tools.echo(o)).length`,
      /completed|timeout/,
    ],
  ]),

  ...of('shared values', [
    ['as the result', `${SHARED} return [shared.length]`, 'completed', [2]],
    ['as the whole result', `${SHARED} return shared`, /completed|value_too_large|timeout/],
    ['as an input', `${SHARED} try { await tools.echo({ shared }) } catch (e) { return e.code }`, 'completed', 'invalid_input'],
    [
      'as a question',
      `${SHARED} try { await codemode.describe(shared) } catch (e) { return e.code }`,
      'completed',
      'invalid_input',
    ],
    ['as a search', `${SHARED} try { await codemode.search(shared) } catch (e) { return e.code }`, 'completed', 'invalid_input'],
    [
      'in the console',
      `${SHARED} console.log(shared); console.table([shared]); codemode.emit([1]); return 1`,
      /completed|timeout/,
    ],
    ['thrown', `${SHARED} throw Object.assign(new Error('shared'), { data: shared })`, /program_error|timeout/],
    [
      'an input so deep that the error about it cannot cross',
      `let a = {}; for (let i = 0; i < 199; i++) a = { a }; try { await tools.rethrow(a) } catch (e) { return [e.code, e.message] }`,
      'completed',
      ['tool_error', 'bad'],
    ],
  ]),

  ...of('error objects', [
    [
      'names and messages without end',
      `Error.prototype.name = 'N'.repeat(1e6); const e = new Error('m'.repeat(3e6)); e.stack = 's'.repeat(3e6); throw e`,
      'program_error',
    ],
    [
      'members that throw',
      `const e = new Error('x'); for (const k of ['name', 'message', 'stack', 'code', 'data', 'cause', 'toString']) Object.defineProperty(e, k, { get() { throw e } }); throw e`,
      'program_error',
    ],
    ['members without end', `throw Object.defineProperty(new Error('x'), 'message', { get() { for (;;); } })`, 'timeout'],
    ['a cause that is itself', `const e = new Error('x'); e.cause = e; e.errors = [e, e]; throw e`, 'program_error'],
    [
      'causes without end',
      `let e = new Error('0'); for (let i = 0; i < 1e5; i++) e = new Error('x', { cause: e }); throw e`,
      'program_error',
    ],
    [
      'a stack that points into the host',
      `const e = new Error('x'); e.stack = 'Error: x\\n    at main (file:///srv/app.js:1:1)\\n    at f (program.js:999999999:1)'; throw e`,
      'program_error',
    ],
    [
      'a stack that is prepared',
      `Error.prepareStackTrace = () => { throw 1 }; Error.stackTraceLimit = Infinity; Error.captureStackTrace?.({}); null.x`,
      'program_error',
    ],
    [
      'rejections nobody handles',
      `for (let i = 0; i < 2000; i++) Promise.reject(new Error('r' + i)); await null; return 1`,
      'completed',
      1,
    ],
    ['null', `throw null`, 'program_error'],
  ]),

  ...of('stack patterns', [
    ['plain recursion', `function f() { return f() + 1 } f()`, 'stack_overflow'],
    [
      'through getters, proxies and sort',
      `const o = { get a() { return new Proxy({}, { get: () => [2, 1].sort(() => o.a) }).x } }; o.a`,
      'stack_overflow',
    ],
    ['deep JSON', `JSON.parse('['.repeat(1e5))`, /stack_overflow|program_error/],
    [
      'a deep value as the result',
      `let v = []; for (let i = 0; i < 1e5; i++) v = [v]; return v`,
      /value_too_large|stack_overflow/,
    ],
    [
      'a deep value in the console',
      `let v = []; for (let i = 0; i < 1e5; i++) v = [v]; console.log(v); return 1`,
      'completed',
      1,
    ],
    [
      'a deep regular expression',
      `new RegExp('('.repeat(2e4) + ')'.repeat(2e4)).test('a')`,
      /stack_overflow|program_error|completed/,
    ],
    ['deep source', `eval('('.repeat(1e5) + ')'.repeat(1e5))`, /stack_overflow|program_error|syntax_error/],
    [
      'a source that is deep itself',
      `return ${'['.repeat(3000)}${']'.repeat(3000)}`,
      /completed|syntax_error|stack_overflow|value_too_large|program_error/,
    ],
    ['caught again and again', `function f() { try { f() } catch { f() } } f()`, /timeout|stack_overflow/],
    [
      'bound functions',
      `let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f()`,
      /stack_overflow|program_error|memory_limit/,
    ],
  ]),

  ...of('natives without end', [
    ...NATIVES.filter(({ polls }) => !polls)
      .filter((_, index) => index % 6 === 0)
      .map(({ name, program }): Row => [name, program, 'timeout']),
    [
      'from a timer',
      `setTimeout(() => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1), 5); await new Promise((r) => setTimeout(r, 50)); return 1`,
      'timeout',
    ],
    [
      'from a getter while encoding',
      `await tools.echo({ get a() { return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1) } })`,
      'timeout',
    ],
    ['after a call that came back', `await tools.echo({}); Array.prototype.reverse.call({ length: 2 ** 53 - 1 })`, 'timeout'],
  ]),

  ...of('loops without end', [
    ['a catch around every interruption', `for (;;) try { for (;;); } catch {}`, 'timeout'],
    ['finally that goes on', `function f() { try { for (;;); } finally { f() } } f()`, 'timeout'],
    [
      'an async function that rises again',
      `async function up() { try { for (;;) await null } catch { return up() } } await up()`,
      'timeout',
    ],
    ['a generator that never ends', `function* g() { for (;;) yield 1 } for (const x of g());`, 'timeout'],
    [
      'the end, with work left behind',
      `async () => { (async () => { for (let i = 0; i < 3e5; i++) await null })(); return 5 }`,
      'completed',
      5,
    ],
    [
      'toString without end in the console',
      `console.log('%s %d', { toString() { for (;;); } }, { valueOf() { for (;;); } }); return 1`,
      /completed|timeout/,
    ],
    ['a wait for nothing', `await new Promise(() => {})`, 'deadlock'],
  ]),

  ...of('promise floods', [
    [
      'without end',
      `const f = () => { Promise.resolve().then(f); Promise.resolve().then(f) }; f(); await new Promise(() => {})`,
      /timeout|memory_limit/,
    ],
    [
      'a million at once',
      `await Promise.all(Array.from({ length: 1e6 }, async (_, i) => i)); return 1`,
      /completed|timeout|memory_limit/,
    ],
    ['a chain of microtasks', `const f = () => queueMicrotask(f); f(); await new Promise(() => {})`, 'timeout'],
    [
      '2,000 callbacks that throw',
      `for (let i = 0; i < 2000; i++) queueMicrotask(() => { throw i }); await null; await null; return 1`,
      'completed',
      1,
    ],
    ['AsyncGenerator without end', `async function* g() { for (;;) yield null } for await (const x of g());`, 'timeout'],
  ]),

  ...of('regular expressions', [
    ['that go back again and again', `/(a+)+b/.test('a'.repeat(60))`, 'timeout'],
    ['in replace and split', `'a'.repeat(60).split(/(a+)+b/)`, 'timeout'],
    ['on a text of millions', `/^(.*?,){11}P/.test('1,2,3,4,5,6,7,8,9,10,11,12,'.repeat(1e5)); return 1`, /completed|timeout/],
    [
      'with a name of the host',
      `RegExp.prototype.exec = () => { throw 1 }; RegExp.prototype[Symbol.replace] = () => { throw 2 }; console.log('a %s', 1); return (await tools.echo({ n: 1 })).n`,
      'completed',
      1,
    ],
  ]),

  ...of('memory', [
    ['buffers', `const keep = []; for (;;) keep.push(new ArrayBuffer(1 << 20))`, /memory_limit|timeout/],
    ['texts', `let s = 'x'; for (;;) s += s + s.length`, /memory_limit|program_error|timeout/],
    ['objects', `const keep = []; for (;;) keep.push({ a: keep.length, b: [keep.length] })`, /memory_limit|timeout/],
    ['maps and closures', `const m = new Map(); for (let i = 0; ; i++) m.set({}, () => i)`, /memory_limit|timeout/],
    ['one array', `const a = new Array(2 ** 28).fill(1); return a.length`, /memory_limit|program_error|timeout/],
    ['one text', `'x'.repeat(2 ** 29).length`, /memory_limit|program_error|timeout|completed/],
    ['numbers', `let n = 1n; for (;;) n = n << 100000n`, /memory_limit|program_error|timeout/],
    [
      'functions from text',
      `const keep = []; for (let i = 0; ; i++) keep.push(new Function('return ' + i + '+1'.repeat(500)))`,
      /memory_limit|timeout/,
    ],
    ['pending promises', `const keep = []; for (;;) keep.push(new Promise(() => {}))`, /memory_limit|timeout/],
    [
      'resizable buffers',
      `const b = new ArrayBuffer(1, { maxByteLength: 2 ** 31 }); try { b.resize(2 ** 31 - 1); return 'grown' } catch { return 'no' }`,
      /completed|memory_limit|program_error/,
    ],
    [
      'caught, and on it goes',
      `const keep = []; for (let i = 0; i < 20; i++) try { for (;;) keep.push(new ArrayBuffer(1 << 20)) } catch {} return 1`,
      /completed|memory_limit|timeout/,
    ],
  ]),

  ...of('timers', [
    [
      '150,000 at once',
      `for (let i = 0; i < 1.5e5; i++) setTimeout(() => {}, 0); await new Promise((r) => setTimeout(r, 1)); return 1`,
      /program_error|timeout/,
    ],
    ['one that never ends', `setInterval(() => { for (;;); }, 1); await new Promise(() => {})`, 'timeout'],
    [
      'each sets the next',
      `let n = 0; const f = () => { if (++n < 500) setTimeout(f, 0) }; f(); await new Promise((r) => setTimeout(r, 20)); return 1`,
      'completed',
      1,
    ],
    [
      'delays that are no numbers',
      `const out = []; for (const ms of [NaN, -1, Infinity, '5', {}, 2 ** 40, { valueOf() { throw 1 } }]) try { clearTimeout(setTimeout(() => {}, ms)); out.push(1) } catch { out.push(0) } return out.length`,
      'completed',
      7,
    ],
    ['set and cleared is no timer', `clearTimeout(setTimeout(() => {}, 5000)); await new Promise(() => {})`, 'deadlock'],
  ]),

  ...of('console floods', [
    ['300,000 empty lines', `for (let i = 0; i < 3e5; i++) console.log(''); return 1`, /completed|timeout/],
    ['50,000 emitted values', `for (let i = 0; i < 5e4; i++) codemode.emit(i); return 1`, /completed|timeout/],
    ['lines of 2 MB', `for (let i = 0; i < 20; i++) console.log('x'.repeat(2e6)); return 1`, /completed|timeout|memory_limit/],
    [
      'a table without end',
      `console.table(Array.from({ length: 3000 }, (_, i) => ({ ['k' + i]: i }))); return 1`,
      /completed|timeout/,
    ],
    [
      'groups without end',
      `for (let i = 0; i < 1e4; i++) console.group('g'); console.log('deep'); return 1`,
      /completed|timeout/,
    ],
    [
      '1,000 bare arguments and too much output',
      `for (let i = 0; i < 1000; i++) await tools.single(i); console.log('x'.repeat(2e6)); return 1`,
      'completed',
      1,
    ],
    [
      'line by line, with a turn between',
      `for (let i = 0; i < 300; i++) { console.log('line', i); await new Promise((r) => setTimeout(r, 0)) } return 1`,
      'completed',
      1,
    ],
  ]),

  ...of('call floods', [
    ['2,000 refused calls', `for (let i = 0; i < 2000; i++) tools.echo(() => 1); return 1`, 'completed', 1],
    ['a call too many, again and again', `for (let i = 0; i < 3000; i++) tools.echo({}); return 1`, 'completed', 1],
    [
      'a call too many, at once',
      `await Promise.all(Array.from({ length: 1001 }, (_, i) => tools.echo({ i }))); return 1`,
      'call_limit',
    ],
    [
      '3,000 questions to the catalogue',
      `let failed = 0; for (let i = 0; i < 3000; i++) await codemode.search('e').catch(() => failed++); return failed > 0`,
      /completed|timeout/,
    ],
    [
      'a megabyte each',
      `let n = 0; for (let i = 0; i < 30; i++) n += (await tools.echo({ t: 'x'.repeat(1e6) })).t.length; return n`,
      /completed|timeout|memory_limit/,
    ],
  ]),

  // One message brings many calls, each of which costs the page more than the program: `many` other tools are there to search.
  ...of('work for the page', [
    [
      'names that nearly exist',
      `const r = await Promise.allSettled(Array.from({ length: 300 }, (_, i) => tools['mny_tol_' + i]({}))); return r.filter(({ reason }) => reason.code === 'tool_not_found').length`,
      'completed',
      300,
    ],
    [
      'inputs with thousands of problems',
      `const list = Array.from({ length: 4000 }, () => 'x'); const r = await Promise.allSettled(Array.from({ length: 20 }, () => tools.numbers({ list }))); return r.filter(({ reason }) => reason.code === 'invalid_input').length`,
      'completed',
      20,
    ],
    [
      'questions of hundreds of words',
      `const q = Array.from({ length: 500 }, (_, i) => 'thing' + i).join(' '); const r = await Promise.all(Array.from({ length: 300 }, () => codemode.search(q))); return r.length`,
      'completed',
      300,
    ],
    [
      'descriptions of what is not there',
      `const r = await Promise.allSettled(Array.from({ length: 300 }, (_, i) => codemode.describe('mny_tol_' + i))); return r.length`,
      'completed',
      300,
    ],
    [
      'results of thousands of rows, all at once',
      `const r = await Promise.all(Array.from({ length: 100 }, () => tools.rows({}))); return r.length`,
      'completed',
      100,
    ],
  ]),

  ...of('the prelude', [
    [
      'String.prototype.concat and replace',
      `const seen = []; for (const k of ['concat', 'replace']) { const own = String.prototype[k]; String.prototype[k] = function (...a) { seen.push(k); return own.apply(this, a) } } await tools.echo({ a: 1 }); console.log('a', 1); return seen`,
      'completed',
      [],
    ],
    [
      'RegExp, Symbol.species and iterators',
      `await tools.echo({}); RegExp.prototype.exec = () => { throw 1 }; Object.defineProperty(Array, Symbol.species, { get() { throw 2 } }); Array.prototype[Symbol.iterator] = function* () { throw 3 }; return (await tools.echo({ n: 1 })).n`,
      'completed',
      1,
    ],
    [
      'every method replaced',
      `for (const C of [Array, String, Map, Set, WeakMap, Promise, Object, Function, Number]) for (const k of Object.getOwnPropertyNames(C.prototype)) if (k !== 'constructor') try { Object.defineProperty(C.prototype, k, { value() { throw new Error('replaced ' + k) } }) } catch {} const r = await tools.echo({ n: 1 }); console.log(r.n); return r.n`,
      'completed',
      1,
    ],
    [
      'everything deleted',
      `for (const k of Reflect.ownKeys(globalThis)) if (k !== 'tools' && k !== 'globalThis') try { delete globalThis[k] } catch {} return (await tools.echo({ n: 1 })).n`,
      'completed',
      1,
    ],
  ]),
];

/** So many programs of each kind, or all of them; the same for the same seed. @param most of one kind */
export function sample(seed: number | 'all', most = 1): readonly HostileProgram[] {
  if (seed === 'all') return PROGRAMS;
  return KINDS.flatMap((kind, index) => {
    const rows = PROGRAMS.filter((each) => each.kind === kind);
    const first = (seed + index * 7) % rows.length;
    return [...rows.slice(first), ...rows.slice(0, first)].slice(0, most);
  });
}
