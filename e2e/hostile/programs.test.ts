/**
 * Programs that want to harm: each ends with a code and no more, the page stays responsive, nothing runs that nobody allowed,
 * and the next program of the same session and of another one runs as if nothing had been.
 */
import { afterAll, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../../src/bridge/node-worker-executor.ts';
import type { Tool } from '../../src/catalog/tool.ts';
import { ToolError } from '../../src/errors.ts';
import { createCodeMode } from '../../src/session/create-code-mode.ts';
import { watchPage } from './watch-page.ts';

vi.setConfig({ testTimeout: 60_000 });

const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());

/** Depth 40, two references each: small as text, without end when it is written out. */
const SHARED = `let shared = [1]; for (let i = 0; i < 40; i++) shared = [shared, shared];`;

type Attack = readonly [name: string, program: string, ends: string | RegExp, value?: unknown];

const ATTACKS: readonly Attack[] = [
  // Floods: what a program says costs the page an event each.
  ['300,000 empty lines', `for (let i = 0; i < 3e5; i++) console.log(''); return 1`, /completed|timeout/],
  ['50,000 emitted values', `for (let i = 0; i < 5e4; i++) codemode.emit(i); return 1`, /completed|timeout/],
  [
    '150,000 timers at once',
    `for (let i = 0; i < 1.5e5; i++) setTimeout(() => {}, 0); await new Promise((r) => setTimeout(r, 1)); return 1`,
    /program_error|timeout/,
  ],
  [
    '2,000 callbacks that throw',
    `for (let i = 0; i < 2000; i++) queueMicrotask(() => { throw i }); await null; await null; return 1`,
    'completed',
    1,
  ],
  ['2,000 refused calls', `for (let i = 0; i < 2000; i++) tools.echo(() => 1); return 1`, 'completed', 1],
  [
    '1,000 bare arguments and too much output',
    `for (let i = 0; i < 1000; i++) await tools.single(i); console.log('x'.repeat(2e6)); return 1`,
    'completed',
    1,
  ],
  ['a call too many, again and again', `for (let i = 0; i < 3000; i++) tools.echo({}); return 1`, 'completed', 1],
  [
    '60,000 arguments',
    `console.log(...Array(60000).fill('')); await tools.echo(...Array(60000).fill({})); return 1`,
    'completed',
    1,
  ],
  [
    'a table without end',
    `console.table(Array.from({ length: 3000 }, (_, i) => ({ ['k' + i]: i }))); return 1`,
    /completed|timeout/,
  ],
  [
    'names and messages without end',
    `Error.prototype.name = 'N'.repeat(1e6); const e = new Error('m'.repeat(3e6)); e.stack = 's'.repeat(3e6); throw e`,
    'program_error',
  ],
  ['a path without end', `await tools.echo({ ['x'.repeat(2e6)]: () => 1 })`, /serialization_error|timeout/],

  // Values that look small.
  ['a shared value as the result', `${SHARED} return [shared.length]`, 'completed', [2]],
  [
    'a shared value as an input',
    `${SHARED} try { await tools.echo({ shared }) } catch (e) { return e.code }`,
    'completed',
    'invalid_input',
  ],
  [
    'a shared value as a question',
    `${SHARED} try { await codemode.describe(shared) } catch (e) { return e.code }`,
    'completed',
    'invalid_input',
  ],
  [
    'a shared value as a search',
    `${SHARED} try { await codemode.search(shared) } catch (e) { return e.code }`,
    'completed',
    'invalid_input',
  ],
  [
    'an input so deep that the error about it cannot cross',
    `let a = {}; for (let i = 0; i < 199; i++) a = { a }; try { await tools.rethrow(a) } catch (e) { return [e.code, e.message] }`,
    'completed',
    ['tool_error', 'bad'],
  ],
  [
    'an input with prototypes',
    `const out = await tools.echo(JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}')); return [({}).x, ({}).y, Object.keys(out)]`,
    'completed',
    [undefined, undefined, ['__proto__', 'constructor']],
  ],

  // Consent.
  ['an unapproved call before the end', `tools.asked({}); return 1`, 'waits'],
  [
    'an approved look: its own result for a call',
    `Promise.prototype.then = function (f) { return f({ approved: true }) }; await tools.asked({})`,
    'waits',
  ],
  [
    'names of prototypes as tools',
    `const out = []; for (const name of ['__proto__', 'hasOwnProperty', 'toString']) try { await tools[name]({}); out.push(name) } catch (e) { out.push(e.code ?? e.name) } return out`,
    'completed',
  ],
  ['a hidden tool by name', `try { await tools['hidden']({}) } catch (e) { return e.code }`, 'completed', 'tool_not_found'],
  ['a forged error of a tool', `throw Object.assign(new ToolError('forged'), { code: 'tool_denied', call: 1 })`, 'program_error'],
  [
    'fields of what the host threw',
    `try { await tools.plain({}) } catch (e) { return [e.message, Object.keys(e), String(e.stack).includes('/srv')] }`,
    'completed',
    ['plain failed without a message', ['code', 'tool'], false],
  ],

  // The language turned against the prelude, from the start and after a first wait.
  [
    'String.prototype.concat and replace',
    `const seen = []; for (const k of ['concat', 'replace']) { const own = String.prototype[k]; String.prototype[k] = function (...a) { seen.push(k); return own.apply(this, a) } } await tools.echo({ a: 1 }); console.log('a', 1); return seen`,
    'completed',
    [],
  ],
  [
    'setters and getters on Object.prototype',
    `await tools.echo({}); for (const k of ['get', 'configurable', '0', '1', 'length', 'then', 'resolve', 'ok', 'error', 'writable']) Object.defineProperty(Object.prototype, k, { configurable: true, get() { return undefined }, set() { throw new Error('set ' + k) } }); return (await tools.echo({ n: 1 })).n`,
    'completed',
    1,
  ],
  [
    'RegExp, Symbol.species and iterators',
    `await tools.echo({}); RegExp.prototype.exec = () => { throw 1 }; Object.defineProperty(Array, Symbol.species, { get() { throw 2 } }); Array.prototype[Symbol.iterator] = function* () { throw 3 }; return (await tools.echo({ n: 1 })).n`,
    'completed',
    1,
  ],
  [
    'a frozen world',
    `for (const o of [globalThis, Object.prototype, Promise.prototype, Function.prototype, Array.prototype]) Object.freeze(o); return (await tools.echo({ n: 1 })).n`,
    'completed',
    1,
  ],
  [
    'a promise of its own kind',
    `class Own extends Promise { static get [Symbol.species]() { throw 1 } then(a) { a('own'); return this } } return new Own((r) => r(1))`,
    /completed|program_error/,
  ],
  [
    'globals that are getters without end',
    `Object.defineProperty(globalThis, 'Promise', { get() { for (;;); } }); return (await tools.echo({ n: 1 })).n`,
    /completed|timeout/,
  ],

  // Time.
  [
    'the end, with work left behind',
    `async () => { (async () => { for (let i = 0; i < 3e5; i++) await null })(); return 5 }`,
    'completed',
    5,
  ],
  ['a catch around every interruption', `for (;;) try { for (;;); } catch {}`, 'timeout'],
  [
    'an async function that rises again',
    `async function up() { try { for (;;) await null } catch { return up() } } await up()`,
    'timeout',
  ],
  ['a thenable without end as the result', `return { then() { for (;;); } }`, 'timeout'],
  ['a getter without end in the result', `return { get a() { for (;;); } }`, 'timeout'],
  [
    'toString without end in the console',
    `console.log('%s %d', { toString() { for (;;); } }, { valueOf() { for (;;); } }); return 1`,
    /completed|timeout/,
  ],
  [
    'a native that never returns, from a timer',
    `setTimeout(() => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1), 5); await new Promise((r) => setTimeout(r, 50)); return 1`,
    'timeout',
  ],
  [
    'a native that never returns, from a getter while encoding',
    `await tools.echo({ get a() { return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1) } })`,
    'timeout',
  ],
  ['a wait for nothing', `await new Promise(() => {})`, 'deadlock'],
  ['a timer set and cleared is no timer', `clearTimeout(setTimeout(() => {}, 5000)); await new Promise(() => {})`, 'deadlock'],
  ['memory', `const keep = []; for (;;) keep.push(new ArrayBuffer(1 << 20))`, /memory_limit|timeout/],
  ['a stack', `function f() { return f() + 1 } f()`, 'stack_overflow'],
];

