/** What a person's "yes" is remembered for, how it is listed, and how it is taken back. */
import { describe, expect, it, vi } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import type { JournalLog } from '../journal/storage.ts';
import type { Decision, GrantStore, StoredGrant } from '../policy/types.ts';
import { callById } from '../store/calls.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createCodeMode } from './create-code-mode.ts';
import { type Call, createScriptedBench, scriptedExecutor, waiting } from './test-tools/scripted.ts';
import type { Session } from './types.ts';

const bench = createScriptedBench();
const pay = (over: Partial<Tool> = {}): Tool => ({ name: 'pay', needsApproval: true, execute: ({ amount }) => amount, ...over });
/** Three payments, one after the other. */
const three = async (call: Call) => {
  for (const amount of [10, 10, 90]) await call('pay', { amount });
  return 'done';
};
const programs = { three, one: (call: Call) => call('pay', { amount: 10 }) };

/** Answers each question with the next decision; the amounts that were asked about. */
async function asked(session: Session, source: string, decisions: readonly Decision[]): Promise<readonly unknown[]> {
  const amounts: unknown[] = [];
  const run = session.run(source);
  let over = false;
  void run.outcome.then(() => (over = true));
  for (const decision of decisions) {
    await vi.waitFor(() => expect(over || session.store.getState().pending.length > 0).toBe(true), {
      timeout: 15_000,
      interval: 2,
    });
    const [id] = session.store.getState().pending;
    if (over || id === undefined) break;
    const approval = callById(session.store.getState(), id)?.approval;
    amounts.push(((await session.readValue(approval!.input)) as { amount: number }).amount);
    expect(await session.decide(id, decision)).toMatchObject({ applied: true });
  }
  await run.outcome;
  return amounts;
}

const once: Decision = { kind: 'allow' };

