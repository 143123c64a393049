import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import { emptyState, reduceAll } from '../store/reduce.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import type { EventData } from './events.ts';
import { type Journal, openJournal } from './journal.ts';
import { memoryStorage } from './memory-storage.ts';
import { planTrim } from './retention.ts';
import type { JournalStorage, Retention } from './storage.ts';

const stats = { computeMs: 0, peakMemoryBytes: 0, calls: 0, transferBytes: 0 };
const started = { seed: [1], locale: 'en', timeZone: 'UTC', engine: 'e', protocol: 3, limits: DEFAULT_LIMITS };

class Session {
  readonly clock: FakeClock = createFakeClock();
  readonly storage: JournalStorage;
  readonly journal: Journal;

  constructor(retention?: Retention) {
    this.storage = memoryStorage(retention && { retention });
    this.journal = openJournal(this.storage, 's', this.clock);
  }

  begin(id: string, over: Partial<EventData['run.started']> = {}): void {
    this.journal.append('run.queued', { source: 'return 1' }, id);
    this.journal.append('run.started', { ...started, state: 'run', fresh: true, catalogVersion: 'v1', ...over }, id);
  }

  end(id: string): void {
    this.journal.append('run.completed', { warnings: [], notAwaited: [], stats }, id);
  }

  run(id: string, over: Partial<EventData['run.started']> = {}): void {
    this.begin(id, over);
    this.end(id);
  }

  get runs(): readonly string[] {
    return reduceAll(emptyState('s'), this.journal.events).runOrder;
  }

  plan(retention: Retention): readonly string[] {
    return planTrim(this.journal.events, retention, this.clock.now())?.fact.runIds ?? [];
  }
}

vi.setConfig({ testTimeout: 30_000 });

describe('retention', () => {
  it('keeps maxRuns runs, and lets the oldest go for one more', () => {
    const session = new Session();
    for (const id of ['a', 'b', 'c']) session.run(id);
    expect(session.plan({ maxRuns: 3 })).toEqual([]);
    session.run('d');
    expect(session.plan({ maxRuns: 3 })).toEqual(['a']);
  });

  it('keeps maxBytes of events and values, and lets the oldest go for one more', () => {
    const session = new Session();
    for (const id of ['a', 'b']) {
      session.begin(id);
      session.journal.append('output.emitted', { value: session.journal.store('x'.repeat(50_000)) }, id);
      session.end(id);
    }
    const events = JSON.stringify(session.journal.events).length - session.journal.events.length - 1;
    expect(session.plan({ maxBytes: events + 100_000 })).toEqual([]);
    expect(session.plan({ maxBytes: events + 99_999 })).toEqual(['a']);
  });

  it('keeps a run for maxAgeMs after its last event', () => {
    const session = new Session();
    session.run('a');
    session.clock.advance(500);
    session.run('b');
    session.clock.advance(500);
    expect(session.plan({ maxAgeMs: 1_000 })).toEqual([]);
    session.clock.advance(1);
    expect(session.plan({ maxAgeMs: 1_000 })).toEqual(['a']);
  });

  it('never touches an open run, nor the session programs it builds on, nor the newest run', () => {
    const session = new Session();
    session.run('lost', { state: 'session', fresh: true });
    session.run('base', { state: 'session', fresh: true });
    session.run('more', { state: 'session', fresh: false });
    session.begin('open', { state: 'session', fresh: false });
    session.run('newest');
    expect(session.plan({ maxRuns: 1 })).toEqual(['lost']);
    session.end('open');
    expect(session.plan({ maxRuns: 1 })).toEqual(['lost', 'base', 'more', 'open']);
  });

  it('keeps the programs that an open one builds on, whatever ran without globals or not at all in between', () => {
    const session = new Session();
    session.run('base', { state: 'session', fresh: true });
    session.run('call', { state: 'run', fresh: true, engine: 'direct' });
    session.journal.append('run.queued', { source: 'return 1' }, 'refused');
    session.end('refused');
    session.begin('open', { state: 'session', fresh: false });
    expect(session.plan({ maxRuns: 1 })).toEqual(['call', 'refused']);
  });

  it('keeps facts that outlive their run, and the catalogues that kept runs were written against', () => {
    const session = new Session();
    session.journal.append('catalog.changed', { version: 'v0', tools: [], definitions: [] });
    session.journal.append('catalog.changed', { version: 'v1', tools: [], definitions: [] });
    session.begin('a', { catalogVersion: 'v0' });
    session.journal.append(
      'grant.created',
      { grantId: 'g', tool: 't', scope: 'session', match: 'tool', words: 't', definitionHash: 'h' },
      'a',
    );
    const reserved = [{ rule: 'r', per: 'session' as const, calls: 1, sum: 0 }];
    session.journal.append('tool_call.started', { callId: 'a:1', reserved }, 'a');
    session.journal.append('tool_call.started', { callId: 'a:2' }, 'a');
    session.end('a');
    session.run('b');
    const plan = planTrim(session.journal.events, { maxRuns: 1 }, 0)!;
    const gone = (seq: number): boolean => plan.removal.ranges.some(([from, to]) => from <= seq && seq <= to);
    expect(session.journal.events.filter(({ seq }) => !gone(seq)).map(({ type }) => type)).toEqual([
      'catalog.changed',
      'grant.created',
      'tool_call.started',
      'run.queued',
      'run.started',
      'run.completed',
    ]);
  });

  it('is kept while the session runs, and the journal reads as it was after it is opened again', async () => {
    const session = new Session({ maxRuns: 2 });
    const value = session.journal.store('y'.repeat(50_000));
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      session.begin(id);
      if (id === 'a') session.journal.append('output.emitted', { value }, id);
      session.end(id);
      await vi.waitFor(() => expect(session.runs.length).toBeLessThanOrEqual(2), { interval: 1, timeout: 15_000 });
    }
    expect(session.runs).toEqual(['d', 'e']);
    expect(reduceAll(emptyState('s'), session.journal.events).removedRuns).toBe(3);
    expect(session.journal.events.filter(({ type }) => type === 'journal.trimmed')).toHaveLength(1);
    await expect((async () => session.journal.load(value))()).rejects.toMatchObject({ code: 'storage_error' });
    const { events } = session.journal;
    await session.journal.close();
    const again = openJournal(session.storage, 's', session.clock);
    expect(again.events).toEqual(events);
    again.append('run.queued', { source: '2' }, 'f');
    expect(again.events.at(-1)?.seq).toBe((events.at(-1)?.seq ?? 0) + 1);
  });
});
