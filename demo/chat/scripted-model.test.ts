import { ToolLoopAgent, isStepCount } from 'ai';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDesk } from '../test-tools/desk.ts';
import { chatTools } from './model-tools.ts';
import { createScriptedModel } from './scripted-model.ts';
import { SCRIPTS } from './scripts.ts';

// A real worker starts first, perhaps on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const desk = createTestDesk();
afterAll(() => desk[Symbol.asyncDispose]());
let answer: 'allow' | 'deny' = 'allow';
desk.decideAll(() => (answer === 'allow' ? { kind: 'allow' } : { kind: 'deny', reason: 'not today' }));
beforeEach(() => {
  answer = 'allow';
  desk.shop.reset();
});

const agent = new ToolLoopAgent({
  model: createScriptedModel(0),
  tools: chatTools(desk.session),
  stopWhen: isStepCount(10),
});
const promptOf = (id: string): string => SCRIPTS.find((script) => script.id === id)?.prompt ?? '';

describe('the scripted model behind the SDK', () => {
  it('refunds the oldest late parcel when a person allows it', async () => {
    const { text, steps } = await agent.generate({ prompt: promptOf('late-parcels') });
    expect(steps).toHaveLength(2);
    expect(desk.shop.changes()).toBe(1);
    const refund = desk.shop.refunds().at(-1);
    expect(text).toContain(`I gave back ${refund?.amount.toFixed(2)} EUR (refund ${refund?.id})`);
    expect(text).toContain(`order #${refund?.orderId}`);
  });

  it('says so, and moves no money, when a person denies it', async () => {
    answer = 'deny';
    const { text } = await agent.generate({ prompt: promptOf('late-parcels') });
    expect(text).toContain('No money was moved');
    expect(text).toContain('not today');
    expect(desk.shop.changes()).toBe(0);
  });

  it('writes three mails in one program', async () => {
    const { text } = await agent.generate({ prompt: promptOf('damaged-items') });
    expect(desk.shop.outbox()).toHaveLength(3);
    expect(text).toMatch(/^Sent and set to pending: T-\d{4}, T-\d{4}, T-\d{4}\.$/);
  });

  it('looks for tools before it reads stock', async () => {
    const { steps, text } = await agent.generate({ prompt: promptOf('reorder') });
    expect(steps.flatMap((step) => step.toolCalls.map((call) => call.toolName))).toEqual(['getTools', 'executeCode']);
    expect(text).toContain('below their reorder level');
  });

  it('mends its program from the name that the failed run suggested', async () => {
    const { steps, text } = await agent.generate({ prompt: promptOf('correction') });
    expect(steps).toHaveLength(3);
    expect(steps[1]?.text).toContain('track_parcel');
    expect(text).toContain('Order #11352 travels with');
  });

  it('streams its text and its call in pieces, as a provider does', async () => {
    const result = await agent.stream({ prompt: promptOf('late-parcels') });
    const counts = new Map<string, number>();
    for await (const part of result.stream) counts.set(part.type, (counts.get(part.type) ?? 0) + 1);
    expect(counts.get('text-delta')).toBeGreaterThan(10);
    expect(counts.get('tool-input-delta')).toBeGreaterThan(10);
    expect(counts.get('tool-call')).toBe(1);
    // Progress of the run first, its answer last.
    expect(counts.get('tool-result')).toBeGreaterThan(1);
    expect(counts.get('error')).toBeUndefined();
  });

  it('offers what it can play when it does not understand', async () => {
    const { text } = await agent.generate({ prompt: 'Write me a poem' });
    for (const script of SCRIPTS) expect(text).toContain(script.prompt);
  });

  it('stops in the middle of a sentence when it is told to', async () => {
    const abort = new AbortController();
    const slow = new ToolLoopAgent({ model: createScriptedModel(20), tools: chatTools(desk.session) });
    const result = await slow.stream({ prompt: promptOf('reorder'), abortSignal: abort.signal });
    const types: string[] = [];
    for await (const part of result.stream) {
      types.push(part.type);
      if (part.type === 'text-delta') abort.abort();
    }
    expect(types).toContain('abort');
    expect(types).not.toContain('tool-call');
  });
});
