/** Results that come later: what is written about them, and when. */
import { describe, expect, it, vi } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { ToolError } from '../errors.ts';
import type { JournalEvent } from '../journal/events.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import type { JournalLog, JournalStorage } from '../journal/storage.ts';
import { deferred } from './deferred.ts';
import { createScriptedBench } from './test-tools/scripted.ts';

const bench = createScriptedBench();
/** However busy the machine. */
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 15_000, interval: 2 });
const order = (over: Partial<Tool> = {}): Tool => ({ name: 'order', execute: () => deferred('order-77'), ...over });
const programs = { order: (call: (tool: string) => Promise<unknown>) => call('order') };

/** Keeps the ends of calls until they are let through. */
function slowStorage(): JournalStorage & { readonly held: (() => void)[] } {
  const memory = memoryStorage();
  const held: (() => void)[] = [];
  const isEnd = ({ type }: JournalEvent): boolean => type === 'tool_call.failed' || type === 'tool_call.succeeded';
  const open = (id: string): JournalLog => {
    const log = memory.open(id) as JournalLog;
    const append: JournalLog['append'] = (events, options) => {
      const done = log.append(events, options);
      return events.some(isEnd) ? new Promise((resolve) => held.push(resolve)) : done;
    };
    return { ...log, append };
  };
  return { ...memory, open, held };
}

describe('a result that comes later', () => {
  it.each([
    ['a value', { ok: true }],
    ['an error', new ToolError('sold out')],
  ])('that is %s is on disk before anybody hears that it was taken', async (_, result) => {
    const storage = slowStorage();
    const s = bench.session(programs, { tools: [order()], storage });
    const run = s.run('order');
    await until(() => expect(s.store.getState().runs[run.id]?.calls[0]?.deferred).toBe('order-77'));
    const heard = vi.fn();
    const receipt = s.settle(`${run.id}:1`, result).finally(heard);
    await until(() => expect(storage.held).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(heard).not.toHaveBeenCalled();
    storage.held[0]!();
    expect(await receipt).toEqual({ applied: true });
    expect((await run.outcome).status).toBe(result instanceof Error ? 'failed' : 'completed');
  });

  it('is not waited for, and nothing is written about it, when the run ends in any turn of the handler’s end', async () => {
    for (let turns = 0; turns < 16; turns++) {
      let cancel = (): void => {};
      const execute = async (): Promise<unknown> => {
        void (async () => {
          for (let i = 0; i < turns; i++) await Promise.resolve();
          cancel();
        })();
        return deferred('order-77');
      };
      const s = bench.session(programs, { tools: [order({ execute })] });
      const run = s.run('order');
      cancel = () => run.cancel();
      await run.outcome;
      await new Promise((resolve) => setTimeout(resolve, 0));
      const types = s.journal.events.map(({ type }) => type);
      expect(types.slice(types.indexOf('tool_call.cancelled')), `${turns}`).toEqual(['tool_call.cancelled', 'run.cancelled']);
    }
  });
});
