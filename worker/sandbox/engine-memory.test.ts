import { beforeAll, describe, expect, test } from 'vitest';
import { loadWasm } from '../variant.ts';
import { instantiate, loadEngine } from './engine.ts';
import { createMemory } from './engine-memory.ts';

const MIB = 1024 * 1024;
let module: WebAssembly.Module;
beforeAll(async () => {
  module = await WebAssembly.compile(await loadWasm());
});

describe('the memory of an engine', () => {
  test('is small at first, whatever its limit', () => {
    expect(createMemory(96 * MIB).memory.buffer.byteLength).toBe(16 * MIB);
    expect(createMemory(2048 * MIB).memory.buffer.byteLength).toBe(16 * MIB);
  });

  // Limits just above and below the steps of doubling, where the loader asks for more than is left.
  test.each([48, 63, 65, 66, 70, 79, 81, 96, 127, 129, 160])('grows to the last page of %i MiB and not beyond', async (limit) => {
    const bytes = limit * MIB - 64 * 1024;
    const engine = await instantiate(module, createMemory(bytes));
    let taken = 0;
    while (engine.heap._malloc(MIB) !== 0) taken++;
    while (engine.heap._malloc(64 * 1024) !== 0);
    expect(engine.heap.HEAPU8.length).toBe(bytes);
    expect(engine.wasFull()).toBe(true);
    // The stack, static data and the reserve take 6 MiB.
    expect(taken).toBeGreaterThan(limit - 8);
  });

  test('refuses at once what is more than its limit, and stays as it was', async () => {
    const engine = await instantiate(module, createMemory(64 * MIB));
    expect(engine.heap._malloc(60 * MIB)).toBe(0);
    expect(engine.heap.HEAPU8.length).toBe(16 * MIB);
    expect(engine.wasFull()).toBe(false);
    expect(engine.heap._malloc(50 * MIB)).not.toBe(0);
    expect(engine.heap.HEAPU8.length).toBe(64 * MIB);
  });

  test('an engine that begins with the books of another keeps the same ones', async () => {
    const first = await loadEngine({ module, memoryBytes: 16 * MIB });
    const second = await loadEngine({ module, memoryBytes: 16 * MIB });
    expect(first.books).toEqual(second.books);
    const heir = await loadEngine({ module, memoryBytes: 16 * MIB, books: first.books });
    expect(heir.books).toBe(first.books);
    // Nothing was allocated or searched for: its allocator has not begun.
    expect(heir.heapTop!()).toBeLessThan(first.books!.heapBase);
  });
});
