import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Executor } from '../bridge/executor.ts';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import { defineTool, type Tool } from '../catalog/tool.ts';
import { CodeModeError, ToolError } from '../errors.ts';
import type { JournalEvent } from '../journal/events.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createCodeMode } from './create-code-mode.ts';
import type { CodeModeOptions, Run, Session } from './types.ts';
import { callById } from '../store/calls.ts';

const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());

const open = new Set<AsyncDisposable>();
afterEach(async () => {
  for (const each of open) await each[Symbol.asyncDispose]();
  open.clear();
});

const session = <C>(options: Partial<CodeModeOptions<C>>, own: { context?: C } = {}): Session<C> => {
  const codeMode = createCodeMode<C>({ tools: [], executor, ...options });
  open.add(codeMode);
  return codeMode.session(own);
};
const echo = (over: Partial<Tool> = {}): Tool => ({ name: 'echo', execute: (input) => input, ...over });
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Until `check` passes; patient, because the machine may be busy. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 5 });
const typesOf = (events: readonly JournalEvent[]): string[] => events.map((event) => event.type);

/** Resolves with the ids of the calls that wait for a person once there are `n`. */
const pending = async (of: Session, n = 1): Promise<readonly string[]> => {
  await until(() => expect(of.store.getState().pending.length).toBeGreaterThanOrEqual(n));
  return of.store.getState().pending;
};

describe('what happens to a call while it waits', () => {
  const slowSchema = (ms: number) => ({
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: async (value: unknown) => {
        await wait(ms);
        return { value };
      },
    },
  });

  it('leaves no permission behind when the run ends while an edited input is checked', async () => {
    const execute = vi.fn();
    const s = session({ tools: [echo({ needsApproval: true, inputSchema: slowSchema(30), execute })] });
    const run = s.run('await tools.echo({ n: 1 })');
    const [callId = ''] = await pending(s);
    const receipt = s.decide(callId, { kind: 'allow', scope: 'session', input: { n: 2 } });
    run.cancel();
    expect(await receipt).toEqual({ applied: false, why: 'ended' });
    const again = s.run('await tools.echo({ n: 3 })');
    await pending(s);
    expect(typesOf(s.journal.events)).not.toContain('grant.created');
    expect(execute).not.toHaveBeenCalled();
    again.cancel();
    await again.outcome;
  });

  it('asks after all when the tool or a rule began to want consent while the call queued', async () => {
    for (const change of [{ tools: 'approval' }, { policy: 'ask' }] as const) {
      const release = deferred();
      const ran: number[] = [];
      const tools = (over: Partial<Tool> = {}): Tool[] => [
        echo({
          execute: async ({ n }: { n: number }) => {
            ran.push(n);
            await release.promise;
          },
          ...over,
        }),
      ];
      const codeMode = createCodeMode({ executor, tools: tools(), limits: { maxConcurrentCalls: 1 } });
      open.add(codeMode);
      const s = codeMode.session();
      const run = s.run('await Promise.all([tools.echo({ n: 1 }), tools.echo({ n: 2 })])');
      await until(() => expect(ran).toEqual([1]));
      codeMode.update('tools' in change ? { tools: tools({ needsApproval: true }) } : { policy: [{ effect: 'ask' }] });
      release.resolve();
      const [callId = ''] = await pending(s);
      expect(ran).toEqual([1]);
      await s.decide(callId, { kind: 'allow' });
      expect((await run.outcome).status).toBe('completed');
      expect(ran).toEqual([1, 2]);
    }
  });

  it('never starts when somebody cancels the run at the record of its start', async () => {
    const execute = vi.fn();
    const s = session({ tools: [echo({ execute })] });
    s.journal.subscribe(({ type }) => {
      if (type === 'tool_call.started') run.cancel();
    });
    const run: Run = s.run('await tools.echo({})');
    expect(await run.outcome).toMatchObject({ status: 'cancelled', calls: [{ status: 'cancelled' }] });
    expect(execute).not.toHaveBeenCalled();
  });

  it('is not disturbed by a listener that throws', async () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const s = session({ tools: [echo()] });
    s.journal.subscribe(() => {
      throw new Error('listener');
    });
    expect(await s.run('return (await tools.echo({ n: 1 })).n').outcome).toMatchObject({ status: 'completed', value: 1 });
    expect(reported).toHaveBeenCalled();
    vi.unstubAllGlobals();
  });
});

