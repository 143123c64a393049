import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { INLINE_VALUE_CHARS, openJournal } from './journal.ts';
import { memoryStorage } from './memory-storage.ts';
import type { JournalStorage } from './storage.ts';

const wrote = { level: 'log' as const, text: 'x' };

describe('the journal', () => {
  it('numbers facts without gaps and goes on where it was left', async () => {
    const storage = memoryStorage();
    const first = openJournal(storage, 's', createFakeClock());
    first.append('output.written', wrote, 'r');
    first.append('output.written', wrote, 'r');
    await first.close();
    const second = openJournal(storage, 's', createFakeClock());
    second.append('output.written', wrote, 'r');
    expect(second.events.map((event) => event.seq)).toEqual([1, 2, 3]);
  });

  it('keeps a value of the limit in place and stores one character more apart', async () => {
    const journal = openJournal(memoryStorage(), 's', createFakeClock());
    const fits = 'x'.repeat(INLINE_VALUE_CHARS);
    expect(journal.store(fits)).toEqual({ inline: fits });
    const stored = journal.store(`${fits}y`);
    expect(stored).toMatchObject({ bytes: INLINE_VALUE_CHARS + 1 });
    expect(await journal.load(stored)).toBe(`${fits}y`);
    await expect((async () => journal.load({ ref: 'gone', bytes: 1, preview: '' }))()).rejects.toMatchObject({
      code: 'storage_error',
    });
  });

  it('refuses every durable fact after the storage failed', async () => {
    const memory = memoryStorage();
    let broken = false;
    const storage: JournalStorage = {
      ...memory,
      open: (id) => {
        const log = memory.open(id) as Awaited<ReturnType<JournalStorage['open']>>;
        return {
          ...log,
          append: (events, options) => (broken ? Promise.reject(new Error('quota')) : log.append(events, options)),
        };
      },
    };
    const journal = openJournal(storage, 's', createFakeClock());
    expect(journal.appendDurably('output.written', wrote)).toBeUndefined();
    broken = true;
    await expect(journal.appendDurably('output.written', wrote)).rejects.toMatchObject({ code: 'storage_error' });
    broken = false;
    await expect(journal.appendDurably('output.written', wrote)).rejects.toMatchObject({ code: 'storage_error' });
  });

  it('tells who waits for it that an asynchronous storage is open, or cannot be opened', async () => {
    const memory = memoryStorage();
    const slow = openJournal({ ...memory, open: async (id) => memory.open(id) }, 's', createFakeClock());
    expect(slow.opened).toBeInstanceOf(Promise);
    await slow.opened;
    expect(slow.opened).toBeUndefined();
    const failing = openJournal({ ...memory, open: () => Promise.reject(new Error('blocked')) }, 's', createFakeClock());
    await expect(failing.opened).rejects.toMatchObject({ code: 'storage_error' });
  });
});
