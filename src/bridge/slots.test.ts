import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

test('grants in the order of asking, as many as there are', () => {
  const slots = createSlots(2);
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
  const slots = createSlots(1);
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
  const slots = createSlots(1);
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
      const slots = createSlots(size);
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
