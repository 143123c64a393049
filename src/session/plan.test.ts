/** A program that is put before a person as a whole, on a real engine: what is shown, what is covered, what is not. */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import type { Tool } from '../catalog/tool.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { digest } from '../protocol/digest.ts';
import { createCodeMode } from './create-code-mode.ts';
import { scriptedExecutor, waiting } from './test-tools/scripted.ts';
import type { CodeModeOptions, Session } from './types.ts';

const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());
const open = new Set<AsyncDisposable>();
afterEach(async () => {
  for (const each of open) await each[Symbol.asyncDispose]();
  open.clear();
});

const ran = vi.fn();
afterEach(() => ran.mockClear());
const tool = (name: string, over: Partial<Tool> = {}): Tool => ({
  name,
  execute: (input) => (ran(name, input), 1),
  ...over,
});
const tools = [
  tool('read', { risk: 'read' }),
  tool('pay', { needsApproval: true }),
  tool('wipe', { risk: 'danger' }),
  tool('mail', { needsApproval: true }),
];
const session = (options: Partial<CodeModeOptions> = {}): Session => {
  const codeMode = createCodeMode({ tools, executor, plan: 'ask', ...options });
  open.add(codeMode);
  return codeMode.session();
};
/** The plan that waits. */
const plan = async (s: Session) => {
  await vi.waitFor(() => expect(s.store.getState().pendingPlans).toHaveLength(1), { timeout: 15_000, interval: 5 });
  const [runId = ''] = s.store.getState().pendingPlans;
  return { runId, ...s.store.getState().runs[runId]!.plan! };
};

