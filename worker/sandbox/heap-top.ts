/**
 * Where the allocator's memory ends. It grows from below and never shrinks, so this one number says how much a program took
 * at most. The allocator does not export it, but keeps it in a static variable, which large allocations give away: of all
 * words that they change, it is the one with the largest address in it, just behind the new block, each time.
 */
import type { EmscriptenMemory } from './engine.ts';

/** Three of them are less than the reserve that the engine takes afterwards, so that they leave no gap. */
const PROBE_BYTES = 128 * 1024;
/** Static data comes first in memory; of this engine it is 90 KiB. */
const WINDOW_BYTES = 256 * 1024;

/** @returns the address of the word, the same in every engine of one module, or undefined when no word behaves like that */
export function findHeapTop(heap: EmscriptenMemory): number | undefined {
  const blocks = [heap._malloc(PROBE_BYTES)];
  const look = (): Uint32Array => new Uint32Array(heap.HEAPU8.slice(0, WINDOW_BYTES).buffer);
  const before = look();
  blocks.push(heap._malloc(PROBE_BYTES));
  const between = look();
  blocks.push(heap._malloc(PROBE_BYTES));
  const after = look();
  const behind = (word: number, block: number): boolean => word >= block + PROBE_BYTES && word <= heap.HEAPU8.length;
  let found = -1;
  for (let i = 0; i < before.length; i++) {
    if (before[i] === between[i] || between[i] === after[i]) continue;
    if (behind(between[i]!, blocks[1]!) && behind(after[i]!, blocks[2]!) && (found < 0 || after[i]! > after[found]!)) found = i;
  }
  for (const block of blocks) if (block !== 0) heap._free(block);
  return found < 0 ? undefined : found * 4;
}

/** The word at that address, as often as it is asked for. */
export function heapTopReader(heap: EmscriptenMemory, address: number): () => number {
  return () => new DataView(heap.HEAPU8.buffer).getUint32(address, true);
}
