import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createSlots, LONG_MS } from './slots.ts';

test('grants in the order of asking, as many as there are', () => {
  const slots = createSlots(2, createFakeClock());
  const granted: string[] = [];
  const back = ['a', 'b', 'c', 'd'].map((name) => slots.request(() => granted.push(name)));
  expect(granted).toEqual(['a', 'b']);
  expect(slots.waiting).toBe(2);
  back[1]?.();
  expect(granted).toEqual(['a', 'b', 'c']);
  back[0]?.();
  expect(granted).toEqual(['a', 'b', 'c', 'd']);
});

test('who leaves the queue is not granted, and giving back twice counts once', () => {
  const slots = createSlots(1, createFakeClock());
  const granted: string[] = [];
  const first = slots.request(() => granted.push('first'));
  const second = slots.request(() => granted.push('second'));
  slots.request(() => granted.push('third'));
  second();
  second();
  first();
  first();
  expect(granted).toEqual(['first', 'third']);
  expect(slots.waiting).toBe(0);
});

test('a forced one counts, so nobody else is granted until it is back', () => {
  const slots = createSlots(1, createFakeClock());
  const granted: string[] = [];
  const forced = slots.force();
  slots.request(() => granted.push('asked'));
  expect(granted).toEqual([]);
  forced();
  expect(granted).toEqual(['asked']);
});

test('never more than the size are granted, nobody is forgotten, whatever the order of giving back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(fc.nat(20), { maxLength: 60 }), (size, steps) => {
      const slots = createSlots(size, createFakeClock());
      const open = new Map<number, () => void>();
      let next = 0;
      let held = 0;
      let granted = 0;
      for (const step of steps) {
        const key = [...open.keys()][step];
        if (key === undefined) {
          const id = next++;
          let mine = false;
          const back = slots.request(() => {
            mine = true;
            held++;
            granted++;
          });
          open.set(id, () => {
            if (mine) held--;
            back();
          });
        } else {
          open.get(key)?.();
          open.delete(key);
        }
        expect(held).toBeLessThanOrEqual(size);
        expect(held).toBe(Math.min(size, open.size));
      }
      for (const back of open.values()) back();
      expect(slots.waiting).toBe(0);
      expect(held).toBe(0);
      expect(granted).toBeLessThanOrEqual(next);
    }),
  );
});

test('nobody waits behind programs without end: after a while the longest one no longer counts', () => {
  const clock = createFakeClock();
  const slots = createSlots(2, clock);
  const granted: string[] = [];
  const ask = (name: string): (() => void) => slots.request(() => granted.push(name));
  const first = ask('endless 1');
  clock.advance(100);
  ask('endless 2');
  clock.advance(LONG_MS * 5);
  ask('short 1');
  expect(granted).toEqual(['endless 1', 'endless 2']);
  clock.advance(0);
  expect(granted).toEqual(['endless 1', 'endless 2', 'short 1']);
  const leaving = ask('left');
  ask('short 2');
  leaving();
  clock.advance(0);
  expect(granted.at(-1)).toBe('short 2');

  // Both that compute now have their full time; what comes back from a long one frees nobody's place.
  ask('short 3');
  first();
  clock.advance(LONG_MS - 1);
  expect(granted.at(-1)).toBe('short 2');
  clock.advance(1);
  expect(granted.at(-1)).toBe('short 3');
  expect(slots.waiting).toBe(0);
});

test('a program that began long ago is charged no slot twice, however it ends', () => {
  const clock = createFakeClock();
  const slots = createSlots(1, clock);
  let granted = 0;
  const ends = Array.from({ length: 4 }, () => slots.request(() => granted++));
  clock.advance(LONG_MS * 3);
  expect(granted).toBe(4);
  for (const end of ends) end();
  for (const end of ends) end();
  slots.request(() => granted++);
  slots.request(() => granted++);
  expect(granted).toBe(5);
});