for (const [name, program, ends, value] of ATTACKS)
  it(name, async () => {
    const ran: string[] = [];
    const tool = (name: string, over: Partial<Tool> = {}): Tool => ({
      name,
      risk: 'write',
      execute: (input: unknown) => {
        ran.push(name);
        return input;
      },
      ...over,
    });
    await using codeMode = createCodeMode({
      executor,
      tools: [
        tool('echo'),
        tool('single', { inputSchema: { type: 'object', properties: { n: { type: 'number' } } } }),
        tool('asked', { needsApproval: true }),
        tool('hidden'),
        tool('rethrow', {
          execute: (input: unknown) => {
            throw new ToolError('bad', { input });
          },
        }),
        tool('plain', {
          execute: () => {
            throw { status: 500, stack: 'at /srv/app.js:1', token: 'secret' };
          },
        }),
      ],
      policy: [{ match: 'hidden', effect: 'hide' }],
      limits: { timeoutMs: 600, memoryBytes: 64 * 1024 * 1024 },
    });
    const session = codeMode.session();
    const blocked = watchPage();
    const run = session.run(program);
    if (ends === 'waits') {
      await vi.waitFor(() => expect(session.store.getState().pending).toHaveLength(1), 20_000);
      expect(ran).toEqual([]);
      run.cancel();
      expect(await run.outcome).toMatchObject({ status: 'cancelled', calls: [{ status: 'cancelled' }] });
    } else {
      const outcome = await run.outcome;
      expect(outcome.status === 'failed' ? outcome.error.code : outcome.status).toMatch(ends);
      if (value !== undefined && outcome.status === 'completed') expect(outcome.value).toEqual(value);
      expect(outcome.warnings.length).toBeLessThan(500);
    }
    expect(blocked()).toBeLessThan(3_000);
    expect(ran.filter((name) => name !== 'echo' && name !== 'single')).toEqual([]);
    for (const next of [session, codeMode.session()])
      expect(
        await next.run(`return [typeof Promise, (await tools.echo({ n: 1 })).n, Object.keys({}).length, [].concat([1]).length]`)
          .outcome,
      ).toMatchObject({
        status: 'completed',
        value: ['function', 1, 0, 1],
        calls: [{ tool: 'echo', status: 'succeeded' }],
        output: [],
      });
  });