describe('the plan of a program', () => {
  const code = `const a = await tools.read({});\nawait tools.pay({ n: 1 });\nawait tools.pay({ n: 2 });\nreturn a;`;

  it('names the tools it can reach, with their risk and places, before anything runs', async () => {
    const s = session();
    const run = s.run(code, { title: 'Pay twice' });
    const { runId, sourceDigest, tools: named, anyOf } = await plan(s);
    expect(runId).toBe(run.id);
    expect(s.store.getState().runs[runId]?.status).toBe('waiting');
    expect(sourceDigest).toBe(digest(code));
    expect(anyOf).toBeUndefined();
    expect(
      named.map(({ tool: name, risk, sites, askedAnyway }) => [name, risk, sites.map(({ line }) => line), askedAnyway]),
    ).toEqual([
      ['read', 'read', [1], false],
      ['pay', 'write', [2, 3], false],
    ]);
    expect(s.journal.events.map(({ type }) => type)).not.toContain('run.started');
    run.cancel();
    await run.outcome;
  });

  it('once allowed, covers the tools it names, with any input, in this run and in no other', async () => {
    const s = session();
    const first = s.run(code);
    const { runId } = await plan(s);
    expect(await s.decidePlan(runId, { kind: 'allow', sourceDigest: digest(code) })).toEqual({ applied: true });
    expect((await first.outcome).status).toBe('completed');
    expect(ran.mock.calls.map(([name]) => name)).toEqual(['read', 'pay', 'pay']);
    expect(s.store.getState().runs[runId]).toMatchObject({
      plan: { decision: 'allow' },
      calls: [{ tool: 'read' }, { policy: { effect: 'allow', by: 'plan' } }, { policy: { by: 'plan' } }],
    });
    const second = s.run(code);
    await plan(s);
    second.cancel();
    await second.outcome;
  });

  it('covers no danger and no tool that it does not name, whatever rules allow', async () => {
    const s = session({ policy: [{ effect: 'allow' }] });
    const run = s.run(
      `const name = 'ma' + 'il'; await tools.wipe({}); await tools[name]({}); await tools.pay({}); return tools['re' + 'ad']({});`,
    );
    const { runId, tools: named, anyOf } = await plan(s);
    expect(anyOf).toBe(4);
    expect(named.map(({ tool: name, askedAnyway }) => [name, askedAnyway])).toEqual([
      ['wipe', true],
      ['pay', false],
    ]);
    await s.decidePlan(runId, { kind: 'allow' });
    for (const name of ['wipe', 'mail', 'read']) {
      const [id = ''] = await waiting(s);
      expect(s.store.getState().runs[runId]?.calls.at(-1)?.tool).toBe(name);
      await s.decide(id, { kind: 'allow' });
      await vi.waitFor(() => expect(s.store.getState().pending).not.toContain(id));
    }
    expect((await run.outcome).status).toBe('completed');
  });

  it('still meets the rules that deny', async () => {
    const s = session({ policy: [{ match: 'pay', effect: 'deny' }] });
    const run = s.run('return tools.pay({})');
    await s.decidePlan((await plan(s)).runId, { kind: 'allow' });
    expect(await run.outcome).toMatchObject({ status: 'failed', error: { code: 'tool_denied' } });
  });

  it('may be left to each call', async () => {
    const s = session();
    const run = s.run('await tools.read({}); return tools.pay({})');
    await s.decidePlan((await plan(s)).runId, { kind: 'callByCall' });
    const [id = ''] = await waiting(s);
    expect(ran.mock.calls.map(([name]) => name)).toEqual(['read']);
    await s.decide(id, { kind: 'allow' });
    expect((await run.outcome).status).toBe('completed');
  });

  it('denied, nothing runs and the model is told', async () => {
    const s = session();
    const result = s.modelTools.executeCode.run({ code });
    expect(await s.decidePlan((await plan(s)).runId, { kind: 'deny', reason: 'not today' })).toEqual({ applied: true });
    const { text } = await result;
    expect(text).toContain('a person did not allow the program: not today');
    expect(ran).not.toHaveBeenCalled();
  });

  it('is decided once, for the program that was shown', async () => {
    const s = session();
    const run = s.run(code);
    const { runId } = await plan(s);
    expect(await s.decidePlan(runId, { kind: 'allow', sourceDigest: 'another' })).toMatchObject({ why: 'invalid_input' });
    expect(await s.decidePlan(runId, { kind: 'maybe' } as never)).toMatchObject({ why: 'invalid_input' });
    const both = await Promise.all([s.decidePlan(runId, { kind: 'deny' }), s.decidePlan(runId, { kind: 'allow' })]);
    expect(both).toEqual([{ applied: true }, { applied: false, why: 'already_decided' }]);
    await run.outcome;
    expect(await s.decidePlan('unknown', { kind: 'allow' })).toEqual({ applied: false, why: 'ended' });
  });

  it('ends with the run that is stopped, and expires with nobody there', async () => {
    const clock = createFakeClock();
    const s = session({ clock, approvalTimeoutMs: 500 });
    const stopped = s.run(code);
    const { runId } = await plan(s);
    stopped.cancel('changed my mind');
    expect(await stopped.outcome).toMatchObject({ status: 'cancelled', reason: 'changed my mind' });
    expect(s.store.getState().runs[runId]?.plan?.decision).toBe('ended');
    expect(await s.decidePlan(runId, { kind: 'allow' })).toEqual({ applied: false, why: 'ended' });
    const late = s.run(code);
    await plan(s);
    clock.advance(501);
    expect(await late.outcome).toMatchObject({ status: 'cancelled', reason: expect.stringContaining('expired') });
  });

  it('is not asked for a program that reaches no tool or does not parse, nor when the pre-flight refuses it', async () => {
    const s = session();
    expect(await s.run('return 6 * 7').outcome).toMatchObject({ status: 'completed', value: 42 });
    expect(await s.run('return (').outcome).toMatchObject({ status: 'failed', error: { code: 'syntax_error' } });
    const strict = session({
      tools: [tool('pay', { inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } })],
    });
    expect(await strict.run('return tools.pay({})', { preflight: true }).outcome).toMatchObject({
      error: { code: 'invalid_input' },
    });
  });

  it('is asked where a run wants it, and not where it does not', async () => {
    const s = session({ plan: 'off' });
    expect((await s.run('return tools.read({})').outcome).status).toBe('completed');
    const run = s.run('return tools.read({}) ', { plan: 'ask' });
    await plan(s);
    run.cancel();
    await run.outcome;
  });

  it('holds on the page: a worker that named too little gets each call asked, one that cannot be asked gets nothing', async () => {
    const lying = scriptedExecutor({ lie: (call) => call('read') });
    const s = session({ executor: lying });
    const run = s.run('lie');
    const [id = ''] = await waiting(s);
    expect(ran).not.toHaveBeenCalled();
    await s.decide(id, { kind: 'deny' });
    await run.outcome;
    const mute = { ...scriptedExecutor({ lie: (call) => call('read') }), analyze: () => Promise.reject(new Error('gone')) };
    expect((await session({ executor: mute }).run('lie').outcome).status).toBe('failed');
    expect(ran).not.toHaveBeenCalled();
  });
});
