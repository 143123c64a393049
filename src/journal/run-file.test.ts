import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyState, reduceAll } from '../store/reduce.ts';
import type { EncodedText } from '../protocol/wire.ts';
import type { JournalEvent } from './events.ts';
import { readEvents } from './read-events.ts';
import { exportRunFile, importRunFile, type RunSource } from './run-file.ts';
import type { Recording } from './test-tools/recording.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const recordings = ['v1', 'v2'].flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((file): [string, Recording] => [
    `${version}/${file}`,
    JSON.parse(readFileSync(join(FIXTURES, version, file), 'utf8')) as Recording,
  ]),
);

function sourceOf({ events, values }: Recording): RunSource {
  return {
    events: readEvents(events).events,
    load: (value) => ('inline' in value ? value.inline : (values[value.ref] as EncodedText)),
  };
}
const runIdsOf = (events: readonly JournalEvent[]): string[] => [...new Set(events.flatMap(({ runId }) => runId ?? []))];
const throughJson = (file: unknown): unknown => JSON.parse(JSON.stringify(file));
const stateOf = (events: readonly JournalEvent[]) => reduceAll(emptyState('s'), events);

describe('a run file', () => {
  it.each(recordings)('of %s gives the same run again', async (_name, recording) => {
    const source = sourceOf(recording);
    for (const runId of runIdsOf(source.events)) {
      const run = importRunFile(throughJson(await exportRunFile(source, runId, { mask: false })));
      expect(run).toMatchObject({ runId, masked: false });
      expect(run.damage).toBeUndefined();
      expect(stateOf(run.events).runs[runId]).toEqual(stateOf(source.events).runs[runId]);
      for (const event of run.events)
        for (const [, ref] of JSON.stringify(event).matchAll(/"ref":"([^"]+)"/g))
          expect(await run.load({ ref: ref!, bytes: 0, preview: '' })).toBe(recording.values[ref!]);
      expect(await run.readValue({ inline: '{"a":[1]}' as EncodedText })).toEqual({ a: [1] });
      await expect(run.readValue({ ref: 'nowhere', bytes: 0, preview: '' })).rejects.toMatchObject({ code: 'storage_error' });
    }
  });

  it.each(recordings)('of %s holds no secret, and is the same when it is exported once more', async (_name, recording) => {
    const source = sourceOf(recording);
    for (const runId of runIdsOf(source.events)) {
      const file = throughJson(await exportRunFile(source, runId));
      expect(JSON.stringify(file)).not.toContain('swordfish');
      const run = importRunFile(file);
      expect(throughJson(await exportRunFile(run, runId))).toEqual(file);
      expect(Object.keys(stateOf(run.events).runs)).toEqual([runId]);
    }
  });

  it('masks by the schema of the tool, in inputs, answers and what was shown to a person', async () => {
    const recording = recordings.find(([name]) => name === 'v2/edited.json')![1];
    const schemas = () => ({ input: { properties: { to: { 'x-sensitive': true } } } });
    const { events } = await exportRunFile(sourceOf(recording), 'run-1', { schemas });
    const seen = events.flatMap(({ type, data }) =>
      'input' in data && data.input && 'inline' in data.input ? [[type, data.input.inline]] : [],
    );
    const hidden = '{"to":"••••••••"}';
    expect(seen.filter(([, text]) => text !== '{"amount":5}')).toEqual([
      ['tool_call.requested', hidden],
      ['approval.requested', hidden],
      ['approval.decided', hidden],
      ['tool_call.started', hidden],
    ]);
    // A digest of a short secret could be guessed.
    expect(events.find(({ type }) => type === 'approval.requested')?.data).toMatchObject({ inputDigest: '' });
  });

  it('says which run is not there', async () => {
    await expect(exportRunFile(sourceOf(recordings[0]![1]), 'nope')).rejects.toMatchObject({ code: 'invalid_options' });
  });
});

