/**
 * The memory of one engine: small when it begins, because the platform's garbage collector is set going by the size of a
 * memory, used or not (5–8 ms of a worker's start with 96 MiB), and never larger than its limit.
 */

export const PAGE_BYTES: number = 64 * 1024;
/** What the engine asks for at least: static data, its stack of 5 MiB, room for ordinary programs. */
const INITIAL_PAGES = 256;
/** Beyond this part of the limit there is no step in between. */
const LAST_STEP = 0.8;

export interface EngineMemory {
  readonly memory: WebAssembly.Memory;
  /** It never grows beyond. */
  readonly maximumBytes: number;
}

/**
 * Doubles whenever the engine asks for more. The engine's loader asks for a fifth more than it needs, and for less if that
 * is refused, but never for what exactly fits; so the last step goes up to the limit while there still is a fifth to ask for.
 * @throws RangeError when the platform has no address space left
 */
export function createMemory(maximumBytes: number): EngineMemory {
  const maximum = Math.ceil(maximumBytes / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: Math.min(INITIAL_PAGES, maximum), maximum });
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    const now = memory.buffer.byteLength / PAGE_BYTES;
    if (now + pages > maximum) return grow(pages);
    const wanted = Math.max(now + pages, now * 2);
    return grow((wanted > maximum * LAST_STEP ? maximum : wanted) - now);
  };
  return { memory, maximumBytes: maximum * PAGE_BYTES };
}
