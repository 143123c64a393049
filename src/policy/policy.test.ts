import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Tool } from '../catalog/tool.ts';
import { ApprovalQueue, type ApprovalResult } from './approvals.ts';
import { evaluatePolicy, type PolicyInputs } from './evaluate.ts';
import { GrantBook } from './grants.ts';
import { evaluateRules } from './rules.ts';
import type { PolicyRule, ToolCallQuestion } from './types.ts';

const entry = (over: Partial<CatalogEntry> = {}, tool: Partial<Tool> = {}): CatalogEntry =>
  ({
    name: 'pay',
    title: 'Pay',
    risk: 'write',
    readOnly: false,
    trusted: true,
    tool: { name: 'pay', execute: () => 1, ...tool },
    ...over,
  }) as CatalogEntry;
const question =
  (input: unknown = {}) =>
  (): ToolCallQuestion => ({
    tool: { name: 'pay', title: 'Pay', risk: 'write', readOnly: false, trusted: true },
    input,
    callId: 'c',
    runId: 'r',
    sessionId: 's',
    context: undefined,
  });
const now = async <T>(work: T | Promise<T>): Promise<T> => work;
const judge = (inputs: Partial<PolicyInputs<unknown>>, of = entry(), input: unknown = {}) =>
  evaluatePolicy(of, question(input), { rules: [], trusted: true, ...inputs }, now);

describe('who decides', () => {
  it('allows an own tool that nobody speaks about', async () => {
    expect(await judge({})).toMatchObject({ effect: 'allow', by: 'default' });
  });

  it('asks about a tool of an untrusted source unless a rule allows it', async () => {
    expect(await judge({ trusted: false })).toMatchObject({ effect: 'ask' });
    expect(await judge({ trusted: false, onToolCall: () => ({ allowed: true }) })).toMatchObject({ effect: 'ask' });
    expect(await judge({ trusted: false, rules: [{ effect: 'allow' }] })).toMatchObject({ effect: 'allow', by: 'rule' });
  });

  it.each<[string, Partial<CatalogEntry>, Partial<Tool>]>([
    ['needsApproval', {}, { needsApproval: true }],
    ['requiresApproval', {}, { requiresApproval: true }],
    ['danger', { risk: 'danger' }, { needsApproval: false }],
    ['a predicate', {}, { needsApproval: async () => true }],
  ])('lets nothing but a person waive %s', async (_, over, tool) => {
    const of = entry(over, tool);
    expect(await judge({ rules: [{ effect: 'allow' }], onToolCall: () => ({ allowed: true }) }, of)).toMatchObject({
      effect: 'ask',
    });
  });

  it('takes the strictest of rules and callback', async () => {
    expect(await judge({ rules: [{ effect: 'allow' }, { effect: 'ask' }] })).toMatchObject({ effect: 'ask' });
    expect(await judge({ rules: [{ effect: 'ask' }], onToolCall: () => ({ allowed: false, reason: 'no' }) })).toMatchObject({
      effect: 'deny',
      reason: 'no',
    });
    expect(await judge({ rules: [{ effect: 'deny', reason: 'never' }], onToolCall: () => ({ allowed: true }) })).toMatchObject({
      effect: 'deny',
      reason: 'never',
    });
    expect(await judge({ rules: [{ effect: 'hide' }, { effect: 'deny' }] })).toMatchObject({ effect: 'hide' });
    expect(await judge({ onToolCall: () => ({ approved: false, reason: 'x' }) })).toMatchObject({ effect: 'deny', reason: 'x' });
  });

  it('never allows because something failed', async () => {
    const boom = () => {
      throw new Error('boom');
    };
    expect(await judge({ onToolCall: boom })).toMatchObject({ effect: 'deny', failed: true });
    expect(await judge({ onToolCall: () => 'yes' as never })).toMatchObject({ effect: 'deny', failed: true });
    expect(await judge({ onToolCall: () => ({ allow: true }) as never })).toMatchObject({ effect: 'deny', failed: true });
    expect(await judge({ rules: [{ effect: 'allow', when: boom }] })).toMatchObject({ effect: 'deny', failed: true });
    expect(await judge({ rules: [{ effect: 'deny', when: (async () => false) as never }] })).toMatchObject({
      effect: 'deny',
      failed: true,
    });
    expect(await judge({}, entry({}, { needsApproval: boom }))).toMatchObject({ effect: 'ask', failed: true });
  });

  it('hands a changed input on, and only when the call may go on', async () => {
    expect(await judge({ onToolCall: () => ({ allowed: true, input: { a: 1 } }) })).toMatchObject({
      effect: 'allow',
      input: { value: { a: 1 } },
    });
    expect(await judge({ rules: [{ effect: 'ask' }], onToolCall: () => ({ ask: true, input: { a: 1 } }) })).toMatchObject({
      effect: 'ask',
      input: { value: { a: 1 } },
    });
  });

  it('gives the strictest effect whatever the order of the rules', () => {
    const order = ['allow', 'ask', 'deny', 'hide'] as const;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...order), { minLength: 1, maxLength: 6 }), (effects) => {
        const rules: PolicyRule[] = effects.map((effect) => ({ effect }));
        expect(evaluateRules(rules, question())?.effect).toBe(order[Math.max(...effects.map((effect) => order.indexOf(effect)))]);
      }),
    );
  });
});

