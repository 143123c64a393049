/** Where contexts come from: one that a memory image makes fresh again, and further ones while a session keeps that one. */
import type { Engine, EngineBooks } from './engine.ts';
import { Guest, type GuestPointers } from './guest.ts';
import { type ImageData, MemoryImage } from './memory-image.ts';

/** A context with the prelude in it, ready to stand up in another worker: no program has run in it. */
export interface PreparedContext {
  readonly memoryBytes: number;
  readonly image: ImageData;
  readonly guest: GuestPointers;
  readonly books: EngineBooks;
}

export class Contexts {
  readonly #engine: Engine;
  readonly #memoryBytes: number;
  readonly #stackBytes: number;
  /** Comes back to life by its image. */
  #first: Guest | undefined;
  #image: MemoryImage | undefined;
  #firstIsFree = false;
  /** Contexts that were made after the image was taken, and would not survive its return. */
  #others = 0;

  constructor(engine: Engine, memoryBytes: number, stackBytes: number) {
    this.#engine = engine;
    this.#memoryBytes = memoryBytes;
    this.#stackBytes = stackBytes;
  }

  /** Takes over a context that another worker prepared. Only in an engine that began with its books and has not been used. */
  adopt({ image, guest }: PreparedContext): void {
    this.#image = new MemoryImage(this.#engine.heap, image);
    this.#image.install();
    this.#first = new Guest(this.#engine, this.#memoryBytes, this.#stackBytes, guest);
    this.#firstIsFree = true;
  }

  /** The context for other workers; undefined where there is none, or none that no program has touched. */
  prepared(): PreparedContext | undefined {
    const { books } = this.#engine;
    if (!this.#first || !this.#image || !this.#firstIsFree || !books) return undefined;
    return { memoryBytes: this.#memoryBytes, image: this.#image.data, guest: this.#first.pointers, books };
  }

  /** @throws EngineFault */
  prepare(): void {
    if (this.#first || this.#others > 0) return;
    const { heap, heapTop } = this.#engine;
    this.#first = this.#make();
    this.#firstIsFree = true;
    if (heapTop) this.#image = MemoryImage.take(heap, heapTop());
  }

  /** @throws EngineFault */
  take(): Guest {
    this.prepare();
    if (this.#first && this.#firstIsFree) {
      this.#firstIsFree = false;
      return this.#first;
    }
    this.#others++;
    return this.#make();
  }

  /**
   * @returns true when memory is as it was before the first program, whatever the last one left
   * @throws EngineFault when freeing finds the engine broken
   */
  giveBack(guest: Guest): boolean {
    if (guest === this.#first && this.#image && this.#others === 0) {
      this.#image.restore(this.#engine.heapTop!());
      return (this.#firstIsFree = true);
    }
    // Freed the ordinary way: others live in the memory that the image would overwrite.
    if (guest === this.#first) this.#first = this.#image = undefined;
    else this.#others--;
    guest.dispose();
    return false;
  }

  #make(): Guest {
    return new Guest(this.#engine, this.#memoryBytes, this.#stackBytes);
  }
}
