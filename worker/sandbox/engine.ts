/** One WebAssembly instance of QuickJS with a memory that never grows. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { type EmscriptenModuleCallbacks, newVariant, type QuickJSFFI } from 'quickjs-emscripten-core';
import { loadWasm } from '../variant.ts';
import { findHeapTop } from './heap-top.ts';

/** Engine and version, as the journal records it. */
export const ENGINE_NAME = 'quickjs 2025-09-13 (quickjs-emscripten 0.32.0, release-sync)';

const MIB = 1024 * 1024;
const PAGE_BYTES = 64 * 1024;
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

export interface Engine {
  /** End of the memory that was ever allocated; undefined where it cannot be found. */
  readonly heapTop: (() => number) | undefined;
  /** Where it was before the first context; 0 when it cannot be found. */
  readonly heapBase: number;
  /** Memory set aside; where it stands is part of a memory image. */
  reserve: number;
  /** Gives the reserve free: room to read out what a program left that used up all memory. */
  releaseReserve(): void;
  /** True when memory is full, or was at any time since the engine was loaded. */
  wasFull(): boolean;
  readonly module: WebAssembly.Module;
  readonly ffi: QuickJSFFI;
  readonly heap: EmscriptenMemory;
  /** By context pointer and by runtime pointer. */
  readonly hooks: Map<number, HostHooks>;
}

export interface EngineOptions {
  /** Compiled earlier, by this worker or another. @default compiled from the embedded bytes */
  readonly module?: WebAssembly.Module;
  /** Largest heap of a program, bytes. */
  readonly memoryBytes: number;
}

/** @throws whatever compiling or the allocation of memory throws: a CSP without WebAssembly, too little address space. */
export async function loadEngine(options: EngineOptions): Promise<Engine> {
  const module = options.module ?? (await WebAssembly.compile(await loadWasm()));
  const pages = Math.ceil((options.memoryBytes + HEAD_ROOM_BYTES) / PAGE_BYTES);
  // A limit inside the engine does not count every allocation (ArrayBuffers); the size of the memory bounds all of them.
  const wasmMemory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  return instantiate(module, wasmMemory);
}

/** Exported for tests, which also run the engine in a memory that does grow. */
export async function instantiate(module: WebAssembly.Module, wasmMemory: WebAssembly.Memory): Promise<Engine> {
  // Only the C functions: the library's classes for contexts and handles cost more per call than the engine does.
  const { importModuleLoader, importFFI } = newVariant(variant, { wasmModule: module, wasmMemory });
  const [imported, FFI] = await Promise.all([importModuleLoader(), importFFI()]);
  let create = imported;
  while (typeof create !== 'function') create = create.default;
  const loaded = await create();
  const heap = loaded as unknown as EmscriptenMemory & { callbacks: EmscriptenModuleCallbacks };
  const hooks = new Map<number, HostHooks>();
  heap.callbacks = callbacks(hooks);
  const heapTop = findHeapTop(heap);
  const reserve = heap._malloc(RESERVE_BYTES);
  const engine: Engine = {
    module,
    ffi: new FFI(loaded),
    heap,
    hooks,
    heapTop,
    heapBase: heapTop?.() ?? 0,
    reserve,
    releaseReserve() {
      if (engine.reserve !== 0) heap._free(engine.reserve);
      engine.reserve = 0;
    },
    // The allocator grows in steps of 64 KiB; what is left below that is of no use to anybody.
    wasFull: () => heapTop !== undefined && heapTop() > heap.HEAPU8.length - 4 * PAGE_BYTES,
  };
  return engine;
}

/** Instead of the library's own dispatch, which costs 7–11 µs a call. */
function callbacks(hooks: ReadonlyMap<number, HostHooks>): EmscriptenModuleCallbacks {
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
    callFunction: (_asyncify, context, _self, count, vector) => call(context, count, vector) as never,
    shouldInterrupt: (_asyncify, runtime) => interrupt(runtime),
    freeHostRef: () => {},
    // No module loader is enabled: `import` never gets here.
    loadModuleSource: () => 0 as never,
    normalizeModule: () => 0 as never,
  };
}
