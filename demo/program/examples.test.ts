import { afterAll, describe, expect, it } from 'vitest';
import { createTestDesk } from '../test-tools/desk.ts';
import { EXAMPLES } from './examples.ts';

const desk = createTestDesk();
desk.decideAll((tool) => (tool === 'send_email' ? { kind: 'deny', reason: 'no mails today' } : { kind: 'allow' }));
afterAll(() => desk[Symbol.asyncDispose]());

const FAILS: Record<string, string> = { 'wrong-input': 'invalid_input', 'endless-loop': 'timeout', deadlock: 'deadlock' };

describe('the examples', () => {
  it('have different names', () => {
    expect(new Set(EXAMPLES.map((example) => example.id)).size).toBe(EXAMPLES.length);
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(8);
  });

  it.each(EXAMPLES.map((example) => [example.id, example.source]))('%s does what it says', async (id, source) => {
    const outcome = await desk.session.run(source).outcome;
    if (FAILS[id]) expect(outcome).toMatchObject({ status: 'failed', error: { code: FAILS[id] } });
    else expect(outcome).toMatchObject({ status: 'completed', warnings: [] });
  });
});