describe('loading a run file', () => {
  it('refuses what is none, and one of a newer version', async () => {
    for (const file of [undefined, null, 5, 'text', [], {}, { format: 'react-code-mode/journal' }])
      expect(() => importRunFile(file)).toThrow(expect.objectContaining({ code: 'invalid_options' }) as Error);
    const file = await exportRunFile(sourceOf(recordings[0]![1]), 'run-1');
    for (const events of [[], [{ v: 2 }, ...file.events]])
      expect(() => importRunFile({ ...file, events })).toThrow(/^Nothing of the run in this file can be read: /);
    const newer = { ...file, events: file.events.map((event) => ({ ...event, v: 99 })) };
    expect(() => importRunFile(newer)).toThrow(expect.objectContaining({ code: 'storage_error' }) as Error);
  });

  it('keeps what is good of a file that was cut off, and says so', async () => {
    const file = await exportRunFile(sourceOf(recordings[0]![1]), 'run-1');
    const run = importRunFile({ ...file, events: [...file.events.slice(0, 5), { v: 2 }] });
    expect(run.events).toEqual(file.events.slice(0, 5));
    expect(run.damage).toBe('an event has no place or time');
  });

  const fileOf = (type: JournalEvent['type'], data: object) => {
    const event = (seq: number, type: string, data: object) => ({ v: 2, seq, time: 1, sessionId: 's', runId: 'r', type, data });
    const events = [event(1, 'run.queued', { source: '' }), event(2, type, data)];
    return { format: 'react-code-mode/journal', version: 2, sessionId: 's', runId: 'r', masked: false, events, values: {} };
  };
  const failure = { warnings: [], stats: { computeMs: 0, peakMemoryBytes: 0, calls: 0, transferBytes: 0 } };
  const error = { code: 'program_error', name: 'Error', message: 'x' };

  it.each<[type: JournalEvent['type'], data: object, field: string]>([
    ['run.failed', { ...failure, error }, 'error.excerpt'],
    ['policy.evaluated', { callId: 'r:1', effect: 'ask', by: 'rule' }, 'rule'],
    ['policy.evaluated', { callId: 'r:1', effect: 'ask', by: 'rule' }, 'grantId'],
    ['approval.requested', { callId: 'r:1', question: '?', risk: 'read', input: { inline: '1' }, inputDigest: '' }, 'reason'],
    ['approval.decided', { callId: 'r:1', decision: 'allow' }, 'scope'],
    ['tool_call.started', { callId: 'r:1' }, 'reserved'],
  ])('takes no %s with what it cannot show (%o, %s)', (type, data, field) => {
    expect(importRunFile(fileOf(type, data)).damage).toBeUndefined();
    for (const value of [{}, [null], 1, null]) {
      const changed = structuredClone(data) as Record<string, Record<string, unknown>>;
      const [outer = '', inner] = field.split('.');
      if (inner === undefined) changed[outer] = value as never;
      else changed[outer]![inner] = value;
      expect(importRunFile(fileOf(type, changed)).damage, JSON.stringify(changed)).toContain('not readable');
    }
  });

  it('leaves out data of an error that is too deep to be searched for secrets', async () => {
    let data: unknown = 'swordfish';
    for (let depth = 0; depth < 50_000; depth++) data = [data];
    const run = importRunFile(fileOf('run.failed', { ...failure, error: { ...error, data } }));
    const { events } = await exportRunFile(run, 'r');
    expect(events[1]?.data).toMatchObject({ error });
    expect(JSON.stringify(events)).not.toContain('swordfish');
  });

  it('survives any change of a file', async () => {
    const file = JSON.stringify(await exportRunFile(sourceOf(recordings[3]![1]), 'run-1'));
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.string({ maxLength: 3 }), fc.nat(20), (at, text, cut) => {
        let changed: unknown;
        try {
          changed = JSON.parse(file.slice(0, at) + text + file.slice(at + cut));
        } catch {
          return;
        }
        try {
          stateOf(importRunFile(changed).events);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^(invalid_options|storage_error)$/) as string });
        }
      }),
      { numRuns: 500 },
    );
  });
});