describe('a run', () => {
  it('gives the program its tools and the caller the value', async () => {
    const s = session({ tools: [echo()] });
    const outcome = await s.run(`const a = await tools.echo({ n: 20 }); console.log('n', a.n); return a.n + 22;`).outcome;
    expect(outcome).toMatchObject({
      status: 'completed',
      value: 42,
      output: [{ kind: 'console', level: 'log', text: 'n 20' }],
      calls: [{ tool: 'echo', status: 'succeeded', ordinal: 1, mayHaveApplied: false, site: { line: 1 } }],
    });
    expect(typesOf(s.journal.events).filter((type) => type !== 'delivery')).toEqual([
      'run.queued',
      'catalog.changed',
      'run.started',
      'tool_call.requested',
      'tool_call.started',
      'tool_call.succeeded',
      'output.written',
      'run.completed',
    ]);
  });

  it('goes one after another within a session, and says what it waits for', async () => {
    const s = session({ tools: [echo({ name: 'slow', execute: async () => wait(60) })] });
    const first = s.run('await tools.slow({}); return 1');
    const second = s.run('return 2');
    await until(() => expect(s.store.getState().runs[second.id]?.waitsFor).toBe(first.id));
    expect((await second.outcome).status).toBe('completed');
    expect(s.store.getState().runs[first.id]?.endedAt).toBeLessThanOrEqual(s.store.getState().runs[second.id]?.startedAt ?? 0);
  });

  it('goes at the same time in two sessions', async () => {
    const meet = deferred();
    let there = 0;
    const tools = [echo({ name: 'meet', execute: () => (++there === 2 && meet.resolve(), meet.promise) })];
    const [a, b] = [session({ tools }), session({ tools })];
    const outcomes = await Promise.all([
      a.run('await tools.meet({}); return 1').outcome,
      b.run('await tools.meet({}); return 2').outcome,
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['completed', 'completed']);
  });

  it('is the same run when it is started twice with one id', async () => {
    const execute = vi.fn(() => 1);
    const s = session({ tools: [echo({ execute })] });
    const [a, b] = [s.run('return tools.echo({})', { id: 'x' }), s.run('return tools.echo({})', { id: 'x' })];
    expect(a).toBe(b);
    await a.outcome;
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it('is refused under the id of another program; a model tool gives it an id of its own', async () => {
    const s = session({});
    await s.run('return 1', { id: 'x' }).outcome;
    expect(() => s.run('return 2', { id: 'x' })).toThrow(
      expect.objectContaining({ code: 'invalid_options', data: { path: 'id', id: 'x' } }),
    );
    expect((await s.modelTools.executeCode.run({ code: 'return 2' }, { callId: 'x' })).text).toBe('2');
    expect((await s.modelTools.executeCode.run({ code: 'return 1' }, { callId: 'x' })).runId).toBe('x');
  });

  it('refuses an empty program with a code', async () => {
    expect(await session({}).run('').outcome).toMatchObject({ status: 'failed', error: { code: 'syntax_error' } });
  });

  it('points at the line of the model, with an excerpt, when the program fails', async () => {
    const outcome = await session({}).run(`const a = 1;\nconst b = null;\nreturn b.name;`).outcome;
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'program_error', name: 'TypeError', site: { line: 3 } } });
    expect(outcome.status === 'failed' && outcome.error.excerpt).toContain('3 | return b.name;');
  });

  it('tells its state as it changes and ends with the run', async () => {
    const s = session({ tools: [echo({ needsApproval: true })] });
    const run = s.run('return (await tools.echo({ n: 1 })).n');
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { status, calls } of run.snapshots()) seen.push(`${status} ${calls.waiting}/${calls.total}`);
    })();
    const [id = ''] = await pending(s);
    await wait(30);
    await s.decide(id, { kind: 'allow' });
    await run.outcome;
    await reading;
    expect(seen).toContain('waiting 1/1');
    expect(seen.at(-1)).toBe('completed 0/1');
  });
});

