import { describe, expect, it } from 'vitest';
import type { CallView } from '../store/state.ts';
import { callSummary } from './call-summary.ts';
import { createScriptedBench, waiting } from './test-tools/scripted.ts';

const bench = createScriptedBench();

describe('the calls of an outcome', () => {
  it('have ids, inputs, answers and times', async () => {
    const tools = [
      { name: 'add', risk: 'read' as const, execute: ({ a, b }: { a: number; b: number }) => ({ sum: a + b, at: new Date(0) }) },
      { name: 'fail', risk: 'read' as const, execute: () => Promise.reject(new Error('no')) },
    ];
    const chat = bench.session(
      { both: async (call) => [await call('add', { a: 1, b: 2 }), await call('fail').catch(() => 0)] },
      { tools },
    );
    const run = chat.run('both', { id: 'r' });
    const [add, fail] = (await run.outcome).calls;
    expect(add).toMatchObject({ callId: 'r:1', tool: 'add', input: { a: 1, b: 2 }, output: { sum: 3, at: new Date(0) } });
    expect(fail).toMatchObject({ callId: 'r:2', status: 'failed', input: {}, output: undefined });
    expect([add!.requestedAt, add!.startedAt, add!.endedAt]).toEqual(
      ['requested', 'started', 'succeeded'].map(
        (what) => chat.journal.events.find(({ type }) => type === `tool_call.${what}`)!.time,
      ),
    );
    // A fresh copy each time: nobody changes what another one reads.
    expect(add!.input).not.toBe(add!.input);
  });

  it('have the input that the handler got', async () => {
    const tools = [{ name: 'pay', needsApproval: true, execute: ({ amount }: { amount: number }) => amount }];
    const chat = bench.session({ pay: (call) => call('pay', { amount: 100 }) }, { tools });
    const run = chat.run('pay');
    const [id] = await waiting(chat);
    await chat.decide(id!, { kind: 'allow', input: { amount: 5 } });
    expect((await run.outcome).calls[0]).toMatchObject({ input: { amount: 5 }, output: 5 });
  });

  it('have what is long where it is stored', async () => {
    const text = 'x'.repeat(40_000);
    const tools = [{ name: 'read', risk: 'read' as const, execute: () => text }];
    const chat = bench.session({ read: (call) => call('read') }, { tools });
    const [call] = (await chat.run('read').outcome).calls;
    expect(call!.output).toBeUndefined();
    expect(await chat.readValue(call!.stored.output!)).toBe(text);
  });

  it('stay small when they are kept or sent, and a copy says where the values are', async () => {
    const tools = [{ name: 'read', risk: 'read' as const, execute: () => 'the answer' }];
    const chat = bench.session({ read: (call) => call('read', { secret: 'the question' }) }, { tools });
    const outcome = await chat.run('read').outcome;
    for (const text of [JSON.stringify(outcome.calls), JSON.stringify(structuredClone(outcome.calls))])
      expect(text).not.toMatch(/the (answer|question)/);
    expect(() => (Object.create(Object.getPrototypeOf(outcome.calls[0]) as object) as { input: unknown }).input).toThrow(/copy/);
  });

  it('decode nothing until they are asked', () => {
    const view: CallView = {
      id: 'r:1',
      runId: 'r',
      ordinal: 1,
      tool: 'read',
      status: 'succeeded',
      input: { inline: 'no value at all' },
      inputBytes: 5,
      group: 1,
      requestedAt: 1,
    };
    const call = callSummary(view);
    expect(call.status).toBe('succeeded');
    expect(() => call.input).toThrow(/value/i);
  });
});
