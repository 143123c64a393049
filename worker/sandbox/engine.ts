/** One WebAssembly instance of QuickJS in a memory of limited size. */
import create from '@jitl/quickjs-wasmfile-release-sync/emscripten-module';
import { loadWasm } from '../variant.ts';
import { type CFunctions, takeFunctions } from './c-functions.ts';
import { createMemory, type EngineMemory, PAGE_BYTES } from './engine-memory.ts';
import { findHeapTop, heapTopReader } from './heap-top.ts';

/** Engine and version, as the journal records it. */
export const ENGINE_NAME = 'quickjs 2025-09-13 (quickjs-emscripten 0.32.0, release-sync)';

const MIB = 1024 * 1024;
/** Room beside the program's heap: the engine's own stack (5 MiB), data, and one copy of the largest text that crosses. */
const HEAD_ROOM_BYTES = 32 * MIB;

const RESERVE_BYTES = 512 * 1024 - 64;

/** The parts of the Emscripten module that are used. Views are read afresh each time, because growth would detach them. */
export interface EmscriptenMemory {
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  _malloc(size: number): number;
  _free(pointer: number): void;
}

/** What the engine asks of the host, by context or runtime. */
export interface HostHooks {
  /** Returns the pointer of a value that the engine takes over, 0 for undefined. */
  call(argumentCount: number, argumentVector: number): number;
  /** True stops the running code with an error that it cannot catch. */
  interrupt(): boolean;
  /** What one of the two threw. An exception must not cross the engine's C frames, so it is kept here. */
  fault: unknown;
}

/** Where an engine keeps its books. The same in every engine of one module that began the same way. */
export interface EngineBooks {
  /** Address of the word that says where the allocator's memory ends. */
  readonly heapTopAt: number;
  /** Where it ended before the first context. */
  readonly heapBase: number;
  /** Memory set aside; where it stands is part of a memory image. */
  readonly reserve: number;
}

export interface Engine {
  /** Undefined where the end of the memory cannot be found. */
  readonly books: EngineBooks | undefined;
  /** End of the memory that was ever allocated. */
  readonly heapTop: (() => number) | undefined;
  /** Gives the reserve free: room to read out what a program left that used up all memory. */
  releaseReserve(): void;
  /** True when memory is full, or was at any time since the engine was loaded. */
  wasFull(): boolean;
  readonly module: WebAssembly.Module;
  readonly functions: CFunctions;
  readonly heap: EmscriptenMemory;
  /** By context pointer and by runtime pointer. */
  readonly hooks: Map<number, HostHooks>;
}

export interface EngineOptions {
  /** Compiled earlier, by this worker or another. @default compiled from the embedded bytes */
  readonly module?: WebAssembly.Module;
  /** Largest heap of a program, bytes. */
  readonly memoryBytes: number;
  /** Of the engine whose memory image this one gets before anything else happens to it. */
  readonly books?: EngineBooks | undefined;
}
/** @throws whatever compiling or the allocation of memory throws: a CSP without WebAssembly, too little address space. */
export async function loadEngine(options: EngineOptions): Promise<Engine> {
  const module = options.module ?? (await WebAssembly.compile(await loadWasm()));
  // A limit inside the engine does not count every allocation (ArrayBuffers); the size of the memory bounds all of them.
  return instantiate(module, createMemory(options.memoryBytes + HEAD_ROOM_BYTES), options.books);
}

/** Exported for tests, which also run the engine in other memories. */
export async function instantiate(
  module: WebAssembly.Module,
  { memory, maximumBytes }: EngineMemory,
  given?: EngineBooks,
): Promise<Engine> {
  const hooks = new Map<number, HostHooks>();
  const loaded = await load(module, memory, hooks);
  const books = given ?? openBooks(loaded);
  const heapTop = books && heapTopReader(loaded, books.heapTopAt);
  let reserved = books?.reserve ?? 0;
  return {
    module,
    functions: takeFunctions(loaded),
    heap: loaded,
    hooks,
    books,
    heapTop,
    releaseReserve() {
      if (reserved !== 0) loaded._free(reserved);
      reserved = 0;
    },
    // The allocator grows in steps of 64 KiB; what is left below that is of no use to anybody.
    wasFull: () => heapTop !== undefined && heapTop() > maximumBytes - 4 * PAGE_BYTES,
  };
}

type Loaded = EmscriptenMemory & Readonly<Record<`_${string}`, unknown>>;

/** Only the loader and the C functions: the library's classes for contexts and handles cost more per call than the engine does. */
async function load(
  module: WebAssembly.Module,
  wasmMemory: WebAssembly.Memory,
  hooks: ReadonlyMap<number, HostHooks>,
): Promise<Loaded> {
  const instantiateWasm = (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): unknown => {
    // In this thread and at once: nothing is compiled any more.
    const instance = new WebAssembly.Instance(module, imports);
    done(instance);
    return instance.exports;
  };
  const loaded = await create({ wasmMemory, instantiateWasm } as never);
  return Object.assign(loaded, { callbacks: callbacks(hooks) }) as unknown as Loaded;
}

/** In an engine that has no context yet. */
function openBooks(heap: EmscriptenMemory): EngineBooks | undefined {
  const heapTopAt = findHeapTop(heap);
  const reserve = heap._malloc(RESERVE_BYTES);
  return heapTopAt === undefined ? undefined : { heapTopAt, heapBase: heapTopReader(heap, heapTopAt)(), reserve };
}

/** What the loader calls on behalf of the engine's C functions. */
interface EngineCallbacks {
  callFunction(asyncify: unknown, context: number, self: number, count: number, vector: number): number;
  shouldInterrupt(asyncify: unknown, runtime: number): 0 | 1;
  freeHostRef(): void;
  loadModuleSource(): number;
  normalizeModule(): number;
}

/** Instead of the library's own dispatch, which costs 7–11 µs a call. */
function callbacks(hooks: ReadonlyMap<number, HostHooks>): EngineCallbacks {
  const call = (context: number, count: number, vector: number): number => {
    const hook = hooks.get(context)!;
    try {
      return hook.call(count, vector);
    } catch (error) {
      hook.fault ??= error;
      return 0;
    }
  };
  const interrupt = (runtime: number): 0 | 1 => {
    const hook = hooks.get(runtime)!;
    try {
      return hook.fault !== undefined || hook.interrupt() ? 1 : 0;
    } catch (error) {
      hook.fault = error;
      return 1;
    }
  };
  return {
    callFunction: (_asyncify, context, _self, count, vector) => call(context, count, vector),
    shouldInterrupt: (_asyncify, runtime) => interrupt(runtime),
    freeHostRef: () => {},
    // No module loader is enabled: `import` never gets here.
    loadModuleSource: () => 0,
    normalizeModule: () => 0,
  };
}