describe('a tool call', () => {
  it('reaches its handler with the context that neither program nor journal sees', async () => {
    const seen: unknown[] = [];
    const s = session<{ user: string }>(
      { tools: [{ name: 'who', execute: (_: unknown, call: { context: { user: string } }) => void seen.push(call.context) }] },
      { context: { user: 'secret-77' } },
    );
    const outcome = await s.run('return [typeof context, await tools.who({})]').outcome;
    expect(seen).toEqual([{ user: 'secret-77' }]);
    expect(JSON.stringify([s.journal.events, outcome])).not.toContain('secret-77');
  });

  it('never reaches its handler with an input its schema refuses', async () => {
    const execute = vi.fn();
    const s = session({
      tools: [
        echo({
          execute,
          needsApproval: true,
          inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        }),
      ],
    });
    const outcome = await s.run(`try { await tools.echo({ n: 'x' }) } catch (e) { return [e.code, e.message] }`).outcome;
    expect(outcome).toMatchObject({ status: 'completed', value: ['invalid_input', expect.stringContaining('n')] });
    expect(execute).not.toHaveBeenCalled();
    expect(typesOf(s.journal.events)).not.toContain('approval.requested');
  });

  it('fails for the program with the message of the handler, and without its stack or cause', async () => {
    const s = session({
      tools: [
        echo({
          execute: () => {
            throw Object.assign(new Error('quota used up', { cause: new Error('hidden-cause') }), {
              secretField: 'hidden-field',
            });
          },
        }),
        echo({
          name: 'picky',
          execute: () => {
            throw new ToolError('no such order', { orderId: 7 });
          },
        }),
      ],
    });
    const outcome = await s.run(
      `const out = []; for (const t of [tools.echo, tools.picky]) try { await t({}) } catch (e) { out.push([e.name, e.message, e.code, e.data ?? null, String(e.stack)]) } return out`,
    ).outcome;
    expect(outcome).toMatchObject({
      value: [
        ['ToolError', 'quota used up', 'tool_error', null, expect.not.stringMatching(/node:|file:|\.ts/)],
        ['ToolError', 'no such order', 'tool_error', { orderId: 7 }, expect.any(String)],
      ],
    });
    expect(JSON.stringify(s.journal.events)).not.toMatch(/hidden-(cause|field)/);
  });

  it('keeps the message of an unexpected error to itself with redactErrors', async () => {
    const s = session({
      redactErrors: true,
      tools: [
        echo({
          execute: () => {
            throw new Error('password=hidden-word');
          },
        }),
      ],
    });
    const outcome = await s.run('return tools.echo({})').outcome;
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'tool_error' } });
    expect(JSON.stringify([outcome, s.journal.events])).not.toContain('hidden-word');
  });

  it('is aborted and failed when its handler takes too long', async () => {
    let aborted = false;
    const s = session({
      limits: { toolTimeoutMs: 40 },
      tools: [echo({ execute: (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => (aborted = true))) })],
    });
    const outcome = await s.run('try { await tools.echo({}) } catch (e) { return e.code }').outcome;
    expect([outcome.status === 'completed' && outcome.value, aborted]).toEqual(['tool_timeout', true]);
    expect(outcome.calls[0]).toMatchObject({ status: 'failed', mayHaveApplied: true });
  });

  it('reports progress without flooding the journal', async () => {
    const s = session({
      tools: [
        echo({
          execute: (_, { report }) => {
            for (let done = 0; done < 1_000; done++) report({ done, total: 1_000 });
          },
        }),
      ],
    });
    await s.run('await tools.echo({})').outcome;
    expect(s.journal.events.filter((event) => event.type === 'tool_call.progressed').length).toBeLessThanOrEqual(2);
  });

  it('that fails un-awaited makes the success an unclean one', async () => {
    const s = session({
      tools: [
        echo({
          execute: async () => {
            await wait(20);
            throw new Error('disk full');
          },
        }),
      ],
    });
    const outcome = await s.run(`tools.echo({}); return 'all done'`).outcome;
    expect(outcome.status).toBe('completed');
    expect(outcome.warnings.map((warning) => warning.message).join()).toContain('disk full');
    expect(outcome.calls[0]?.status).toBe('failed');
  });
});

