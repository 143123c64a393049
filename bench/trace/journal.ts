/** A session that only exists as its events: the real journal events, reducer and store, and nobody who runs anything. */
import type { Session } from 'react-code-mode/core';
import type { EventData, EventType, JournalEvent } from 'react-code-mode/journal';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { createSessionStore, frameScheduler } from '../../src/store/create-store.ts';

const RUN = 'run-1';
const TOOLS = ['orders.list', 'orders.get', 'customers.get', 'parcels.track', 'mail.send'] as const;
const SOURCE = Array.from({ length: 40 }, (_, at) => `await tools.orders.get({ id: ${at} });`).join('\n');

export interface Feed {
  readonly session: Session;
  /** Calls made and lines written so far. */
  readonly rows: number;
  /** Events so far. */
  readonly events: number;
  /** Adds this many events: calls (requested, started, succeeded) and console lines in turn. */
  add(events: number): void;
}

export function createFeed(): Feed {
  const events: JournalEvent[] = [];
  const { store, push } = createSessionStore('bench', events, frameScheduler);
  let calls = 0;
  let lines = 0;
  let step = 0;
  const write = <T extends EventType>(type: T, data: EventData[T]): void => {
    const event = { v: 2, seq: events.length + 1, time: Date.now(), sessionId: 'bench', runId: RUN, type, data };
    events.push(event as unknown as JournalEvent);
    push(event as unknown as JournalEvent);
  };
  const call = (): string => `${RUN}:${calls}`;
  const steps: readonly (() => void)[] = [
    () => {
      calls += 1;
      const input = { inline: JSON.stringify({ id: calls, page: calls % 17, note: 'late delivery' }) };
      const tool = TOOLS[calls % TOOLS.length]!;
      const site = { line: (calls % 40) + 1, column: 1 };
      write('tool_call.requested', { callId: call(), ordinal: calls, tool, input, inputBytes: 60, group: calls, site } as never);
    },
    () => write('tool_call.started', { callId: call() }),
    () => {
      const output = { inline: JSON.stringify({ id: calls, total: calls * 1.5, items: ['lamp', 'chair', 'desk'] }) } as never;
      if (calls % 97 === 0)
        write('tool_call.failed', {
          callId: call(),
          error: { code: 'tool_error', name: 'ToolError', message: 'busy' },
          phase: 'handler',
        });
      else write('tool_call.succeeded', { callId: call(), output, outputBytes: 70 });
    },
    () => {
      lines += 1;
      write('output.written', { level: lines % 50 === 0 ? 'warn' : 'log', text: `line ${lines}: order ${calls} was read` });
    },
  ];
  write('run.queued', { source: SOURCE, title: 'Ten thousand rows' });
  write('run.started', {
    seed: [1, 2, 3, 4],
    locale: 'en',
    timeZone: 'UTC',
    engine: 'bench',
    protocol: 4,
    catalogVersion: '1',
    limits: DEFAULT_LIMITS,
    state: 'run',
    fresh: true,
  });
  const session = {
    id: 'bench',
    store,
    journal: { events, load: (value: { inline: string }) => value.inline, subscribe: () => () => {} },
    grants: { list: [], canStore: false },
    undoable: () => ({ calls: [], stays: [] }),
    readValue: async (value: { inline: string }) => JSON.parse(value.inline) as unknown,
  } as unknown as Session;
  return {
    session,
    get rows() {
      return calls + lines;
    },
    get events() {
      return events.length;
    },
    add(count) {
      for (let at = 0; at < count; at += 1) steps[step++ % steps.length]!();
    },
  };
}
