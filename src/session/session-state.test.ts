import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import type { Tool } from '../catalog/tool.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import { createCodeMode } from './create-code-mode.ts';
import type { CodeModeOptions, RunOutcome, Session } from './types.ts';
import { callById } from '../store/calls.ts';

vi.setConfig({ testTimeout: 60_000 });

const MIB = 1024 * 1024;
const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());

const open = new Set<AsyncDisposable>();
afterEach(async () => {
  for (const each of open) await each[Symbol.asyncDispose]();
  open.clear();
});

const tools: Tool[] = [
  { name: 'echo', risk: 'read', execute: (input) => input },
  {
    name: 'fails',
    execute: () => {
      throw new Error('quota used up');
    },
  },
  { name: 'hangs', execute: () => new Promise(() => {}) },
  { name: 'pay', needsApproval: true, execute: () => 'paid' },
];
const session = (options: Partial<CodeModeOptions> = {}): Session => {
  const codeMode = createCodeMode({ tools, executor, state: 'session', limits: { memoryBytes: 32 * MIB }, ...options });
  open.add(codeMode);
  return codeMode.session();
};
const valueOf = (outcome: RunOutcome): unknown => (outcome.status === 'completed' ? outcome.value : outcome);
const execute = (s: Session, code: string, restart = false) => s.modelTools.executeCode.run({ code, restart });
const losses = (s: Session): number => s.journal.events.filter(({ type }) => type === 'state.lost').length;

describe('a session that keeps its state', () => {
  it('has the declarations, functions and classes of earlier programs, whatever form they had', async () => {
    const s = session();
    for (const code of [
      'let count: number = 1; const rate = 0.5; var old = [1];',
      '```js\nfunction half(n) { return n * rate }\nasync function load(id) { return (await tools.echo({ id })).id }\n```',
      'class Cart { items = []; add(x) { this.items.push(x); return this } }\nconst { a, ...others } = { a: 1, b: 2 };',
      "if (count === 1) { count++; old.push(2); globalThis.mark = 'm' } else { return 'never' }",
      'const cart = new Cart().add(half(await load(8)));',
    ]) {
      expect((await execute(s, code)).outcome).toMatchObject({ status: 'completed' });
    }
    const { outcome } = await execute(s, 'return [count, old, mark, cart.items, cart instanceof Cart, a, others]');
    expect(outcome && valueOf(outcome)).toEqual([2, [1, 2], 'm', [4], true, 1, { b: 2 }]);
    expect(losses(s)).toBe(0);
  });

  it('takes a name again, as a developer console does', async () => {
    const s = session();
    await execute(s, 'const x = 1; let y = 2; class K { v() { return 1 } } function f() { return x }');
    await execute(s, 'const x = 10; const y = 20; class K { v() { return 2 } }');
    expect(valueOf(await s.run('let x = x0 = 5; return [x, y, new K().v(), f()]').outcome)).toEqual([5, 20, 2, 5]);
  });

  it('keeps them through failures, denials and calls without a program, and calls count from 1 each time', async () => {
    const s = session();
    await execute(s, 'let kept = 1; throw new Error("x")');
    await execute(s, 'kept++; await tools.fails({})');
    await execute(s, 'kept++; const = 5');
    await s.callTool('echo', {}).outcome;
    const { outcome } = await execute(s, 'return [kept, (await tools.echo({ n: 1 })).n]');
    expect(outcome).toMatchObject({ status: 'completed', value: [2, 1], calls: [{ ordinal: 1 }], warnings: [] });
    expect(losses(s)).toBe(0);
  });

  it('keeps them when a program is cancelled, or stopped by a failed call, while it waits', async () => {
    const s = session({ onToolFailure: 'stop' });
    await execute(s, 'let kept = 1');
    const run = s.run('kept = 2; await tools.hangs({})');
    await vi.waitFor(() => expect(s.store.getState().runs[run.id]?.calls).toHaveLength(1), { timeout: 15_000 });
    run.cancel();
    expect((await run.outcome).status).toBe('cancelled');
    expect((await execute(s, 'kept = 3; try { await tools.fails({}) } catch {} kept = 4')).outcome?.status).toBe('failed');
    expect(valueOf(await s.run('return kept').outcome)).toBe(3);
    expect(losses(s)).toBe(0);
  });

  it('forgets them with `restart`, for that program and with `session.restart()`, and nobody is told of a loss', async () => {
    const s = session();
    await execute(s, 'var a = 1');
    expect((await execute(s, 'var b = 2; return typeof a', true)).text).toBe('"undefined"');
    expect((await execute(s, 'return [typeof a, b]')).text).toBe('["undefined",2]');
    await s.restart();
    const [first, second] = [s.run('var c = 3; return typeof b'), s.run('return c')];
    expect([valueOf(await first.outcome), valueOf(await second.outcome)]).toEqual(['undefined', 3]);
    expect(losses(s)).toBe(0);
  });

  it('shares nothing with another session or with programs of a code mode without state', async () => {
    const [a, b, c] = [session(), session(), session({ state: 'run' })];
    for (const [s, n] of [
      [a, 1],
      [b, 2],
      [c, 3],
    ] as const)
      await s.run(`var mine = ${n}`).outcome;
    const seen = await Promise.all([a, b, c].map((s) => s.run('return typeof mine === "undefined" ? null : mine').outcome));
    expect(seen.map(valueOf)).toEqual([1, 2, null]);
  });
});