describe("onToolFailure: 'stop'", () => {
  it('ends the run at the first failed call, caught or not, and starts nothing after it', async () => {
    const seen: number[] = [];
    const execute = async ({ n }: { n: number }) => {
      seen.push(n);
      if (n === 2) throw new Error('quota used up');
      return n;
    };
    const s = session({ onToolFailure: 'stop', tools: [echo({ execute })] });
    const outcome = await s.run(
      `await tools.echo({ n: 1 });\ntry { await tools.echo({ n: 2 }) } catch {}\nawait tools.echo({ n: 3 });\nreturn 'done'`,
    ).outcome;
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'tool_error', site: { line: 2 }, message: expect.stringContaining('quota used up') },
      calls: [{ status: 'succeeded' }, { status: 'failed' }],
    });
    expect(seen).toEqual([1, 2]);
  });
});

describe('an approval', () => {
  const pay = (over: Partial<Tool> = {}): Tool =>
    echo({
      name: 'pay',
      needsApproval: true,
      inputSchema: {
        type: 'object',
        properties: { to: { type: 'string' }, amount: { type: 'number' } },
        required: ['to', 'amount'],
      },
      describeCall: ({ to, amount }) => `Pay ${amount} to ${to}?`,
      ...over,
    });
  const PROGRAM = `try { return await tools.pay({ to: 'ana', amount: 900 }) } catch (e) { return [e.name, e.code, e.message] }`;

  const decided = async (options: Partial<CodeModeOptions>, decide: (s: Session, id: string) => unknown, code = PROGRAM) => {
    const s = session({ tools: [pay()], ...options });
    const run = s.run(code);
    const [id = ''] = await pending(s);
    await decide(s, id);
    return { s, id, outcome: await run.outcome };
  };

  it('holds the call until a person allows it', async () => {
    const execute = vi.fn((input) => input);
    const s = session({ tools: [pay({ execute })] });
    const run = s.run(PROGRAM);
    const [id = ''] = await pending(s);
    await wait(50);
    expect(execute).not.toHaveBeenCalled();
    expect(s.store.getState().runs[run.id]?.status).toBe('waiting');
    expect(callById(s.store.getState(), id)?.approval).toMatchObject({ question: 'Pay 900 to ana?', risk: 'write' });
    expect(await s.decide(id, { kind: 'allow' })).toEqual({ applied: true });
    expect(await run.outcome).toMatchObject({ status: 'completed', value: { to: 'ana', amount: 900 } });
    expect(typesOf(s.journal.events).filter((type) => /approval|started|waiting|resumed/.test(type))).toEqual([
      'run.started',
      'approval.requested',
      'run.waiting',
      'approval.decided',
      'run.resumed',
      'tool_call.started',
    ]);
  });

  it('that is denied gives the program the reason', async () => {
    const { outcome, s, id } = await decided({}, (each, call) => each.decide(call, { kind: 'deny', reason: 'over the limit' }));
    expect(outcome).toMatchObject({
      value: ['ToolDeniedError', 'tool_denied', expect.stringContaining('over the limit')],
      calls: [{ status: 'denied' }],
    });
    expect(callById(s.store.getState(), id)?.startedAt).toBeUndefined();
  });

  it('takes an edited input only when the schema does, and runs exactly that', async () => {
    const { outcome, s, id } = await decided({}, async (each, call) => {
      expect(await each.decide(call, { kind: 'allow', input: { to: 'ana' } })).toMatchObject({
        applied: false,
        why: 'invalid_input',
        issues: [{ path: ['amount'] }],
      });
      expect(await each.decide(call, { kind: 'allow', input: { to: 'ana', amount: 10 } })).toEqual({ applied: true });
    });
    expect(outcome).toMatchObject({ value: { amount: 10 } });
    expect(callById(s.store.getState(), id)).toMatchObject({
      input: { inline: expect.stringContaining('900') },
      effectiveInput: { inline: expect.stringContaining('10') },
    });
  });

  it('is refused when it was made about another input than the one that would run', async () => {
    await decided({}, async (each, call) => {
      expect(await each.decide(call, { kind: 'allow', inputDigest: 'another' })).toMatchObject({
        applied: false,
        why: 'invalid_input',
      });
      await each.decide(call, { kind: 'deny' });
    });
  });

  it('lets a person answer instead of the tool', async () => {
    const execute = vi.fn();
    const { outcome } = await decided({ tools: [pay({ execute })] }, (each, call) =>
      each.decide(call, { kind: 'answer', output: { paid: 'by hand' } }),
    );
    expect(outcome).toMatchObject({ value: { paid: 'by hand' } });
    expect(execute).not.toHaveBeenCalled();
  });

  it('can cancel the whole run', async () => {
    const { outcome } = await decided({}, (each, call) => each.decide(call, { kind: 'cancelRun', reason: 'stop it' }));
    expect(outcome).toMatchObject({ status: 'cancelled', reason: 'stop it', calls: [{ status: 'cancelled' }] });
  });

  it('counts once, however often it is given', async () => {
    const execute = vi.fn((input) => input);
    const { s, id } = await decided({ tools: [pay({ execute })] }, async (each, call) => {
      const receipts = await Promise.all([
        each.decide(call, { kind: 'allow' }),
        each.decide(call, { kind: 'allow' }),
        each.decide(call, { kind: 'deny' }),
      ]);
      expect(receipts.map((receipt) => receipt.applied)).toEqual([true, false, false]);
    });
    expect(execute).toHaveBeenCalledTimes(1);
    expect(await s.decide(id, { kind: 'allow' })).toEqual({ applied: false, why: 'already_decided' });
  });

  it('ends with its run, and a late click changes nothing', async () => {
    const execute = vi.fn();
    const s = session({ tools: [pay({ execute })] });
    const run = s.run(PROGRAM);
    const [id = ''] = await pending(s);
    run.cancel('enough');
    expect(await run.outcome).toMatchObject({ status: 'cancelled', reason: 'enough', calls: [{ status: 'cancelled' }] });
    expect(await s.decide(id, { kind: 'allow' })).toEqual({ applied: false, why: 'ended' });
    expect(s.store.getState().pending).toEqual([]);
    expect(execute).not.toHaveBeenCalled();
  });

  it('is charged to no budget', async () => {
    const { outcome } = await decided({ limits: { timeoutMs: 1_000, maxDurationMs: 2_000 } }, async (each, call) => {
      await wait(2_500);
      await each.decide(call, { kind: 'allow' });
    });
    expect(outcome.status).toBe('completed');
  });

  it('that nobody gives in time is a denial', async () => {
    const clock = createFakeClock();
    const s = session({ tools: [pay()], approvalTimeoutMs: 1_000, clock });
    const run = s.run(PROGRAM);
    const [id = ''] = await pending(s);
    clock.advance(999);
    expect(s.store.getState().pending).toEqual([id]);
    clock.advance(1);
    expect(await run.outcome).toMatchObject({
      value: ['ToolDeniedError', 'approval_expired', expect.stringContaining('expired')],
    });
  });

  it('for the rest of the run covers the calls that already wait and those that come, and no later run', async () => {
    const s = session({ tools: [pay()] });
    const run = s.run(
      `const p = (n) => tools.pay({ to: 'a', amount: n }); await Promise.all([p(1), p(2), p(3)]); await p(4); return 'done'`,
    );
    const ids = await pending(s, 3);
    await s.decide(ids[0] ?? '', { kind: 'allow', scope: 'run' });
    expect(await run.outcome).toMatchObject({ value: 'done' });
    const again = s.run(PROGRAM);
    const [id = ''] = await pending(s);
    await s.decide(id, { kind: 'deny' });
    await again.outcome;
  });

  it('is asked for every time for a danger tool', async () => {
    const s = session({
      tools: [pay({ risk: 'danger', needsApproval: false })],
      policy: [{ effect: 'allow' }],
      onToolCall: () => ({ allowed: true }),
    });
    const run = s.run(`for (const amount of [1, 2]) await tools.pay({ to: 'a', amount }); return 'done'`);
    for (const _ of [1, 2]) {
      const [id = ''] = await pending(s);
      await s.decide(id, { kind: 'allow', scope: 'session' });
      await until(() => expect(s.store.getState().pending).not.toContain(id));
    }
    expect(await run.outcome).toMatchObject({ value: 'done' });
  });

  it('does not run a tool whose definition changed meanwhile', async () => {
    const execute = vi.fn();
    const codeMode = createCodeMode({ tools: [pay({ execute })], executor });
    open.add(codeMode);
    const s = codeMode.session();
    const run = s.run(PROGRAM);
    const [id = ''] = await pending(s);
    codeMode.update({ tools: [pay({ execute, description: 'Pays twice.' })] });
    await s.decide(id, { kind: 'allow' });
    expect(await run.outcome).toMatchObject({ value: ['ToolDeniedError', 'tool_denied', expect.stringContaining('changed')] });
    expect(execute).not.toHaveBeenCalled();
  });

  it('shows a neutral question when describeCall fails', async () => {
    const { s, id } = await decided(
      {
        tools: [
          pay({
            describeCall: () => {
              throw new Error('x');
            },
          }),
        ],
      },
      (each, call) => each.decide(call, { kind: 'allow' }),
    );
    expect(callById(s.store.getState(), id)?.approval?.question).toBe('Run pay?');
  });
});