describe('a permission', () => {
  it.each<[string, Decision, readonly number[]]>([
    ['once', { kind: 'allow' }, [10, 10, 90]],
    ['this run', { kind: 'allow', scope: 'run' }, [10]],
    ['this exact input', { kind: 'allow', scope: 'run', match: 'input' }, [10, 90]],
    ['a rule in words', { kind: 'allow', scope: 'run', match: { rule: 'amount <= 50' } }, [10, 90]],
    ['the next identical call', { kind: 'allow', scope: { next: 1 } }, [10, 90]],
    ['the next call of the tool', { kind: 'allow', scope: { next: 1 }, match: 'tool' }, [10, 90]],
    ['the next two of the tool', { kind: 'allow', scope: { next: 2 }, match: 'tool' }, [10]],
  ])('for %s covers just that', async (_, decision, wanted) => {
    const s = bench.session(programs, { tools: [pay()] });
    expect(await asked(s, 'three', [decision, once, once])).toEqual(wanted);
    // Of a run nothing is left for the next.
    expect(await asked(s, 'one', [once])).toEqual([10]);
    expect(s.grants.list).toEqual([]);
  });

  it('for the session covers later runs and is listed in words until it is taken back', async () => {
    const s = bench.session(programs, { tools: [pay()] });
    await asked(s, 'one', [{ kind: 'allow', scope: 'session', match: { rule: 'amount<=50 && amount != 7' } }]);
    expect(await asked(s, 'three', [once])).toEqual([90]);
    const [grant] = s.grants.list;
    expect(grant).toMatchObject({
      tool: 'pay',
      scope: 'session',
      words: 'pay where amount <= 50 and amount != 7, for this session',
      used: 2,
    });
    expect(await s.grants.revoke(grant!.id)).toBe(true);
    expect(await s.grants.revoke(grant!.id)).toBe(false);
    expect(s.store.getState().grants).toEqual([]);
    expect(await asked(s, 'one', [once])).toEqual([10]);
    expect(
      s.journal.events
        .filter(({ type }) => type.startsWith('grant'))
        .map(({ type, data }) => [type, (data as { why?: string }).why]),
    ).toEqual([
      ['grant.created', undefined],
      ['grant.revoked', 'person'],
    ]);
  });

  it('lets the calls go that wait and are covered, and says that nobody decided them by themselves', async () => {
    const s = bench.session(
      { parallel: (call) => Promise.all([10, 20, 90].map((amount) => call('pay', { amount }))) },
      { tools: [pay()] },
    );
    const run = s.run('parallel');
    const [first = '', second = '', third = ''] = await waiting(s, 3);
    const offer = { scope: 'run', match: { rule: 'amount < 50' } } as const;
    expect(s.grants.preview(first, offer)).toEqual({
      ok: true,
      words: 'pay where amount < 50, for the rest of this run',
      alsoAllows: [second],
    });
    const receipt = await s.decide(first, { kind: 'allow', ...offer });
    expect(receipt).toEqual({
      applied: true,
      grant: { id: expect.any(String), words: 'pay where amount < 50, for the rest of this run' },
    });
    expect(await waiting(s)).toEqual([third]);
    const { grant } = receipt as { grant: { id: string } };
    expect(callById(s.store.getState(), second)?.approval).toMatchObject({ decision: 'allow', grantId: grant.id });
    expect(callById(s.store.getState(), first)?.approval).toMatchObject({
      decision: 'allow',
      scope: 'run',
      match: { rule: 'amount < 50' },
    });
    await s.decide(third, { kind: 'deny' });
    await run.outcome;
  });

  it('does not cover more parallel calls than it counts', async () => {
    const s = bench.session(
      { parallel: (call) => Promise.allSettled([1, 1, 1, 1].map((amount) => call('pay', { amount }))) },
      { tools: [pay()] },
    );
    const run = s.run('parallel');
    const [first = ''] = await waiting(s, 4);
    await s.decide(first, { kind: 'allow', scope: { next: 2 } });
    const [last = ''] = await waiting(s);
    expect(s.grants.list).toEqual([]);
    await s.decide(last, { kind: 'deny' });
    await run.outcome;
  });

  it('is never given for a tool marked danger, and the receipt says so', async () => {
    const s = bench.session(programs, { tools: [pay({ risk: 'danger' })] });
    const run = s.run('three');
    for (const scope of ['run', 'session', { next: 5 }] as const) {
      const [id = ''] = await waiting(s);
      expect(s.grants.preview(id, { scope })).toMatchObject({ ok: false });
      expect(await s.decide(id, { kind: 'allow', scope })).toEqual({
        applied: true,
        notRemembered: expect.stringContaining('danger'),
      });
    }
    expect((await run.outcome).status).toBe('completed');
  });

  it('is for one definition of a tool: a changed one asks again', async () => {
    const codeMode = bench.codeMode(programs, { tools: [pay()] });
    const s = codeMode.session();
    await asked(s, 'one', [{ kind: 'allow', scope: 'session' }]);
    codeMode.update({ tools: [pay({ description: 'now pays double' })] });
    expect(await asked(s, 'one', [once])).toEqual([10]);
  });

  it.each<[string, object, readonly (string | number)[]]>([
    ['a rule that is no rule', { match: { rule: 'amount is about 50' } }, ['match', 'rule']],
    ['a rule with a call', { match: { rule: 'amount <= f(50)' } }, ['match', 'rule']],
    ['no rule', { match: { rule: '' } }, ['match', 'rule']],
    ['an unknown scope', { scope: 'week' }, ['scope', 'next']],
    ['no count', { scope: { next: 0 } }, ['scope', 'next']],
    ['always, without a store', { scope: 'always' }, ['scope']],
  ])('is refused for %s, and the call goes on waiting', async (_, more, path) => {
    const s = bench.session(programs, { tools: [pay()] });
    const run = s.run('one');
    const [id = ''] = await waiting(s);
    const refused = await s.decide(id, { kind: 'allow', scope: 'run', ...more } as Decision);
    expect(refused).toMatchObject({ applied: false, why: 'invalid_input', issues: [{ path }] });
    expect(await waiting(s)).toEqual([id]);
    await s.decide(id, { kind: 'deny' });
    await run.outcome;
  });

  it('that is taken back before the call starts asks again', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const ran: number[] = [];
    const execute = async ({ amount }: { amount: number }) => {
      ran.push(amount);
      if (amount === 1) await held;
    };
    const s = bench.session(
      { parallel: (call) => Promise.all([call('slow', { amount: 1 }), call('pay', { amount: 2 })]), one: programs.one },
      { tools: [pay({ execute }), pay({ name: 'slow', needsApproval: false, execute })], limits: { maxConcurrentCalls: 1 } },
    );
    await asked(s, 'one', [{ kind: 'allow', scope: 'session' }]);
    ran.length = 0;
    const run = s.run('parallel');
    await vi.waitFor(() => expect(s.grants.list[0]?.used).toBe(1));
    await s.grants.revoke(s.grants.list[0]!.id);
    release();
    const [id = ''] = await waiting(s);
    expect(ran).toEqual([1]);
    expect(callById(s.store.getState(), id)?.approval?.reason).toContain('taken back');
    await s.decide(id, once);
    await run.outcome;
    expect(ran).toEqual([1, 2]);
  });

  it('is taken back when that is on disk', async () => {
    const memory = memoryStorage();
    const held: (() => void)[] = [];
    const open = (id: string): JournalLog => {
      const log = memory.open(id) as JournalLog;
      const append: JournalLog['append'] = (events, options) => {
        const done = log.append(events, options);
        return events[0]?.type === 'grant.revoked' ? new Promise((resolve) => held.push(resolve)) : done;
      };
      return { ...log, append };
    };
    const s = bench.session(programs, { tools: [pay()], storage: { ...memory, open } });
    await asked(s, 'one', [{ kind: 'allow', scope: 'session' }]);
    const heard = vi.fn();
    const revoked = s.grants.revoke(s.grants.list[0]!.id).finally(heard);
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 15_000, interval: 2 });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect([heard.mock.calls.length, s.grants.list]).toEqual([0, []]);
    held[0]!();
    expect(await revoked).toBe(true);
  });

  it('suggests a rule that fits: amounts as bounds, names as they are', async () => {
    const s = bench.session(
      { pay: (call) => call('pay', { amount: 12.5, orderId: 7, currency: 'EUR', lines: [1] }) },
      { tools: [pay()] },
    );
    const run = s.run('pay');
    const [id = ''] = await waiting(s);
    const rule = s.grants.suggestRule(id)!;
    expect(rule).toBe('amount <= 12.5 and orderId = 7 and currency = "EUR"');
    expect(s.grants.preview(id, { scope: 'session', match: { rule } })).toMatchObject({ ok: true });
    run.cancel();
    await run.outcome;
  });

  it('of the session survives a reload where the journal does, with what it has counted', async () => {
    const storage = memoryStorage();
    const first = bench.codeMode(programs, { tools: [pay()], storage });
    await asked(first.session({ id: 's' }), 'one', [{ kind: 'allow', scope: 'session' }]);
    await first[Symbol.asyncDispose]();
    const s = bench.session(programs, { tools: [pay()], storage }, { id: 's' });
    expect(s.grants.list).toMatchObject([{ words: 'pay with any input, for this session' }]);
    expect(await asked(s, 'three', [once, once, once])).toEqual([]);
    await s.grants.revoke(s.grants.list[0]!.id);
    expect(await asked(s, 'one', [once])).toEqual([10]);
  });
});

