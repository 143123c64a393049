/** Rules as an application sees them: limits, hiding, rules of a session, presets, explanations. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import type { Tool } from '../catalog/tool.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import { askForWrites, denyAll, readOnlyAllowed, simulate } from '../policy/presets.ts';
import type { PolicyRule } from '../policy/types.ts';
import { callById } from '../store/calls.ts';
import { explainPolicy } from './explain-policy.ts';
import { previewGrant, waitingCalls } from './preview-grant.ts';
import { createScriptedBench, type Call, waiting } from './test-tools/scripted.ts';

const bench = createScriptedBench();
const pay = (over: Partial<Tool> = {}): Tool => ({ name: 'payments.send', execute: ({ amount }) => amount, ...over });
const codeOf = (thrown: unknown): string => (thrown as { code: string }).code;

describe('a limit of a rule', () => {
  const limited = (max: NonNullable<PolicyRule['max']>, effect: 'allow' | 'ask' = 'allow'): PolicyRule => ({
    match: 'payments.*',
    effect,
    max,
  });

  it('lets so many calls of a run through and denies the next', async () => {
    const execute = vi.fn(() => 1);
    const three = async (call: Call) => {
      await call('payments.send');
      await call('payments.send');
      return call('payments.send').catch((error: Error) => error.message);
    };
    const s = bench.session({ three }, { tools: [pay({ execute })], policy: [limited({ calls: 2, per: 'run' })] });
    for (const _ of ['a run', 'the next, which begins anew']) {
      const outcome = await s.run('three').outcome;
      expect(outcome).toMatchObject({ status: 'completed', value: expect.stringContaining('at most 2 calls') });
    }
    expect(execute).toHaveBeenCalledTimes(4);
    expect(Object.values(s.store.getState().runs).flatMap(({ calls }) => calls.map(({ status }) => status))).toEqual([
      'succeeded',
      'succeeded',
      'denied',
      'succeeded',
      'succeeded',
      'denied',
    ]);
  });

  it('is taken at the start, so that parallel calls cannot pass together', async () => {
    const ran: number[] = [];
    const execute = async ({ amount }: { amount: number }) => {
      ran.push(amount);
      await Promise.resolve();
    };
    const both = (call: Call) => Promise.allSettled([60, 30, 50].map((amount) => call('payments.send', { amount })));
    const s = bench.session(
      { both: async (call) => (await both(call)).map(({ status }) => status) },
      { tools: [pay({ execute })], policy: [limited({ sum: { path: 'amount', atMost: 100 }, per: 'run' })] },
    );
    expect(await s.run('both').outcome).toMatchObject({ value: ['fulfilled', 'fulfilled', 'rejected'] });
    expect(ran).toEqual([60, 30]);
  });

  it('counts over the runs of a session, sums lists, and stands at the bound without rounding', async () => {
    const s = bench.session(
      { pay: (call) => call('payments.send', { lines: [{ price: 0.1 }, { price: 0.2 }] }) },
      { tools: [pay()], policy: [limited({ sum: { path: 'lines[*].price', atMost: 0.6 }, per: 'session' })] },
    );
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await s.run('pay').outcome).status);
    expect(statuses).toEqual(['completed', 'completed', 'failed']);
  });

  it('of a session holds after the page was loaded anew', async () => {
    const storage = memoryStorage();
    const options = { tools: [pay()], storage, policy: [limited({ calls: 1, per: 'session' })] };
    const program = { pay: (call: Call) => call('payments.send') };
    const first = bench.codeMode(program, options);
    await first.session({ id: 's' }).run('pay').outcome;
    await first[Symbol.asyncDispose]();
    const outcome = await bench
      .session(program, { ...options, policy: [limited({ calls: 1, per: 'session' })] }, { id: 's' })
      .run('pay').outcome;
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'tool_denied' } });
  });

  it('is given back by a read that failed, and by nothing else', async () => {
    const attempt = async (risk: 'read' | 'write') => {
      const execute = () => {
        throw new Error('no network');
      };
      const twice = async (call: Call) => {
        await call('payments.send').catch(() => 0);
        return call('payments.send').catch(codeOf);
      };
      const s = bench.session({ twice }, { tools: [pay({ risk, execute })], policy: [limited({ calls: 1, per: 'run' })] });
      const outcome = await s.run('twice').outcome;
      return outcome.status === 'completed' && outcome.value;
    };
    expect(await attempt('read')).toBe('tool_error');
    expect(await attempt('write')).toBe('tool_denied');
  });

  it.each([
    ['a negative amount', { amount: -5 }],
    ['no number', { amount: 'much' }],
    ['nothing there', {}],
  ])('denies what cannot be counted: %s', async (_, input) => {
    const rule = limited({ sum: { path: 'amount', atMost: 100 }, per: 'run' });
    const s = bench.session({ pay: (call) => call('payments.send', input).catch(codeOf) }, { tools: [pay()], policy: [rule] });
    expect(await s.run('pay').outcome).toMatchObject({ value: 'policy_failed' });
  });

  it('can ask a person about what is beyond, whatever was permitted before', async () => {
    const rule = limited({ calls: 1, per: 'run', beyond: 'ask' }, 'ask');
    const three = (call: Call) => Promise.all([1, 2, 3].map((amount) => call('payments.send', { amount })));
    const s = bench.session({ three: async (call) => (await three(call)).length }, { tools: [pay()], policy: [rule] });
    const run = s.run('three');
    const [first = '', ...others] = await waiting(s, 3);
    // The permission covers the others as far as the limit lets it.
    expect(await s.decide(first, { kind: 'allow', scope: 'session' })).toMatchObject({ applied: true });
    await vi.waitFor(() => expect(s.store.getState().pending).toHaveLength(2));
    for (const id of others) {
      expect(callById(s.store.getState(), id)?.approval?.reason).toContain('beyond the limit of the run');
      // Neither here nor in a page that follows is more offered than this call.
      const offered = s.grants.preview(id, { scope: 'session' });
      expect(offered).toMatchObject({ ok: false, issues: [{ message: 'this call can only be decided by itself' }] });
      expect(previewGrant(waitingCalls(s.store.getState()), id, { scope: 'session' }, false)).toEqual(offered);
      expect(await s.decide(id, { kind: 'allow' })).toEqual({ applied: true });
    }
    expect((await run.outcome).status).toBe('completed');
  });

  it('is refused where it bounds nothing or is misspelt', () => {
    const refused = (rule: object) => expect(() => bench.session({}, { policy: [rule as PolicyRule] })).toThrow(/policy\[0\]/);
    refused({ effect: 'deny', max: { calls: 1, per: 'run' } });
    refused({ effect: 'allow', max: { per: 'run' } });
    refused({ effect: 'allow', max: { calls: 1, per: 'day' } });
    refused({ effect: 'allow', max: { calls: -1, per: 'run' } });
    refused({ effect: 'allow', max: { sum: { path: 'a..b', atMost: 1 }, per: 'run' } });
    refused({ effect: 'allow', max: { calls: 1, per: 'run', beyound: 'ask' } });
  });
});

describe('a hidden tool', () => {
  const secret = (): Tool => ({
    name: 'admin.wipe',
    description: 'Wipes.',
    inputSchema: { type: 'object', properties: { all: { type: 'boolean' } }, required: ['all'] },
    execute: () => 'wiped',
  });
  const policy: PolicyRule[] = [{ match: 'admin.*', effect: 'hide', reason: 'only for operators' }];

  const executor = createNodeExecutor();
  afterAll(() => executor[Symbol.asyncDispose]());

  it('is not listed, and calling it gives what calling no tool gives', async () => {
    const s = bench.session({}, { executor, tools: [secret(), pay()], policy });
    const code = `const tries = [];
      for (const name of ['admin.wipe', 'admin.nope']) {
        try { await tools[name]({ all: 1 }); } catch (e) { tries.push(e.name + ' ' + e.code + ' ' + e.message + JSON.stringify(e.data)); }
      }
      return { tries, found: await codemode.search('wipe'), all: Object.keys(tools) };`;
    const outcome = await s.run(code).outcome;
    const { tries, found, all } = outcome.status === 'completed' ? (outcome.value as Record<string, string[]>) : {};
    expect(tries?.[0]?.replaceAll('wipe', 'nope')).toBe(tries?.[1]);
    expect(JSON.stringify([found, all])).not.toContain('wipe');
    for (const tool of [s.modelTools.getTools.run({}), s.modelTools.getToolDefinition.run({ names: ['admin.wipe'] })])
      expect(JSON.stringify((await tool).text.replace('admin.wipe', ''))).not.toContain('ipes');
  });

  it('that was hidden while the program ran tells nothing either, not even by its schema', async () => {
    const both = async (call: Call) => {
      await call('payments.send', { amount: 1 });
      const tries = [];
      for (const name of ['admin.wipe', 'admin.nope'])
        tries.push(await call(name, { all: 'no boolean' }).catch((e: Error) => e.message));
      return tries;
    };
    const codeMode = bench.codeMode({ both }, { tools: [secret(), pay({ execute: () => codeMode.update({ policy }) })] });
    const s = codeMode.session();
    const outcome = await s.run('both').outcome;
    const [hidden = '', absent = ''] = outcome.status === 'completed' ? (outcome.value as string[]) : [];
    expect(hidden.replaceAll('wipe', 'nope')).toBe(absent);
    expect(outcome.calls.slice(1).map(({ status, error }) => [status, error?.code])).toEqual([
      ['failed', 'tool_not_found'],
      ['failed', 'tool_not_found'],
    ]);
  });

  it('may be hidden by the context alone', async () => {
    const rule: PolicyRule<{ role: string }> = {
      match: ({ name }, { role }) => name === 'admin.wipe' && role !== 'admin',
      effect: 'hide',
    };
    const codeMode = bench.codeMode<{ role: string }>({}, { tools: [secret()], policy: [rule] });
    const listed = async (role: string) => (await codeMode.session({ context: { role } }).modelTools.getTools.run({})).text;
    expect(await listed('guest')).not.toContain('admin.wipe');
    expect(await listed('admin')).toContain('admin.wipe');
  });
});

describe('rules of a session', () => {
  it('stand beside those of the application and can only be stricter', async () => {
    const options = { tools: [pay()], policy: [{ match: 'payments.*', effect: 'deny', reason: 'closed' } as const] };
    const program = { pay: (call: Call) => call('payments.send').catch(codeOf) };
    const strict = bench.session(program, { ...options, policy: [] }, { policy: options.policy });
    expect(await strict.run('pay').outcome).toMatchObject({ value: 'tool_denied' });
    const loose = bench.session(program, options, { policy: [{ effect: 'allow' }] });
    expect(await loose.run('pay').outcome).toMatchObject({ value: 'tool_denied' });
  });

  it('hide tools of that session only', async () => {
    const codeMode = bench.codeMode({}, { tools: [pay()] });
    const own = codeMode.session({ policy: [{ effect: 'hide' }] });
    expect((await own.modelTools.getTools.run({})).text).not.toContain('payments.send');
    expect((await codeMode.session().modelTools.getTools.run({})).text).toContain('payments.send');
  });
});

describe('the ready rules', () => {
  const tools = [
    pay({ name: 'read', risk: 'read', execute: () => 'data' }),
    pay({ name: 'write' }),
    pay({ name: 'wipe', risk: 'danger' }),
  ];
  const effects = async (policy: readonly PolicyRule[]) =>
    Promise.all(tools.map(async (tool) => (await explainPolicy({ tool, policy })).effect));

  it('say what their names say', async () => {
    expect(await effects(readOnlyAllowed)).toEqual(['allow', 'deny', 'deny']);
    expect(await effects(askForWrites)).toEqual(['allow', 'ask', 'ask']);
    expect(await effects(denyAll)).toEqual(['deny', 'deny', 'deny']);
    expect(await effects(simulate)).toEqual(['allow', 'simulate', 'simulate']);
  });

  it('simulate: records what was intended, runs nothing, asks nobody, and answers with what fits', async () => {
    const execute = vi.fn();
    const outputSchema = { type: 'object', properties: { id: { type: 'string', minLength: 3 } }, required: ['id'] } as const;
    const s = bench.session(
      { pay: (call) => call('payments.send', { amount: 5 }) },
      { tools: [pay({ execute, outputSchema, needsApproval: true })], policy: simulate },
    );
    const outcome = await s.run('pay').outcome;
    expect(outcome).toMatchObject({
      status: 'completed',
      value: { id: 'aaa' },
      warnings: [{ code: 'simulated', calls: [1] }],
      calls: [{ status: 'succeeded', simulated: true, mayHaveApplied: false }],
    });
    expect(execute).not.toHaveBeenCalled();
    const events = s.journal.events.filter(({ type }) => type.startsWith('tool_call') || type.startsWith('approval'));
    expect(events.map(({ type }) => type)).toEqual(['tool_call.requested', 'tool_call.succeeded']);
    const call = s.store.getState().runs[s.store.getState().runOrder[0]!]?.calls[0];
    expect(await s.readValue(call!.input)).toEqual({ amount: 5 });
    const text = (await s.modelTools.executeCode.run({ code: 'pay' }, { callId: 'm' })).text;
    expect(text).toContain('only simulated');
  });

  it('simulate: fails a call whose output cannot be made up', async () => {
    const impossible = { type: 'string', allOf: [{ const: 'a' }, { const: 'b' }] } as const;
    const s = bench.session(
      { pay: (call) => call('payments.send').catch(codeOf) },
      { tools: [pay({ outputSchema: impossible })], policy: simulate },
    );
    expect(await s.run('pay').outcome).toMatchObject({
      value: 'policy_failed',
      calls: [{ status: 'failed', mayHaveApplied: false }],
    });
  });
});

describe('an explanation', () => {
  it('names the rule that decided and all that spoke, and changes nothing', async () => {
    const asked = vi.fn(() => undefined);
    const s = bench.session<{ user: string }>(
      {},
      {
        tools: [pay({ needsApproval: true })],
        onToolCall: asked,
        policy: [
          { match: 'payments.*', effect: 'allow' },
          {
            name: 'no guests',
            match: 'payments.*',
            when: (_input, { user }) => user === 'guest',
            effect: 'deny',
            reason: 'sign in',
          },
        ],
      },
      { context: { user: 'guest' } },
    );
    const said = await s.explainPolicy({ tool: 'payments.send', input: { amount: 1 } });
    expect(said).toMatchObject({
      effect: 'deny',
      by: 'rule',
      rule: 'no guests',
      ruleIndex: 1,
      reason: 'sign in',
      mayBeStricter: false,
    });
    expect(said.words).toBe('payments.send is denied by the rule "no guests": sign in.');
    expect(said.voices.map(({ effect, rule }) => [effect, rule])).toEqual([
      ['allow', 'payments.* (rule 1)'],
      ['deny', 'no guests'],
    ]);
    expect(asked).not.toHaveBeenCalled();
    expect(s.journal.events.filter(({ type }) => type !== 'catalog.changed')).toEqual([]);
  });

  it('says that a tool is hidden, absent, or waits for a person although a rule allows it', async () => {
    const s = bench.session(
      {},
      {
        tools: [pay({ risk: 'danger' }), pay({ name: 'admin.x' })],
        policy: [{ effect: 'allow' }, { match: 'admin.*', effect: 'hide' }],
      },
    );
    expect(await s.explainPolicy({ tool: 'payments.send' })).toMatchObject({
      effect: 'ask',
      by: 'needs_approval',
      mayBeStricter: false,
    });
    expect(await s.explainPolicy({ tool: 'admin.x' })).toMatchObject({ effect: 'hide', rule: 'admin.* (rule 2)' });
    expect(await s.explainPolicy({ tool: 'nope' })).toMatchObject({ effect: 'deny', reason: 'there is no such tool' });
  });

  it('knows limits that are used up', async () => {
    const rule: PolicyRule = { effect: 'allow', max: { calls: 1, per: 'session' } };
    const s = bench.session({ pay: (call) => call('payments.send') }, { tools: [pay()], policy: [rule] });
    expect((await s.explainPolicy({ tool: 'payments.send' })).effect).toBe('allow');
    await s.run('pay').outcome;
    expect(await s.explainPolicy({ tool: 'payments.send' })).toMatchObject({ effect: 'deny', rule: '* (rule 1)' });
  });

  it('stands in the trace of the call that was judged', async () => {
    const s = bench.session({ pay: (call) => call('payments.send').catch(codeOf) }, { tools: [pay()], policy: denyAll });
    await s.run('pay').outcome;
    const [call] = s.store.getState().runs[s.store.getState().runOrder[0]!]!.calls;
    expect(call).toMatchObject({ status: 'denied', policy: { effect: 'deny', by: 'rule', rule: 'denyAll' } });
  });
});