describe('the application’s own say', () => {
  it('changes an input, which is validated and shown as changed', async () => {
    const s = session({
      tools: [echo({ inputSchema: { type: 'object', properties: { n: { type: 'number' } } } })],
      onToolCall: ({ input }) => ({ allowed: true, input: { n: (input as { n: number }).n * 2 } }),
    });
    expect(await s.run('return (await tools.echo({ n: 4 })).n').outcome).toMatchObject({ value: 8 });
    const bad = session({
      tools: [echo({ inputSchema: { type: 'object', properties: { n: { type: 'number' } } } })],
      onToolCall: () => ({ allowed: true, input: { n: 'x' } }),
    });
    expect(await bad.run('return tools.echo({ n: 4 })').outcome).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_input' },
    });
  });

  it('gets a copy of its own: what it does to it reaches nobody', async () => {
    const execute = vi.fn((input) => input);
    const s = session({
      tools: [echo({ execute })],
      onToolCall: ({ input }) => {
        (input as { n: number }).n = 99;
        return { allowed: true };
      },
    });
    expect(await s.run('return (await tools.echo({ n: 4 })).n').outcome).toMatchObject({ value: 4 });
    expect(execute).toHaveBeenCalledWith({ n: 4 }, expect.anything());
  });

  it('that fails denies, and keeps its words from the program', async () => {
    const execute = vi.fn();
    const s = session({
      tools: [echo({ execute })],
      onToolCall: () => {
        throw new Error('db-host-9 unreachable');
      },
    });
    const outcome = await s.run('try { await tools.echo({}) } catch (e) { return [e.code, e.message] }').outcome;
    expect(outcome).toMatchObject({ value: ['policy_failed', expect.not.stringContaining('db-host-9')] });
    expect(execute).not.toHaveBeenCalled();
  });

  it('hides a tool so that nothing reveals it', async () => {
    const s = session({ tools: [echo(), echo({ name: 'echo2' })], policy: [{ match: 'echo2', effect: 'hide' }] });
    const outcome = await s.run(`try { await tools.echo2({}) } catch (e) { return [e.code, e.message.replace(/"echo2"/, '')] }`)
      .outcome;
    expect(outcome).toMatchObject({ value: ['tool_not_found', expect.not.stringContaining('echo2')] });
    expect((await s.modelTools.getTools.run({})).text).not.toContain('echo2');
  });
});

