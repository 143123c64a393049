/**
 * The engine's memory as it was when a fresh context with the prelude stood in it. Restoring it replaces freeing the old
 * context and making a new one (10 ms, most of it compiling the prelude) by copying about 1 MiB, and nothing of the program
 * before survives, whatever state it was interrupted in. Everything the engine knows is in its memory; the stack pointer
 * outside of it is back at its start whenever no call is under way. (After a host stack overflow it is not: such an engine
 * is never used again.)
 */
import type { EmscriptenMemory } from './engine.ts';

const PAGE_BYTES = 64 * 1024;
/** So much emptiness in a row is the unused part of the engine's stack (5 MiB): it lies between static data and heap. */
const EMPTY_PAGES = 8;

interface Segment {
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An image as it travels to another worker, whose engine is of the same module and has as much memory. */
export interface ImageData {
  /** End of the allocator's memory. */
  readonly top: number;
  readonly segments: readonly Segment[];
}

export class MemoryImage {
  readonly #heap: EmscriptenMemory;
  readonly #top: number;
  readonly #segments: readonly Segment[];

  constructor(heap: EmscriptenMemory, { top, segments }: ImageData) {
    this.#heap = heap;
    this.#top = top;
    this.#segments = segments;
  }

  /** @param top end of the allocator's memory */
  static take(heap: EmscriptenMemory, top: number): MemoryImage {
    const { HEAPU8 } = heap;
    const below = edge(HEAPU8, 0, 1, top);
    const above = below < top ? edge(HEAPU8, Math.floor((top - 1) / PAGE_BYTES), -1, top) : top;
    const segments = [
      { start: 0, bytes: HEAPU8.slice(0, below) },
      { start: above, bytes: HEAPU8.slice(above, top) },
    ];
    return new MemoryImage(heap, { top, segments });
  }

  get data(): ImageData {
    return { top: this.#top, segments: this.#segments };
  }

  get byteLength(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** @param top end of the allocator's memory now: what lies above the image is wiped up to it */
  restore(top: number): void {
    const memory = this.#heap.HEAPU8;
    if (top > this.#top) memory.fill(0, this.#top, top);
    for (const { start, bytes } of this.#segments) memory.set(bytes, start);
  }
}

/** Where the unused stack begins, seen from `page` in the direction of `step`; `top` when there is no such gap. */
function edge(memory: Uint8Array<ArrayBuffer>, page: number, step: 1 | -1, top: number): number {
  const pages = Math.ceil(top / PAGE_BYTES);
  for (let empty = 0; page >= 0 && page < pages; page += step) {
    empty = isEmpty(memory, page * PAGE_BYTES) ? empty + 1 : 0;
    if (empty === EMPTY_PAGES) return (step > 0 ? page - EMPTY_PAGES + 1 : page + EMPTY_PAGES) * PAGE_BYTES;
  }
  return top;
}

function isEmpty(memory: Uint8Array<ArrayBuffer>, at: number): boolean {
  const words = new Uint32Array(memory.buffer, at, PAGE_BYTES / 4);
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) return false;
  return true;
}
