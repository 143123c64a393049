/** Programs that take memory in every shape a language has, and runs that make the page hold much. */
import type { Limits } from '../../src/protocol/limits.ts';

export interface Shape {
  readonly name: string;
  readonly program: string;
  /** `completed`, or the codes it may end with. A program that is stopped by its time took less than it could. */
  readonly ends: RegExp;
  /** Run one after another in one session. @default 1 */
  readonly runs?: number;
  readonly limits?: Partial<Limits>;
  /** MiB of values that the page keeps: each text once, in the journal, and of a program's value the value itself. @default 0 */
  readonly kept?: number;
  /** Also in the short list of `npm test`. */
  readonly quick?: true;
}

/** A slow machine may stop it by its time first. */
const FULL = /^(memory_limit|timeout)$/;
const EITHER = /^(memory_limit|completed|timeout|stack_overflow|program_error)$/;

/** What the program itself takes. `keep` is there. */
export const SHAPES: readonly Shape[] = [
  { name: 'array buffers', program: `for (;;) keep.push(new Uint8Array(1 << 20).fill(1))`, ends: FULL, quick: true },
  { name: 'typed arrays', program: `for (;;) keep.push(new Float64Array(1000).fill(0.5))`, ends: FULL },
  {
    name: 'one buffer after another, dropped',
    program: `for (let i = 0; i < 400; i++) new Uint8Array(4 << 20).fill(1); return 1`,
    ends: EITHER,
  },
  { name: 'texts', program: `for (let i = 0; ; i++) keep.push('x'.repeat(100000) + i)`, ends: FULL },
  { name: 'wide texts', program: `for (let i = 0; ; i++) keep.push('ü'.repeat(100000) + '漢' + i)`, ends: FULL },
  { name: 'texts that double', program: `let s = 'ab'; for (;;) { s += s; keep.push(s) }`, ends: EITHER },
  {
    name: 'texts that grow (ropes)',
    program: `let s = ''; for (let i = 0; ; i++) { s += 'row ' + i + ','; if (i % 1000 === 0) keep.push(s) }`,
    ends: FULL,
  },
  { name: 'arrays', program: `for (let i = 0; ; i++) keep.push([i, i + 0.5, String(i)])`, ends: FULL },
  { name: 'one long array', program: `for (let i = 0; ; i++) keep.push(i)`, ends: FULL },
  { name: 'objects', program: `for (let i = 0; ; i++) keep.push({ id: i, name: 'n' + i, nested: { at: i } })`, ends: FULL },
  { name: 'one object of many names', program: `const o = {}; for (let i = 0; ; i++) o['name ' + i] = i`, ends: FULL },
  { name: 'Map', program: `const m = new Map(); for (let i = 0; ; i++) m.set('k' + i, [i])`, ends: FULL },
  {
    name: 'Set and WeakMap',
    program: `const s = new Set(), w = new WeakMap(); for (;;) { const o = {}; s.add(o); w.set(o, [o]) }`,
    ends: FULL,
  },
  { name: 'closures', program: `for (let i = 0; ; i++) { const a = [i, i]; keep.push(() => a) }`, ends: FULL },
  { name: 'bound functions', program: `for (let i = 0; ; i++) keep.push(function () { return i }.bind(keep, i, i))`, ends: FULL },
  {
    name: 'classes',
    program: `for (let i = 0; ; i++) keep.push(class { a = i; b() { return this.a } static c = [i] })`,
    ends: FULL,
  },
  {
    name: 'generators',
    program: `function* g(a) { const b = [a]; yield b; yield a } for (let i = 0; ; i++) { const it = g(i); it.next(); keep.push(it) }`,
    ends: FULL,
  },
  { name: 'promises', program: `for (let i = 0; ; i++) keep.push(new Promise(() => {}).then(() => i))`, ends: FULL },
  {
    name: 'async functions that wait',
    program: `const f = async (a) => { const b = [a]; await new Promise(() => {}); return b }; for (let i = 0; ; i++) keep.push(f(i))`,
    ends: FULL,
  },
  {
    name: 'jobs',
    program: `const f = () => { for (let i = 0; i < 10; i++) queueMicrotask(f) }; f(); await new Promise((r) => setTimeout(r, 60000))`,
    ends: FULL,
  },
  {
    name: 'rejections',
    program: `for (let i = 0; ; i++) { Promise.reject(new Error('no ' + i)); if (i % 100 === 0) await null }`,
    ends: EITHER,
  },
  { name: 'numbers without end', program: `let n = 3n; for (;;) { n = n * n; keep.push(n) }`, ends: EITHER },
  { name: 'bigints', program: `for (let i = 0n; ; i++) keep.push((1n << 800n) + i)`, ends: FULL },
  { name: 'symbols', program: `for (let i = 0; ; i++) keep.push(Symbol('s' + i), Symbol.for('f' + i))`, ends: FULL },
  {
    name: 'errors with stacks',
    program: `const f = (n) => n === 0 ? new Error('e') : f(n - 1); for (;;) keep.push(f(30))`,
    ends: FULL,
  },
  { name: 'proxies', program: `for (;;) keep.push(new Proxy({}, { get: () => 1 }))`, ends: FULL },
  {
    name: 'dates and expressions',
    program: `for (let i = 0; ; i++) keep.push(new Date(i), new RegExp('a' + i + '+'))`,
    ends: FULL,
  },
  {
    name: 'JSON.parse',
    program: `const t = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, name: 'row ' + id }))); for (;;) keep.push(JSON.parse(t))`,
    ends: FULL,
    quick: true,
  },
  {
    name: 'JSON.stringify',
    program: `const o = Array.from({ length: 20000 }, (_, id) => ({ id, name: 'row ' + id })); for (let i = 0; ; i++) { o[0].id = i; keep.push(JSON.stringify(o)) }`,
    ends: FULL,
  },
  {
    name: 'JSON of a value that shares itself',
    program: `let v = 'x'; for (let i = 0; i < 60; i++) v = [v, v]; JSON.stringify(v)`,
    ends: FULL,
  },
  { name: 'matches', program: `const t = 'ab1 '.repeat(50000); for (;;) keep.push([...t.matchAll(/(a)(b)(\\d)/g)])`, ends: FULL },
  { name: 'an expression that goes back', program: `/(?:(?:a|b|ab)*)*c/.test('ab'.repeat(2000000)); return 1`, ends: EITHER },
  { name: 'split and join', program: `const t = 'a,'.repeat(100000); for (;;) keep.push(t.split(',').join(';'))`, ends: FULL },
  { name: 'replace', program: `let t = 'a'; for (;;) { t = t.replace(/a/g, 'aab'); keep.push(t) }`, ends: EITHER },
  { name: 'padding', program: `for (let i = 0; ; i++) keep.push(String(i).padStart(1 << 20, 'ab'))`, ends: FULL },
  {
    name: 'deep recursion that holds',
    program: `function f(n) { const a = new Array(1000).fill(n); keep.push(a); return f(n + 1) + a[0] } for (;;) try { f(0) } catch {}`,
    ends: EITHER,
  },
  {
    name: 'recursion through promises',
    program: `async function f(n) { const a = new Array(1000).fill(n); await null; return (await f(n + 1)) + a[0] } await f(0)`,
    ends: FULL,
  },
  { name: 'nesting', program: `let v = []; for (;;) v = [v, 1]`, ends: FULL },
  {
    name: 'sort',
    program: `const a = Array.from({ length: 1000000 }, (_, i) => 'k' + ((i * 7919) % 1000003)); for (;;) keep.push([...a].sort())`,
    ends: EITHER,
  },
  { name: 'spread', program: `let a = [1]; for (;;) { a = [...a, ...a]; keep.push(a) }`, ends: FULL },
  {
    name: 'structuredClone',
    program: `const o = { rows: Array.from({ length: 20000 }, (_, id) => ({ id })) }; for (;;) keep.push(structuredClone(o))`,
    ends: FULL,
  },
  {
    name: 'eval',
    program: `for (let i = 0; ; i++) keep.push(eval('(function f' + i + '() { return [' + i + ', "text"] })'))`,
    ends: FULL,
  },
  { name: 'a long text that eval compiles', program: `eval('[' + '{a:1},'.repeat(2000000) + ']')`, ends: EITHER },
  {
    name: 'timers',
    program: `for (let i = 0; ; i++) { const a = new Array(300).fill(i); setTimeout(() => a, 60000) }`,
    ends: EITHER,
  },
  {
    name: 'locales',
    program: `for (let i = 0; ; i++) { new Intl.NumberFormat('en', { minimumFractionDigits: i % 20 }).format(i); new Intl.DateTimeFormat(['de', 'fr', 'ja', 'ar'][i % 4] + '-u-ca-gregory', { year: 'numeric', timeZone: 'UTC', hour12: i % 2 === 0 }).format(i); (i).toLocaleString('de', { style: 'unit', unit: 'byte', maximumFractionDigits: i % 20 }) }`,
    ends: /^timeout$/,
  },
  {
    name: 'addresses',
    program: `for (let i = 0; ; i++) keep.push(new URL('https://example.org/' + 'p'.repeat(2000) + i + '?q=' + i))`,
    ends: EITHER,
  },
  {
    name: 'base64 and texts as bytes',
    program: `const e = new TextEncoder(), t = 'x'.repeat(1 << 20); for (;;) keep.push(btoa(t), e.encode(t), atob(btoa(t)))`,
    ends: FULL,
  },
  {
    name: 'console',
    program: `const o = Array.from({ length: 5000 }, (_, id) => ({ id, name: 'row ' + id })); for (;;) console.log(o)`,
    ends: /^(timeout|completed)$/,
    limits: { timeoutMs: 5_000 },
  },
  { name: 'a source of many tokens', program: `${'a;'.repeat(130_000)}`, ends: EITHER },
  { name: 'a source of nested brackets', program: `${'['.repeat(130_000)}`, ends: /^(syntax_error|stack_overflow)$/ },
  { name: 'a source of many nodes', program: `return [${'[],{},'.repeat(42_000)}].length`, ends: EITHER },
  {
    name: 'twenty programs of one session',
    program: `for (;;) keep.push({ a: new Array(1000).fill(1) })`,
    runs: 20,
    ends: FULL,
    limits: { memoryBytes: 32 * 2 ** 20 },
  },
  {
    name: 'twenty programs that stay below',
    program: `for (let i = 0; i < 24; i++) keep.push(new Uint8Array(1 << 20).fill(1)); return keep.length`,
    runs: 20,
    ends: /^completed$/,
    limits: { memoryBytes: 32 * 2 ** 20 },
  },
];