describe('a permission for always', () => {
  /** A store as an application would write it. */
  function createStore(): GrantStore<{ user: string }> & { readonly kept: Map<string, StoredGrant[]> } {
    const kept = new Map<string, StoredGrant[]>();
    return {
      kept,
      load: async ({ user }) => kept.get(user) ?? [],
      async save(grant, { user }) {
        kept.set(user, [...(kept.get(user) ?? []), JSON.parse(JSON.stringify(grant)) as StoredGrant]);
      },
      async remove(id, { user }) {
        kept.set(
          user,
          (kept.get(user) ?? []).filter((each) => each.id !== id),
        );
      },
    };
  }
  const always: Decision = { kind: 'allow', scope: 'always', match: { rule: 'amount <= 50' } };
  const open = (store: GrantStore<{ user: string }>, user: string, tools = [pay()]) =>
    bench.session<{ user: string }>(programs, { tools, grants: store }, { context: { user } });

  it('is stored by the application, for its user, and holds in every later session', async () => {
    const store = createStore();
    const s = open(store, 'ann');
    expect(s.grants.canStore).toBe(true);
    await asked(s, 'one', [always]);
    expect(store.kept.get('ann')).toMatchObject([
      { v: 1, tool: 'pay', match: { rule: 'amount <= 50' }, words: 'pay where amount <= 50, always' },
    ]);
    const later = open(store, 'ann');
    expect(await asked(later, 'three', [once])).toEqual([90]);
    expect(later.grants.list).toMatchObject([{ scope: 'always', used: 2 }]);
    expect(await asked(open(store, 'bob'), 'one', [once])).toEqual([10]);
    expect(await asked(open(store, 'ann', [pay({ description: 'changed' })]), 'one', [once])).toEqual([10]);
  });

  it('is taken back for all sessions of the page, and for the others with their next run', async () => {
    const store = createStore();
    const codeMode = bench.codeMode<{ user: string }>(programs, { tools: [pay()], grants: store });
    const [a, b] = [codeMode.session({ context: { user: 'ann' } }), codeMode.session({ context: { user: 'ann' } })];
    await asked(a, 'one', [always]);
    expect(await asked(b, 'one', [])).toEqual([]);
    const other = open(store, 'ann');
    expect(await asked(other, 'one', [])).toEqual([]);
    expect(await a.grants.revoke(a.grants.list[0]!.id)).toBe(true);
    expect(store.kept.get('ann')).toEqual([]);
    expect(b.grants.list).toEqual([]);
    expect(await asked(b, 'one', [once])).toEqual([10]);
    expect(await asked(other, 'one', [once])).toEqual([10]);
  });

  it('that was taken back holds in no session of the page, also while, or though, the application keeps it', async () => {
    const store = createStore();
    let forget = (): void => {};
    const slow = { ...store, remove: () => new Promise<void>((resolve) => (forget = resolve)) };
    const codeMode = bench.codeMode<{ user: string }>(programs, { tools: [pay()], grants: slow });
    const [a, b] = [codeMode.session({ context: { user: 'ann' } }), codeMode.session({ context: { user: 'ann' } })];
    await asked(a, 'one', [always]);
    const revoked = a.grants.revoke(a.grants.list[0]!.id);
    await vi.waitFor(() => expect(a.grants.list).toEqual([]), { timeout: 15_000, interval: 2 });
    // Neither had anything to do with permissions before.
    for (const s of [b, codeMode.session({ context: { user: 'ann' } })]) expect(await asked(s, 'one', [once])).toEqual([10]);
    expect(store.kept.get('ann')).toHaveLength(1);
    forget();
    expect(await revoked).toBe(true);
  });

  it('that is given while the stored ones are loaded stays', async () => {
    const store = createStore();
    const loading: (() => void)[] = [];
    let isSlow = false;
    const slow: typeof store = {
      ...store,
      async load(context) {
        const then = await store.load(context);
        if (isSlow) await new Promise<void>((resolve) => loading.push(resolve));
        return then;
      },
    };
    const s = open(slow, 'ann');
    const run = s.run('one');
    const [id = ''] = await waiting(s);
    isSlow = true;
    const refreshed = s.grants.refresh();
    await vi.waitFor(() => expect(loading).toHaveLength(1), { timeout: 15_000, interval: 2 });
    expect(await s.decide(id, always)).toMatchObject({ applied: true, grant: {} });
    await run.outcome;
    loading[0]!();
    await refreshed;
    expect(s.grants.list).toHaveLength(1);
  });

  it('can be listed before anything ran', async () => {
    const store = createStore();
    await asked(open(store, 'ann'), 'one', [always]);
    const s = open(store, 'ann');
    await s.grants.refresh();
    expect(s.grants.list.map(({ words }) => words)).toEqual(['pay where amount <= 50, always']);
  });

  it('that cannot be stored allows the call alone; a store that does not answer or lies permits nothing', async () => {
    const broken: GrantStore = {
      load: () => Promise.reject(new Error('offline')),
      save: () => Promise.reject(new Error('offline')),
      remove: () => {},
    };
    const s = bench.session(programs, { tools: [pay()], grants: broken });
    const run = s.run('one');
    const [id = ''] = await waiting(s);
    expect(await s.decide(id, always)).toEqual({ applied: true, notRemembered: expect.stringContaining('could not store') });
    expect(await run.outcome).toMatchObject({ status: 'completed', value: 10 });
    expect(await asked(s, 'one', [once])).toEqual([10]);

    const store = createStore();
    await asked(open(store, 'ann'), 'one', [always]);
    const [real] = store.kept.get('ann')!;
    for (const lie of [
      null,
      {},
      { ...real, tool: 5 },
      { ...real, match: 'everything' },
      { ...real, v: 2 },
      { ...real, match: 'input' },
    ]) {
      store.kept.set('eve', [lie as StoredGrant]);
      expect(await asked(open(store, 'eve'), 'one', [once])).toEqual([10]);
    }
  });
});

