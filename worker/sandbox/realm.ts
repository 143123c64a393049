/**
 * One runtime and one context of the engine, on the level of its C functions: the hot path of a run is a few of them per
 * call, and every value pointer has one owner here. Values are pointers; who gets one from this class frees it.
 */
import type { Engine, HostHooks } from './engine.ts';
import { decodeText, encodeInto, encodeText } from './texts.ts';

/** Pointer to a value of the engine. 0 is none. */
export type Value = number & { readonly value: unique symbol };

/** The host's own stack overflowed, or the engine trapped: the instance must be thrown away, not disposed. Not so for `memory_limit`. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  readonly kind: 'stack_overflow' | 'memory_limit' | 'executor_crashed';

  constructor(kind: EngineFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Guest code threw. The owner of the exception frees it. */
export class GuestThrow extends Error {
  override readonly name = 'GuestThrow';
  readonly thrown: Value;

  constructor(thrown: Value) {
    super('guest code threw');
    this.thrown = thrown;
  }
}

/** Where the parts of a realm stand in the engine's memory. */
export interface RealmPointers {
  readonly runtime: number;
  readonly context: number;
  readonly undefined: number;
  readonly block: number;
}

export interface RealmPowers {
  /** Answers the guest's host function. Strings must not contain NUL. */
  answer(op: number, text: string): string | number;
  /** The question how many bytes its text has. Answered here: the text need not be copied for it. */
  readonly byteLengthOp?: number;
  interrupt(): boolean;
}

const SCRATCH_BYTES = 16 * 1024;
const MAX_ARGUMENTS = 3;
const EVAL_ASYNC = 128;
const EVAL_STRICT = 8;
/** All intrinsics; the library's default set. */
const INTRINSICS = 0;

export class Realm {
  readonly #engine: Engine;
  readonly #powers: RealmPowers;
  readonly #runtime: number;
  readonly #context: number;
  readonly #undefined: Value;
  /** Argument vector of calls, then room for short texts. */
  readonly #block: number;
  readonly #hooks: HostHooks;
  #view: Uint32Array | undefined;

