import type { RunOutcome } from 'react-code-mode/core';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createTestDesk } from '../test-tools/desk.ts';
import { EXAMPLES } from './examples.ts';

// A real worker starts first, perhaps on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

// Short, because the endless loop uses it up; long enough for the others on a busy machine.
const desk = createTestDesk(4_000);
desk.decideAll((tool) => (tool === 'send_email' ? { kind: 'deny', reason: 'no mails today' } : { kind: 'allow' }));
afterAll(() => desk[Symbol.asyncDispose]());

/** What each example is there to show. */
const SHOWS: Record<string, (outcome: RunOutcome) => void> = {
  'three-at-once': (outcome) => expect(valueOf(outcome)).toMatchObject({ order: 11203, refund: { amount: 5 } }),
  'refund-loop': (outcome) => {
    const rows = valueOf(outcome) as { refunded: number }[];
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row.refunded).toBeGreaterThan(0);
  },
  mails: (outcome) => {
    const rows = valueOf(outcome) as string[];
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toContain('no mails today');
  },
  'whole-year': (outcome) => {
    const rows = valueOf(outcome) as { orders: number }[];
    expect(rows.reduce((sum, row) => sum + row.orders, 0)).toBe(1_500);
    expect(outcome.calls).toHaveLength(15);
  },
  typescript: (outcome) => {
    for (const row of valueOf(outcome) as { missing: number }[]) expect(row.missing).toBeGreaterThan(0);
  },
  console: (outcome) => {
    expect(valueOf(outcome)).toBe(3);
    expect(outcome.output.map((item) => item.kind === 'console' && item.level)).toEqual([
      'info',
      'log',
      'debug',
      'debug',
      'debug',
    ]);
  },
  'slow-export': (outcome) => expect(valueOf(outcome)).toMatchObject([{ rows: 1_500 }, { rows: 260 }]),
  'caught-failure': (outcome) => {
    const states = (valueOf(outcome) as { state: string }[]).map((row) => row.state);
    expect(new Set(states)).toEqual(new Set(['in_transit', 'unknown']));
    // Busy carriers are asked twice, silent ones once.
    expect(outcome.calls.filter((call) => call.tool === 'track_parcel').length).toBeLessThan(12);
  },
  'wrong-input': fails('invalid_input'),
  'endless-loop': fails('timeout'),
  deadlock: fails('deadlock'),
};

function valueOf(outcome: RunOutcome): unknown {
  expect(outcome).toMatchObject({ status: 'completed', warnings: [] });
  return outcome.status === 'completed' ? outcome.value : undefined;
}

function fails(code: string): (outcome: RunOutcome) => void {
  return (outcome) => expect(outcome).toMatchObject({ status: 'failed', error: { code } });
}

describe('the examples', () => {
  it('have different names, and a test each', () => {
    expect(EXAMPLES.map((example) => example.id).sort()).toEqual(Object.keys(SHOWS).sort());
  });

  it.each(EXAMPLES.map((example) => [example.id, example.source]))('%s shows what it is there for', async (id, source) => {
    SHOWS[id]?.(await desk.session.run(source).outcome);
  });
});
