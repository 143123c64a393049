import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EmscriptenMemory } from './engine.ts';
import { MemoryImage } from './memory-image.ts';

const PAGE = 64 * 1024;
const memoryOf = (bytes: number): EmscriptenMemory => ({ HEAPU8: new Uint8Array(bytes) }) as EmscriptenMemory;

/** Places with something in them, in the static data and in the heap behind an unused stack of 12 pages. */
const marks = fc.array(
  fc.tuple(fc.oneof(fc.nat(2 * PAGE - 1), fc.integer({ min: 14 * PAGE, max: 20 * PAGE - 1 })), fc.nat(255)),
  {
    minLength: 1,
    maxLength: 40,
  },
);

test('whatever stood in memory comes back, and whatever was empty is empty again', () => {
  fc.assert(
    fc.property(marks, fc.integer({ min: 19 * PAGE, max: 20 * PAGE }), marks, (placed, top, scribbled) => {
      const heap = memoryOf(21 * PAGE);
      for (const [at, byte] of placed) if (at < top) heap.HEAPU8[at] = byte;
      heap.HEAPU8[0] = heap.HEAPU8[2 * PAGE - 1] = heap.HEAPU8[14 * PAGE] = 1;
      const before = heap.HEAPU8.slice();
      const image = MemoryImage.take(heap, top);
      for (const [at, byte] of scribbled) if (at < top) heap.HEAPU8[at] = byte;
      heap.HEAPU8.fill(9, top, top + 10);
      image.restore(top + 10);
      expect(Buffer.from(before.buffer).equals(heap.HEAPU8)).toBe(true);
      const fresh = memoryOf(21 * PAGE);
      // Static data is there before an image comes.
      fresh.HEAPU8.fill(7, 0, 5);
      new MemoryImage(fresh, structuredClone(image.data)).install();
      expect(Buffer.from(before.buffer).equals(fresh.HEAPU8)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test('emptiness does not travel', () => {
  const heap = memoryOf(21 * PAGE);
  heap.HEAPU8[0] = heap.HEAPU8[14 * PAGE] = heap.HEAPU8[20 * PAGE - 1] = 1;
  const image = MemoryImage.take(heap, 20 * PAGE);
  expect(image.byteLength).toBeLessThanOrEqual(3 * 4 * 1024 * 4);
});
