/**
 * The engine's memory as it was when a fresh context with the prelude stood in it. Restoring it replaces freeing the old
 * context and making a new one (10 ms, most of it compiling the prelude) by copying about 1 MiB, and nothing of the program
 * before survives, whatever state it was interrupted in. Everything the engine knows is in its memory; the stack pointer
 * outside of it is back at its start whenever no call is under way. (After a host stack overflow it is not: such an engine
 * is never used again.)
 */
import type { EmscriptenMemory } from './engine.ts';
import { PAGE_BYTES } from './engine-memory.ts';

/** So much emptiness in a row is the unused part of the engine's stack (5 MiB): it lies between static data and heap. */
const EMPTY_PAGES = 8;

/** Emptiness is left out in steps of so much … */
const BLOCK_BYTES = 4 * 1024;
/** … where so many steps of it follow each other: less is not worth a copy of its own. */
const EMPTY_BLOCKS = 4;

interface Part {
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Memory from `start` to `end`: these parts, and nothing but zeros between them (the engine's reserve is half a MiB of them). */
interface Segment {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly Part[];
}

/** An image as it travels to another worker, whose engine is of the same module and has as much memory. */
export interface ImageData {
  /** End of the allocator's memory. */
  readonly top: number;
  /** Static data; heap. */
  readonly segments: readonly [Segment, Segment];
}

export class MemoryImage {
  readonly #heap: EmscriptenMemory;
  /** What it consists of. */
  readonly data: ImageData;

  constructor(heap: EmscriptenMemory, data: ImageData) {
    this.#heap = heap;
    this.data = data;
  }

  /** @param top end of the allocator's memory */
  static take(heap: EmscriptenMemory, top: number): MemoryImage {
    const { HEAPU8 } = heap;
    const below = edge(HEAPU8, 0, 1, top);
    const above = below < top ? edge(HEAPU8, Math.floor((top - 1) / PAGE_BYTES), -1, top) : top;
    return new MemoryImage(heap, { top, segments: [segment(HEAPU8, 0, below), segment(HEAPU8, above, top)] });
  }

  get byteLength(): number {
    return this.data.segments.flatMap(({ parts }) => parts).reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** @param top end of the allocator's memory now: what lies above the image is wiped up to it */
  restore(top: number): void {
    const memory = this.#heap.HEAPU8;
    if (top > this.data.top) memory.fill(0, this.data.top, top);
    for (const each of this.data.segments) put(memory, each);
  }

  /** Into an engine that has not allocated anything: its heap is empty, and what is to stay empty is not touched. */
  install(): void {
    const memory = this.#heap.HEAPU8;
    const [statics, heap] = this.data.segments;
    put(memory, statics);
    for (const { start, bytes } of heap.parts) memory.set(bytes, start);
  }
}

function put(memory: Uint8Array<ArrayBuffer>, { start, end, parts }: Segment): void {
  let at = start;
  for (const part of parts) {
    if (at < part.start) memory.fill(0, at, part.start);
    memory.set(part.bytes, part.start);
    at = part.start + part.bytes.length;
  }
  if (at < end) memory.fill(0, at, end);
}

function segment(memory: Uint8Array<ArrayBuffer>, start: number, end: number): Segment {
  const parts: Part[] = [];
  let from = start;
  let empty = 0;
  const close = (to: number): void => {
    if (to > from) parts.push({ start: from, bytes: memory.slice(from, to) });
  };
  for (let at = start; at < end; at += BLOCK_BYTES) {
    if (isEmpty(memory, at, Math.min(BLOCK_BYTES, end - at))) {
      empty++;
      continue;
    }
    if (empty >= EMPTY_BLOCKS) {
      close(at - empty * BLOCK_BYTES);
      from = at;
    }
    empty = 0;
  }
  close(empty >= EMPTY_BLOCKS ? Math.ceil((end - start) / BLOCK_BYTES - empty) * BLOCK_BYTES + start : end);
  return { start, end, parts };
}

/** Where the unused stack begins, seen from `page` in the direction of `step`; `top` when there is no such gap. */
function edge(memory: Uint8Array<ArrayBuffer>, page: number, step: 1 | -1, top: number): number {
  const pages = Math.ceil(top / PAGE_BYTES);
  for (let empty = 0; page >= 0 && page < pages; page += step) {
    empty = isEmpty(memory, page * PAGE_BYTES, PAGE_BYTES) ? empty + 1 : 0;
    if (empty === EMPTY_PAGES) return (step > 0 ? page - EMPTY_PAGES + 1 : page + EMPTY_PAGES) * PAGE_BYTES;
  }
  return top;
}

/** @param at a multiple of 4 */
function isEmpty(memory: Uint8Array<ArrayBuffer>, at: number, length: number): boolean {
  const words = new Uint32Array(memory.buffer, at, length >> 2);
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) return false;
  for (let i = at + words.length * 4; i < at + length; i++) if (memory[i] !== 0) return false;
  return true;
}