describe('cancelling', () => {
  it('aborts the handler, drops its late result and lets the next run work', async () => {
    const calls: number[] = [];
    let aborted = false;
    const s = session({
      tools: [
        echo({
          name: 'slow',
          execute: async ({ id }, { signal }) => {
            calls.push(id);
            signal.addEventListener('abort', () => (aborted = true));
            await wait(120);
            return id;
          },
        }),
      ],
    });
    const run = s.run('await tools.slow({ id: 1 }); await tools.slow({ id: 2 }); return "paid"');
    await until(() => expect(calls).toEqual([1]));
    run.cancel('stop');
    const outcome = await run.outcome;
    await wait(200);
    expect(outcome).toMatchObject({
      status: 'cancelled',
      reason: 'stop',
      calls: [{ status: 'cancelled', mayHaveApplied: true }],
    });
    expect(callById(s.store.getState(), `${run.id}:1`)?.status).toBe('cancelled');
    expect([calls, aborted]).toEqual([[1], true]);
    expect(await s.run('return 2').outcome).toMatchObject({ value: 2 });
  });

  it('works by signal, before the start and while it computes', async () => {
    const s = session({});
    expect(await s.run('return 1', { signal: AbortSignal.abort('early') }).outcome).toMatchObject({
      status: 'cancelled',
      reason: 'early',
    });
    const controller = new AbortController();
    const run = s.run('for (;;) {}', { signal: controller.signal });
    await until(() => expect(s.store.getState().runs[run.id]?.status).toBe('running'));
    controller.abort();
    expect((await run.outcome).status).toBe('cancelled');
    expect(await s.run('return 2').outcome).toMatchObject({ value: 2 });
  });

  it('a queued run leaves the first alone', async () => {
    const s = session({ tools: [echo({ name: 'slow', execute: () => wait(50) })] });
    const first = s.run('await tools.slow({}); return 1');
    const second = s.run('return 2');
    second.cancel();
    expect((await second.outcome).status).toBe('cancelled');
    expect(await first.outcome).toMatchObject({ value: 1 });
  });

  it('comes with the end of the session, which then refuses', async () => {
    const s = session({ tools: [echo({ needsApproval: true })] });
    const run: Run = s.run('return tools.echo({})');
    await pending(s);
    await s[Symbol.asyncDispose]();
    expect((await run.outcome).status).toBe('cancelled');
    expect(() => s.run('return 1')).toThrow(CodeModeError);
  });
});