  /** @param standing a realm that a memory image brought into this engine: it is taken over and not made */
  constructor(engine: Engine, powers: RealmPowers, standing?: RealmPointers) {
    this.#engine = engine;
    this.#powers = powers;
    const { functions } = engine;
    this.#runtime = standing?.runtime ?? this.#made(() => functions.QTS_NewRuntime());
    this.#context = standing?.context ?? this.#made(() => functions.QTS_NewContext(this.#runtime, INTRINSICS));
    this.#undefined = (standing?.undefined ?? functions.QTS_GetUndefined()) as Value;
    this.#block = standing?.block ?? this.#allocate(MAX_ARGUMENTS * 4 + SCRATCH_BYTES);
    this.#hooks = { call: (count, vector) => this.#answer(count, vector), interrupt: () => powers.interrupt(), fault: undefined };
    engine.hooks.set(this.#context, this.#hooks).set(this.#runtime, this.#hooks);
    functions.QTS_RuntimeEnableInterruptHandler(this.#runtime);
  }

  get pointers(): RealmPointers {
    return { runtime: this.#runtime, context: this.#context, undefined: this.#undefined, block: this.#block };
  }

  /**
   * @param memoryBytes largest single allocation. The engine is built without sizes of blocks, so that its limit counts next
   * to nothing of the total: what bounds that is the size of the WebAssembly memory.
   */
  setLimits(memoryBytes: number, stackBytes: number): void {
    const { functions } = this.#engine;
    functions.QTS_RuntimeSetMaxStackSize(this.#runtime, stackBytes);
    functions.QTS_RuntimeSetMemoryLimit(this.#runtime, memoryBytes);
  }

  /** Evaluates the prelude: a strict script whose completion value is a function. */
  evalPrelude(source: string): Value {
    return this.#eval(source, 'codemode', EVAL_STRICT);
  }

  /** Starts a program. Gives a promise of `{ value }`. */
  evalProgram(source: string): Value {
    return this.#eval(source, 'program.js', EVAL_ASYNC);
  }

  #eval(source: string, file: string, flags: number): Value {
    const { heap, functions } = this.#engine;
    const bytes = encodeText(source);
    const name = encodeText(file);
    const pointer = this.#allocate(bytes.length + name.length + 2);
    const nameAt = pointer + bytes.length + 1;
    heap.HEAPU8.set(bytes, pointer);
    heap.HEAPU8.set(name, nameAt);
    heap.HEAPU8[nameAt - 1] = heap.HEAPU8[nameAt + name.length] = 0;
    try {
      return this.#result(() => functions.QTS_Eval(this.#context, pointer, bytes.length, nameAt, 0, flags));
    } finally {
      this.#engine.heap._free(pointer);
    }
  }

  /** The function through which guest code reaches `answer`. */
  hostFunction(): Value {
    const { heap, functions } = this.#engine;
    const name = encodeText('host\0');
    const pointer = this.#allocate(name.length);
    heap.HEAPU8.set(name, pointer);
    try {
      return this.#result(() => functions.QTS_NewFunction(this.#context, pointer, 2, 0, 1));
    } finally {
      heap._free(pointer);
    }
  }

  /** Calls with `this` undefined. The arguments stay the caller's. */
  call(target: Value, a?: Value, b?: Value, c?: Value): Value {
    const words = this.#words();
    const at = this.#block >> 2;
    const count = a === undefined ? 0 : b === undefined ? 1 : c === undefined ? 2 : 3;
    words[at] = a ?? 0;
    words[at + 1] = b ?? 0;
    words[at + 2] = c ?? 0;
    const { functions } = this.#engine;
    return this.#result(() => functions.QTS_Call(this.#context, target, this.#undefined, count, this.#block));
  }

  /** Made again when memory grew, which detaches every view. */
  #words(): Uint32Array {
    const { buffer } = this.#engine.heap.HEAPU8;
    if (this.#view?.buffer !== buffer) this.#view = new Uint32Array(buffer);
    return this.#view;
  }

  /** @param text without NUL: texts that may hold one cross as JSON. */
  newString(text: string): Value {
    const scratch = this.#block + MAX_ARGUMENTS * 4;
    const { heap } = this.#engine;
    const written = encodeInto(text, heap.HEAPU8.subarray(scratch, scratch + SCRATCH_BYTES - 1));
    if (written < 0) return this.#newLongString(text);
    heap.HEAPU8[scratch + written] = 0;
    return this.#result(() => this.#engine.functions.QTS_NewString(this.#context, scratch));
  }

  /** Most long texts are ASCII: written where the engine reads them, without a copy in between. */
  #newLongString(text: string): Value {
    const { heap } = this.#engine;
    let pointer = this.#allocate(text.length + 1);
    let written = encodeInto(text, heap.HEAPU8.subarray(pointer, pointer + text.length));
    if (written < 0) {
      heap._free(pointer);
      const bytes = encodeText(text);
      written = bytes.length;
      pointer = this.#allocate(written + 1);
      heap.HEAPU8.set(bytes, pointer);
    }
    heap.HEAPU8[pointer + written] = 0;
    try {
      return this.#result(() => this.#engine.functions.QTS_NewString(this.#context, pointer));
    } finally {
      heap._free(pointer);
    }
  }

  newNumber(value: number): Value {
    return this.#guard(() => this.#engine.functions.QTS_NewFloat64(this.#context, value)) as Value;
  }

  /** Text of a string value, up to its first NUL: texts that may hold one cross as JSON. */
  text(value: Value): string {
    const pointer = this.#cString(value);
    const { HEAPU8 } = this.#engine.heap;
    const text = decodeText(HEAPU8.subarray(pointer, HEAPU8.indexOf(0, pointer)));
    this.#engine.functions.QTS_FreeCString(this.#context, pointer);
    return text;
  }

  /** Bytes of a string value in UTF-8, up to its first NUL. */
  byteLength(value: Value): number {
    const pointer = this.#cString(value);
    const length = this.#engine.heap.HEAPU8.indexOf(0, pointer) - pointer;
    this.#engine.functions.QTS_FreeCString(this.#context, pointer);
    return length;
  }

  #cString(value: Value): number {
    const pointer = this.#guard(() => this.#engine.functions.QTS_GetString(this.#context, value));
    if (pointer === 0) throw new EngineFault('memory_limit', 'a text did not fit into the program’s memory');
    return pointer;
  }

  number(value: Value): number {
    return this.#engine.functions.QTS_GetFloat64(this.#context, value);
  }

  free(value: Value): void {
    this.#engine.functions.QTS_FreeValuePointer(this.#context, value);
  }

  hasJobs(): boolean {
    return this.#engine.functions.QTS_IsJobPending(this.#runtime) !== 0;
  }

  /** Runs up to `max` jobs. A job that threw (only interruption and exhaustion get that far) is a `GuestThrow`. */
  runJobs(max: number): void {
    const { functions } = this.#engine;
    // Gives the number of jobs done, or the error itself instead of an exception mark.
    const value = this.#result(() => functions.QTS_ExecutePendingJob(this.#runtime, max, this.#block));
    if (!this.#isNumber(value)) throw new GuestThrow(value);
    this.free(value);
  }

  /** Asks the engine for the type's name: converting a value to find out would run guest code. */
  #isNumber(value: Value): boolean {
    const pointer = this.#guard(() => this.#engine.functions.QTS_Typeof(this.#context, value));
    const first = this.#engine.heap.HEAPU8[pointer];
    this.#engine.heap._free(pointer);
    return first === 0x6e;
  }

  promiseState(promise: Value): 'pending' | 'fulfilled' | 'rejected' {
    const state = this.#engine.functions.QTS_PromiseState(this.#context, promise);
    return state === 0 ? 'pending' : state === 1 ? 'fulfilled' : 'rejected';
  }

  promiseResult(promise: Value): Value {
    return this.#guard(() => this.#engine.functions.QTS_PromiseResult(this.#context, promise)) as Value;
  }

  /** Frees everything. After an `EngineFault` it must not be called. */
  dispose(): void {
    const { functions, heap, hooks } = this.#engine;
    this.#guard(() => {
      functions.QTS_FreeContext(this.#context);
      functions.QTS_FreeRuntime(this.#runtime);
    });
    heap._free(this.#block);
    hooks.delete(this.#context);
    hooks.delete(this.#runtime);
  }

  /** The engine calls the host function. The pointer of the result goes over to it. */
  #answer(argumentCount: number, argumentVector: number): number {
    const { functions } = this.#engine;
    const op = this.number(functions.QTS_ArgvGetJSValueConstPointer(argumentVector, 0) as Value);
    const argument = argumentCount > 1 ? (functions.QTS_ArgvGetJSValueConstPointer(argumentVector, 1) as Value) : undefined;
    if (op === this.#powers.byteLengthOp && argument !== undefined) return this.newNumber(this.byteLength(argument));
    const answer = this.#powers.answer(op, argument === undefined ? '' : this.text(argument));
    return typeof answer === 'string' ? this.newString(answer) : this.newNumber(answer);
  }

  /** Room in the engine's memory, outside of the guest's heap. */
  #allocate(bytes: number): number {
    return this.#made(() => this.#engine.heap._malloc(bytes));
  }

  #made(make: () => number): number {
    const pointer = this.#guard(make);
    if (pointer === 0) throw new EngineFault('memory_limit', 'no room left in the worker’s memory');
    return pointer;
  }

  /** @throws GuestThrow when the engine's result is an exception. */
  #result(enter: () => number): Value {
    const pointer = this.#guard(enter) as Value;
    const thrown = this.#engine.functions.QTS_ResolveException(this.#context, pointer);
    if (thrown === 0) return pointer;
    this.free(pointer);
    throw new GuestThrow(thrown as Value);
  }

  #guard<T>(enter: () => T): T {
    let result: T;
    try {
      result = enter();
    } catch (error) {
      throw toFault(error);
    }
    const fault = this.#hooks?.fault;
    if (fault === undefined) return result;
    this.#hooks.fault = undefined;
    throw toFault(fault);
  }
}

function toFault(error: unknown): EngineFault {
  if (error instanceof EngineFault) return error;
  // While answering the guest: making a text throws only for want of memory.
  if (error instanceof GuestThrow) return new EngineFault('memory_limit', 'a text did not fit into the program’s memory');
  const name = error instanceof Error ? error.name : '';
  // "InternalError: too much recursion" is Firefox's word.
  if (error instanceof RangeError || name === 'InternalError')
    return new EngineFault('stack_overflow', 'the engine ran out of the host’s stack');
  return new EngineFault('executor_crashed', `the engine trapped (${error instanceof Error ? error.message : String(error)})`);
}
