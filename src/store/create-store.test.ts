import { describe, expect, it, vi } from 'vitest';
import { JOURNAL_VERSION, type JournalEvent } from '../journal/events.ts';
import { createSessionStore } from './create-store.ts';

const queued = (seq: number): JournalEvent =>
  ({
    v: JOURNAL_VERSION,
    seq,
    time: seq,
    sessionId: 's',
    runId: `r${seq}`,
    type: 'run.queued',
    data: { source: '1' },
  }) as JournalEvent;
const written = (seq: number): JournalEvent =>
  ({
    v: JOURNAL_VERSION,
    seq,
    time: seq,
    sessionId: 's',
    runId: 'r1',
    type: 'output.written',
    data: { level: 'log', text: 'x' },
  }) as JournalEvent;

describe('the store of a session', () => {
  it('makes its state when it is asked for while nobody watches', () => {
    const schedule = vi.fn();
    const { store, push } = createSessionStore('s', [], schedule);
    push(queued(1));
    push(written(2));
    expect(schedule).not.toHaveBeenCalled();
    expect(store.getState()).toMatchObject({ lastSeq: 2, runs: { r1: { items: [{ text: 'x' }] } } });
  });

  it('never notifies from within a read while somebody watches', () => {
    const listener = vi.fn();
    const { store, push, flush } = createSessionStore('s', [queued(1)], () => undefined);
    const off = store.subscribe(listener);
    push(written(2));
    expect([store.getState().lastSeq, listener.mock.calls.length]).toEqual([1, 0]);
    flush();
    expect([store.getState().lastSeq, listener.mock.calls.length]).toEqual([2, 1]);
    off();
    off();
    push(written(3));
    expect(store.getState().lastSeq).toBe(3);
  });

  it('shows what a person waits for in the same turn', async () => {
    const { store, push } = createSessionStore('s', [], () => undefined);
    const seen = vi.fn();
    store.subscribe(seen);
    push(queued(1));
    await Promise.resolve();
    expect(seen).toHaveBeenCalledTimes(1);
  });
});