describe('a decision', () => {
  it.each([
    [{ allowed: true }, 'completed'],
    [{ approved: true }, 'completed'],
    [{ allowed: false, reason: 'no' }, 'failed'],
    [{ approved: false, reason: 'no' }, 'failed'],
  ] as const)('may come in the words of others: %j', async (decision, status) => {
    const s = bench.session(programs, { tools: [pay()] });
    const run = s.run('one');
    const [id = ''] = await waiting(s);
    expect(await s.decide(id, decision)).toEqual({ applied: true });
    expect((await run.outcome).status).toBe(status);
  });

  it('leaves three records: what was proposed, what was decided, what ran', async () => {
    const execute = vi.fn(({ amount }: { amount: number }) => amount);
    const s = bench.session(programs, { tools: [pay({ execute })] });
    const run = s.run('one');
    const [id = ''] = await waiting(s);
    await s.decide(id, { allowed: true, input: { amount: 3 } });
    expect(await run.outcome).toMatchObject({ value: 3 });
    const call = callById(s.store.getState(), id)!;
    expect(await s.readValue(call.approval!.input)).toEqual({ amount: 10 });
    expect(call.approval).toMatchObject({ decision: 'allow' });
    expect(await s.readValue(call.effectiveInput!)).toEqual({ amount: 3 });
    const facts = s.journal.events
      .filter(({ type }) => /^(approval|tool_call)/.test(type))
      .map(({ type, data }) => [type, 'input' in data]);
    expect(facts).toEqual([
      ['tool_call.requested', true],
      ['approval.requested', true],
      ['approval.decided', true],
      ['tool_call.started', true],
      ['tool_call.succeeded', false],
    ]);
  });

  it('that answers instead of the tool is held against the output schema', async () => {
    const execute = vi.fn();
    const s = bench.session(programs, { tools: [pay({ execute, outputSchema: { type: 'number' } })] });
    const run = s.run('one');
    const [id = ''] = await waiting(s);
    for (const output of ['text', undefined, () => 1, { big: 1n }])
      expect(await s.decide(id, { kind: 'answer', output })).toMatchObject({ applied: false, why: 'invalid_input' });
    expect(await s.decide(id, { kind: 'answer', output: 7 })).toEqual({ applied: true });
    expect(await run.outcome).toMatchObject({ status: 'completed', value: 7 });
    expect(execute).not.toHaveBeenCalled();
  });

  it('that cannot be understood or sent leaves the call waiting', async () => {
    const s = bench.session(programs, { tools: [pay()] });
    const run = s.run('one');
    const [id = ''] = await waiting(s);
    for (const odd of [{ kind: 'allow', input: () => 1 }, { kind: 'perhaps' }, null, 'yes'] as unknown as Decision[])
      expect(await s.decide(id, odd)).toMatchObject({ applied: false, why: 'invalid_input' });
    expect(await waiting(s)).toEqual([id]);
    run.cancel();
    await run.outcome;
  });

  it('whose input or answer is never found to fit leaves the call to another one', async () => {
    const clock = createFakeClock(1_000_000);
    let isHung = false;
    const validate = (value: unknown) => (isHung ? new Promise<never>(() => {}) : Promise.resolve({ value }));
    const schema = { '~standard': { version: 1, vendor: 'test', validate } } as unknown as Tool['inputSchema'];
    const tools = [pay({ inputSchema: schema, outputSchema: schema })];
    const s = bench.session(programs, { tools, clock, limits: { toolTimeoutMs: 5_000 } });
    const run = s.run('one');
    const [id = ''] = await waiting(s);
    isHung = true;
    for (const decision of [
      { kind: 'allow', input: { amount: 1 } },
      { kind: 'answer', output: 1 },
    ] as const) {
      const receipt = s.decide(id, decision);
      await new Promise((resolve) => setTimeout(resolve, 0));
      clock.advance(5_001);
      expect(await receipt).toMatchObject({
        applied: false,
        why: 'invalid_input',
        issues: [{ message: expect.stringContaining('longer than 5000 ms') }],
      });
    }
    expect(await s.decide(id, { kind: 'deny' })).toEqual({ applied: true });
    expect(await run.outcome).toMatchObject({ error: { code: 'tool_denied' } });
  });

  it('to stop the run cancels all that waits, and nothing is said to have been denied or to go on', async () => {
    const s = bench.session(
      { two: (call) => Promise.all([call('pay', { amount: 1 }), call('pay', { amount: 2 })]) },
      { tools: [pay()] },
    );
    const run = s.run('two');
    const [first = '', second = ''] = await waiting(s, 2);
    expect(await s.decide(first, { kind: 'cancelRun', reason: 'enough' })).toEqual({ applied: true });
    expect(await s.decide(second, { kind: 'allow' })).toEqual({ applied: false, why: 'ended' });
    expect(await run.outcome).toMatchObject({
      status: 'cancelled',
      reason: 'enough',
      calls: [{ status: 'cancelled' }, { status: 'cancelled' }],
    });
    const decisions = [first, second].map((id) => callById(s.store.getState(), id)?.approval?.decision);
    expect(decisions).toEqual(['cancel_run', 'ended']);
    expect(s.journal.events.map(({ type }) => type)).not.toContain('run.resumed');
  });

  it('meets a rule that came while the person held the button: at the decision and once more at the start', async () => {
    const execute = vi.fn();
    const options = { tools: [pay({ execute })], limits: { maxConcurrentCalls: 1 } };
    const codeMode = createCodeMode({ executor: scriptedExecutor(programs), ...options });
    const s = codeMode.session();
    const run = s.run('one');
    const [id = ''] = await waiting(s);
    codeMode.update({ policy: [{ match: 'pay', effect: 'deny', reason: 'closed' }] });
    expect(await s.decide(id, once)).toEqual({ applied: false, why: 'denied_by_policy' });
    codeMode.update({ policy: [] });
    s.journal.subscribe(({ type }) => {
      if (type === 'approval.decided') codeMode.update({ policy: [{ match: 'pay', effect: 'deny', reason: 'closed' }] });
    });
    expect(await s.decide(id, once)).toEqual({ applied: true });
    expect(await run.outcome).toMatchObject({ status: 'failed', error: { code: 'tool_denied' } });
    expect(execute).not.toHaveBeenCalled();
    await codeMode[Symbol.asyncDispose]();
  });
});