describe('attempts', () => {
  const attempt = async (s: Session, code: string): Promise<string> => (await s.modelTools.executeCode.run({ code })).text;

  it('are counted until the model was told to stop, and begin anew after that', async () => {
    const s = session({ maxRetries: 2 });
    expect(await attempt(s, 'throw new Error("a")')).toContain('1 attempt left');
    expect(await attempt(s, 'throw new Error("b")')).toContain('No attempts left');
    expect(await attempt(s, 'throw new Error("c")')).toContain('1 attempt left');
  });

  it('are not used up by a denial', async () => {
    const s = session({ maxRetries: 2, tools: [echo()], policy: [{ effect: 'deny' }] });
    expect(await attempt(s, 'await tools.echo({})')).toContain('2 attempts left');
  });
});

describe('what cannot work is said before anything runs', () => {
  it.each<[string, unknown, string, string]>([
    ['two tools of one name', { tools: [echo(), echo()] }, 'invalid_tool', 'echo'],
    ['an unusable schema', { tools: [echo({ inputSchema: { type: 'objekt' } })] }, 'invalid_tool', 'echo'],
    ['an unknown option', { tools: [], tooools: [] }, 'invalid_options', 'tooools'],
  ])('%s', (_, options, code, word) => {
    let thrown: unknown;
    try {
      createCodeMode(options as CodeModeOptions);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code, message: expect.stringContaining(word) });
  });

  it('a program that is no text', () => {
    expect(() => session({}).run(7 as never)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });

  it('a journal that cannot be opened runs nothing', async () => {
    const execute = vi.fn();
    const s = session({
      tools: [echo({ execute })],
      storage: { ...memoryStorage(), open: () => Promise.reject(new Error('blocked')) },
    });
    expect(await s.run('return tools.echo({})').outcome).toMatchObject({ status: 'failed', error: { code: 'storage_error' } });
    expect(execute).not.toHaveBeenCalled();
  });

  it('a call whose start cannot be recorded does not run', async () => {
    const execute = vi.fn();
    const memory = memoryStorage();
    const storage = {
      ...memory,
      open: (id: string) => {
        const log = memory.open(id) as Awaited<ReturnType<typeof memory.open>>;
        return {
          ...log,
          append: (events: readonly JournalEvent[], o: { durable: boolean }) =>
            o.durable ? Promise.reject(new Error('quota')) : log.append(events, o),
        };
      },
    };
    const s = session({ tools: [echo({ execute })], storage });
    expect(await s.run('return tools.echo({})').outcome).toMatchObject({ status: 'failed', error: { code: 'storage_error' } });
    expect(execute).not.toHaveBeenCalled();
  });
});