describe('the queue of approvals', () => {
  const allow: ApprovalResult = { kind: 'allow', text: '{}', edited: false };
  const open = (queue: ApprovalQueue, settle: () => Promise<ApprovalResult> = async () => allow, expiresAt?: number) =>
    queue.wait({ id: 'c', runId: 'r', tool: 'pay', input: '{}', settle, ...(expiresAt !== undefined && { expiresAt }) });

  it('lets the second of two decisions lose, even before the first is through', async () => {
    const queue = new ApprovalQueue(() => 0);
    const waited = open(queue);
    const [first, second] = await Promise.all([queue.decide('c', { kind: 'allow' }), queue.decide('c', { kind: 'deny' })]);
    expect([first, second]).toEqual([{ applied: true }, { applied: false, why: 'already_decided' }]);
    expect(await waited).toEqual(allow);
    expect(await queue.decide('c', { kind: 'deny' })).toEqual({ applied: false, why: 'already_decided' });
  });

  it('answers late, unknown and expired decisions without an effect', async () => {
    let now = 0;
    const queue = new ApprovalQueue(() => now);
    const ended = open(queue);
    queue.close('c', 'ended');
    expect(await ended).toEqual({ kind: 'ended' });
    expect(await queue.decide('c', { kind: 'allow' })).toEqual({ applied: false, why: 'ended' });
    expect(await queue.decide('unknown', { kind: 'allow' })).toEqual({ applied: false, why: 'ended' });
    const expiring = open(queue, undefined, 5);
    now = 5;
    expect(await queue.decide('c', { kind: 'allow' })).toEqual({ applied: false, why: 'expired' });
    expect(await expiring).toEqual({ kind: 'expired' });
  });

  it('leaves a call pending when its decision is refused', async () => {
    const queue = new ApprovalQueue(() => 0);
    let refuse = true;
    const waited = open(queue, async () => (refuse ? ({ applied: false, why: 'invalid_input' } as never) : allow));
    expect(await queue.decide('c', { kind: 'allow', input: 1 })).toEqual({ applied: false, why: 'invalid_input' });
    refuse = false;
    expect(await queue.decide('c', { kind: 'allow' })).toEqual({ applied: true });
    expect(await waited).toEqual(allow);
  });

  it('ends a call whose run ended while the decision was being checked', async () => {
    const queue = new ApprovalQueue(() => 0);
    let check: (result: ApprovalResult) => void = () => undefined;
    const waited = open(queue, () => new Promise((resolve) => (check = resolve)));
    const receipt = queue.decide('c', { kind: 'allow' });
    queue.close('c', 'ended');
    check(allow);
    expect(await receipt).toEqual({ applied: false, why: 'ended' });
    expect(await waited).toEqual({ kind: 'ended' });
  });
});

describe('grants', () => {
  const call = { tool: 'pay', definitionHash: 'h', risk: 'write', runId: 'r', input: '{}' };

  it('cover what they say and end with their run', () => {
    const book = new GrantBook();
    book.add(call, { scope: 'run', match: 'tool' });
    expect(book.covering({ ...call, input: '{"other":1}' })).toBeDefined();
    expect(book.covering({ ...call, runId: 'other' })).toBeUndefined();
    expect(book.covering({ ...call, definitionHash: 'changed' })).toBeUndefined();
    book.endRun('r');
    expect(book.covering(call)).toBeUndefined();
  });

  it('cover one exact input when that was granted, over runs when the session was granted', () => {
    const book = new GrantBook();
    book.add(call, { scope: 'session', match: 'input' });
    expect(book.covering({ ...call, runId: 'later' })).toBeDefined();
    expect(book.covering({ ...call, input: '{"other":1}' })).toBeUndefined();
  });

  it('never cover a danger tool', () => {
    const book = new GrantBook();
    expect(book.add({ ...call, risk: 'danger' }, { scope: 'session', match: 'tool' })).toBeUndefined();
    book.add(call, { scope: 'session', match: 'tool' });
    expect(book.covering({ ...call, risk: 'danger' })).toBeUndefined();
  });
});