/** What a program makes the page hold. */
export const CROSSINGS: readonly Shape[] = [
  { name: 'a value of 16 MiB', program: `return 'x'.repeat(16 * 2 ** 20 - 2)`, ends: /^completed$/, kept: 32, quick: true },
  { name: 'a wide value of 16 MiB', program: `return 'ü'.repeat(8 * 2 ** 20 - 1)`, ends: /^completed$/, kept: 32 },
  {
    name: 'a value of 16 MiB in rows',
    program: `return Array.from({ length: 300000 }, (_, id) => ({ id, name: 'row number ' + id, ok: true }))`,
    ends: /^completed$/,
    kept: 48,
  },
  { name: 'a value of 16 MiB in bytes', program: `return new Uint8Array(12 * 2 ** 20 - 64)`, ends: /^completed$/, kept: 32 },
  { name: 'a value a little too large', program: `return 'x'.repeat(16 * 2 ** 20)`, ends: /^value_too_large$/ },
  {
    name: 'a result of 16 MiB',
    program: `return (await tools.give({ chars: 16 * 2 ** 20 - 2 })).length`,
    ends: /^completed$/,
    // The application holds the text as well.
    kept: 32,
  },
  {
    name: 'an input of 4 MiB',
    program: `return tools.take({ text: 'x'.repeat(4 * 2 ** 20 - 11) })`,
    ends: /^completed$/,
    kept: 4,
  },
  {
    name: 'results of 256 MiB',
    program: `let n = 0; for (let i = 0; i < 15; i++) n += (await tools.give({ chars: 16 * 2 ** 20 - 2 })).length; return n`,
    ends: /^completed$/,
    kept: 256,
  },
  {
    name: 'inputs of 256 MiB',
    program: `const text = 'x'.repeat(4 * 2 ** 20 - 11); for (let i = 0; i < 63; i++) await tools.take({ text }); return 1`,
    ends: /^completed$/,
    kept: 252,
  },
  {
    name: 'as many inputs at once as fit',
    program: `for (let i = 0; i < 1000; i++) tools.take({ text: 'x'.repeat(4 * 2 ** 20 - 11) })`,
    ends: EITHER,
    kept: 128,
  },
  {
    name: 'a thousand calls of 100 kB at once',
    program: `await Promise.all(Array.from({ length: 1000 }, () => tools.take({ text: 'x'.repeat(100000) }))); return 1`,
    ends: EITHER,
    kept: 96,
  },
  {
    name: 'a thousand results of 250 kB at once',
    program: `await Promise.all(Array.from({ length: 1000 }, () => tools.give({ chars: 250000 }))); return 1`,
    ends: EITHER,
    kept: 250,
  },
  {
    name: 'one line of console after another',
    program: `for (;;) console.log('line')`,
    ends: /^timeout$/,
    kept: 1,
    limits: { timeoutMs: 5_000 },
  },
  {
    name: 'a line of console without end',
    program: `for (;;) console.log('x'.repeat(10 * 2 ** 20))`,
    ends: /^(timeout|completed)$/,
    kept: 1,
    limits: { timeoutMs: 5_000 },
  },
  {
    name: 'values for a person without end',
    program: `for (;;) codemode.emit({ rows: [1, 2, 3] })`,
    ends: /^timeout$/,
    kept: 1,
    limits: { timeoutMs: 5_000 },
  },
  {
    name: 'errors with much to say',
    program: `const data = 'x'.repeat(2 ** 20 - 100); for (let i = 0; i < 200; i++) await tools.fail({}).catch(() => 0); throw Object.assign(new Error('m'.repeat(5e6)), { data })`,
    ends: /^program_error$/,
    kept: 1,
  },
  {
    name: 'clock readings',
    program: `for (;;) { Date.now(); performance.now() }`,
    ends: /^timeout$/,
    limits: { timeoutMs: 5_000 },
  },
];

/** What the others are measured against. */
export const CONTROL: Shape = { name: 'control', program: 'return 1 + 1', ends: /^completed$/ };

/** @throws Error for a name that no shape has */
export function shapeOf(name: string): Shape {
  const found = [CONTROL, ...SHAPES, ...CROSSINGS].find((shape) => shape.name === name);
  if (!found) throw new Error(`There is no shape "${name}".`);
  return found;
}