describe('an executor that is not to be believed', () => {
  const NOTHING = { warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0 };
  const liar = (execute: Executor['execute']): Executor => ({
    ...executor,
    engine: 'liar',
    execute,
    [Symbol.asyncDispose]: async () => undefined,
  });

  it.each(['', '{', 'undefined', '['.repeat(100_000) + ']'.repeat(100_000), '{"$t":"nothing"}'])(
    'cannot make an outcome reject with the value %.20s',
    async (value) => {
      const s = session({ executor: liar(async () => ({ ...NOTHING, status: 'completed', value })) });
      expect((await s.run('return 1').outcome).status).toMatch(/failed|completed/);
    },
  );

  it('reaches no tool outside of the catalogue and no prototype', async () => {
    const names = ['constructor', '__proto__', 'toString', 'hidden', ''];
    const codes: string[] = [];
    const s = session({
      tools: [echo(), echo({ name: 'hidden' })],
      select: { exclude: ['hidden'] },
      executor: liar(async ({ runId }, host) => {
        host.started({ fresh: true });
        host.frame({
          runId,
          seq: 1,
          output: [{ kind: 'emit', value: '{' }],
          delivered: [],
          clock: [],
          calls: [],
          computeMs: 0,
          memoryBytes: 0,
          quiescent: true,
        });
        for (const [index, tool] of names.entries()) {
          const reply = await host.call({ id: index + 1, kind: 'tool', tool, input: '{}' });
          codes.push(reply.ok ? 'ran' : reply.error.code);
        }
        const deep = await host.call({ id: 9, kind: 'tool', tool: 'echo', input: '['.repeat(100_000) + ']'.repeat(100_000) });
        codes.push(deep.ok ? 'ran' : deep.error.code);
        return { ...NOTHING, status: 'completed', value: undefined };
      }),
    });
    expect((await s.run('return 1').outcome).status).toBe('completed');
    expect(codes).toEqual([...names.map(() => 'tool_not_found'), 'invalid_input']);
  });

  it('that throws ends the run with a code', async () => {
    const s = session({ executor: liar(() => Promise.reject(new Error('internal path'))) });
    const outcome = await s.run('return 1').outcome;
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'executor_crashed' } });
    expect(JSON.stringify(outcome)).not.toContain('internal path');
  });
});

describe('a tool called without a program', () => {
  it('goes through the same policy, approval and trace', async () => {
    const execute = vi.fn(() => 5);
    const s = session({ tools: [echo({ execute, needsApproval: true })] });
    const run = s.callTool('echo', { n: 1 });
    const [id = ''] = await pending(s);
    await s.decide(id, { kind: 'allow' });
    expect(await run.outcome).toMatchObject({ status: 'completed', value: 5, calls: [{ tool: 'echo', status: 'succeeded' }] });
    expect(await s.callTool('ecko', {}).outcome).toMatchObject({
      status: 'failed',
      error: { code: 'tool_not_found', message: expect.stringContaining('echo') },
    });
    const cancelled = s.callTool('echo', {});
    await pending(s);
    cancelled.cancel();
    expect((await cancelled.outcome).status).toBe('cancelled');
    expect(execute).toHaveBeenCalledTimes(1);
  });
});

describe('defineTool', () => {
  it('keeps a tool as it is', () => {
    const tool = defineTool({ name: 'a', execute: (input: { n: number }) => input.n });
    expect(tool.execute({ n: 2 }, {} as never)).toBe(2);
  });
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