describe('a state that is lost', () => {
  it.each<[string, string, Partial<CodeModeOptions>?]>([
    ['a loop without end', 'for (;;) {}', { limits: { timeoutMs: 300, memoryBytes: 32 * MIB } }],
    [
      'a builtin without end',
      'return "x".repeat(1e6).replace(/(x+x+)+y/, "")',
      { limits: { timeoutMs: 300, memoryBytes: 32 * MIB } },
    ],
    ['memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))'],
  ])('by %s is said by the failed run and once more by the next', async (_, code, options) => {
    const s = session(options);
    await execute(s, 'let kept = 1');
    const failed = await execute(s, code);
    expect(failed.ok).toBe(false);
    expect(failed.text).toMatch(/Everything that this and earlier programs of the session declared is gone/);
    const next = await execute(s, 'return typeof kept');
    expect(next.outcome).toMatchObject({ status: 'completed', value: 'undefined', warnings: [{ code: 'state_lost' }] });
    expect(next.text).toMatch(/declared is gone/);
    expect(losses(s)).toBe(1);
    const after = await execute(s, 'return 1');
    expect([after.text, losses(s)]).toEqual(['1', 1]);
  });

  it('by cancelling a program that computes', async () => {
    const s = session();
    await execute(s, 'let kept = 1');
    const run = s.run('console.log("on"); await tools.echo({}); for (;;) {}');
    await vi.waitFor(() => expect(callById(s.store.getState(), `${run.id}:1`)?.status).toBe('succeeded'), { timeout: 15_000 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    run.cancel('enough');
    expect(await run.outcome).toMatchObject({ status: 'cancelled', warnings: [{ code: 'state_lost' }] });
    expect((await s.run('return typeof kept').outcome).warnings).toMatchObject([{ code: 'state_lost' }]);
    expect(losses(s)).toBe(1);
  });

  it('is never silent after a recursion without end: it is kept or said to be gone', async () => {
    const s = session();
    await execute(s, 'let kept = 1');
    const failed = await execute(s, 'const f = (n) => [n, f(n + 1)]; return f(0)');
    expect(failed.outcome).toMatchObject({ status: 'failed', error: { code: 'stack_overflow' } });
    const { outcome } = await execute(s, 'return typeof kept');
    const gone = outcome && valueOf(outcome) === 'undefined';
    expect([/is gone/.test(failed.text), losses(s)]).toEqual([gone, gone ? 1 : 0]);
  });

  it('because another run needed the worker’s place', async () => {
    const limits = { maxWorkers: 1, memoryBytes: 32 * MIB };
    const [a, b] = [session({ limits }), session({ limits })];
    await execute(a, 'let kept = 1');
    await execute(b, 'let other = 1');
    const { outcome } = await execute(a, 'return typeof kept');
    expect(outcome).toMatchObject({ value: 'undefined', warnings: [{ code: 'state_lost' }] });
  });

  it('is not lost when the page was loaded anew and the journal was kept: its programs are played again', async () => {
    const storage = memoryStorage();
    const first = createCodeMode({ tools, executor, state: 'session', storage });
    await first.session({ id: 'chat' }).run('let kept = 1').outcome;
    await first[Symbol.asyncDispose]();
    const second = createCodeMode({ tools, executor, state: 'session', storage });
    open.add(second);
    const s = second.session({ id: 'chat' });
    expect(await s.run('return kept').outcome).toMatchObject({ value: 1, warnings: [] });
    expect(losses(s)).toBe(0);
  });

  it('is not missed when the next program starts afresh anyway', async () => {
    const s = session({ limits: { timeoutMs: 500, memoryBytes: 32 * MIB } });
    await execute(s, 'let kept = 1');
    await execute(s, 'for (;;) {}');
    expect((await execute(s, 'return typeof kept', true)).text).toBe('"undefined"');
    expect(losses(s)).toBe(0);
  });
});
