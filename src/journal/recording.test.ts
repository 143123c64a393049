import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from './events.ts';
import { openRuns } from './open-runs.ts';
import { readEvents } from './read-events.ts';
import { recordingOf, waits } from './recording.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const journals = ['v1', 'v2'].flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((file) => {
    const { events } = JSON.parse(readFileSync(join(FIXTURES, version, file), 'utf8')) as { events: unknown[] };
    return { name: `${version}/${file}`, events: readEvents(events).events };
  }),
);

describe('a run that is read out of a journal', () => {
  // Version 1 did not record what a denied call got.
  it.each(journals.filter(({ name }) => name.startsWith('v2')))('$name: is complete at its end', ({ events }) => {
    for (const runId of new Set(events.flatMap((event) => event.runId ?? []))) {
      const recording = recordingOf(events, runId);
      expect(recording?.queued.source).toBeTypeOf('string');
      for (const { end, kind } of recording?.calls.values() ?? []) expect(kind === 'tool' ? end : true).toBeDefined();
    }
    expect(openRuns(events)).toEqual([]);
  });

  it('is a run that can be brought back after any event: what the program got has its reply', () => {
    fc.assert(
      fc.property(fc.constantFrom(...journals.filter(({ name }) => name.startsWith('v2'))), fc.nat(), ({ events }, cut) => {
        const prefix = events.slice(0, cut % (events.length + 1));
        for (const runId of openRuns(prefix)) {
          const recording = recordingOf(prefix, runId);
          expect(recording).toBeDefined();
          for (const { kind, id } of recording?.deliveries ?? [])
            if (kind === 'call') expect(recording?.calls.get(id)?.end).toBeDefined();
          for (const call of recording?.calls.values() ?? []) if (waits(call)) expect(call.end).toBeUndefined();
        }
      }),
    );
  });

  it('has the last step of a call that was asked about twice', () => {
    const base = { v: 2 as const, time: 1, sessionId: 's', runId: 'r' };
    const call = { callId: 'r:1' };
    const input = { inline: '{}' };
    const approval = { ...call, question: '?', risk: 'write' as const, input, inputDigest: 'd' };
    const facts = [
      ['run.queued', { source: 'x' }],
      ['tool_call.requested', { ...call, ordinal: 1, tool: 't', input, inputBytes: 2, group: 1 }],
      ['approval.requested', approval],
      ['approval.decided', { ...call, decision: 'allow' }],
      ['tool_call.started', call],
      ['tool_call.interrupted', call],
      ['approval.requested', { ...approval, doubt: true }],
      ['approval.decided', { ...call, decision: 'answer', output: { inline: '1' } }],
    ] as const;
    const events = facts.map(([type, data], i) => ({ ...base, seq: i + 1, type, data }) as unknown as JournalEvent);
    const at = (n: number) => recordingOf(events.slice(0, n), 'r')?.calls.get(1);
    expect([waits(at(3)!), waits(at(4)!), waits(at(5)!), waits(at(7)!), waits(at(8)!)]).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(at(5)).not.toHaveProperty('decision');
    expect(at(8)).toMatchObject({ approval: { doubt: true }, decision: { decision: 'answer' } });
  });

  it('has run for as long as it did not wait and a page was there, whatever its page came to', () => {
    const call = { callId: 'r:1' };
    const facts = [
      [0, 'run.queued', 0],
      [100, 'run.started', 0],
      [150, 'tool_call.requested', 50],
      [160, 'approval.requested', 60],
      // The page was gone before it said that the run waits; the next one does.
      [5_000, 'run.waiting', 60],
      [9_000, 'approval.decided', 60],
      [9_000, 'run.resumed', 60],
      [9_005, 'tool_call.started', 65],
      // A clock that is set back takes nothing back.
      [9_000, 'tool_call.progressed', 65],
      [9_010, 'tool_call.progressed', 75],
      [20_000, 'tool_call.interrupted', 75],
      [20_000, 'run.interrupted', 75],
      [30_000, 'run.resumed', 75],
      [30_020, 'tool_call.succeeded', 95],
    ] as const;
    const events = facts.map(
      ([time, type], i) => ({ v: 2, time, sessionId: 's', runId: 'r', seq: i + 1, type, data: call }) as unknown as JournalEvent,
    );
    for (const [i, [, , ranMs]] of facts.entries()) expect(recordingOf(events.slice(0, i + 1), 'r')?.ranMs).toBe(ranMs);
  });
});
