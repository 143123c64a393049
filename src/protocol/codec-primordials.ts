/**
 * The built-ins the codec uses, taken once at load. Inside the sandbox the prelude loads before the program, so nothing the
 * program does to prototypes or globals later changes what the codec does. After load the codec's files call no method
 * through a prototype, iterate no array with `for … of`, use no regular expression and no template literal (QuickJS runs those
 * through `String.prototype.concat`).
 */
type Uncurried<F> = F extends (this: infer T, ...args: infer A) => infer R ? (self: T, ...args: A) => R : never;

const { bind, call } = Function.prototype;
const uncurry = bind.bind(call) as unknown as <F>(
  method: F,
) => F extends (...args: infer A) => infer R ? (self: unknown, ...args: A) => R : Uncurried<F>;

const getter = (holder: object, key: PropertyKey): ((self: unknown) => unknown) =>
  uncurry(Object.getOwnPropertyDescriptor(holder, key)!.get as () => unknown);

export const { parse, stringify } = JSON;
export const { create, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, keys } = Object;
export const { isArray } = Array;
export const objectPrototype: object = Object.prototype;
export const arrayPrototype: object = Array.prototype;
export const errorPrototype: object = Error.prototype;
/** Of the sandbox's engine, for want of memory and stack; other engines have none. */
const internalError: object | undefined = (globalThis as { InternalError?: { prototype: object } }).InternalError?.prototype;

/** True when the engine of the sandbox had no memory left: then it is not the value that is wrong. */
export function isOutOfMemory(error: unknown): boolean {
  if (internalError === undefined || typeof error !== 'object' || error === null) return false;
  return getPrototypeOf(error) === internalError && (error as Error).message === 'out of memory';
}
export const promisePrototype: object = Promise.prototype;
export const toTag: (self: unknown) => string = uncurry(Object.prototype.toString);

export const charCodeAt: (self: unknown, index: number) => number = uncurry(String.prototype.charCodeAt);
export const indexOf: (self: unknown, part: string) => number = uncurry(String.prototype.indexOf as (part: string) => number);
export const slice: (self: unknown, start: number, end?: number) => string = uncurry(String.prototype.slice);
export const { fromCharCode } = String;

export const MapConstructor: MapConstructor = Map;
export const mapGet: (self: unknown, key: unknown) => unknown = uncurry(Map.prototype.get);
export const mapSet: (self: unknown, key: unknown, value: unknown) => unknown = uncurry(Map.prototype.set);
export const mapForEach: (self: unknown, each: (value: unknown, key: unknown) => void) => void = uncurry(
  Map.prototype.forEach as (each: (value: unknown, key: unknown) => void) => void,
);
export const mapSize: (self: unknown) => unknown = getter(Map.prototype, 'size');

export const SetConstructor: SetConstructor = Set;
export const setAdd: (self: unknown, value: unknown) => unknown = uncurry(Set.prototype.add);
export const setForEach: (self: unknown, each: (value: unknown) => void) => void = uncurry(
  Set.prototype.forEach as (each: (value: unknown) => void) => void,
);
export const setSize: (self: unknown) => unknown = getter(Set.prototype, 'size');

export const DateConstructor: DateConstructor = Date;
export const dateTime: (self: unknown) => number = uncurry(Date.prototype.getTime);
export const RegExpConstructor: RegExpConstructor = RegExp;
export const regExpPrototype: object = RegExp.prototype;
export const regExpSource: (self: unknown) => unknown = getter(RegExp.prototype, 'source');

const flagGetters = [
  ['d', 'hasIndices'],
  ['g', 'global'],
  ['i', 'ignoreCase'],
  ['m', 'multiline'],
  ['s', 'dotAll'],
  ['u', 'unicode'],
  ['v', 'unicodeSets'],
  ['y', 'sticky'],
].flatMap(([letter, name]) => {
  const read = Object.getOwnPropertyDescriptor(RegExp.prototype, name!)?.get;
  return read ? [{ letter: letter!, read: uncurry(read as () => unknown) }] : [];
});

/** Flags by their own slots: the `flags` getter would ask replaceable ones. */
export function regExpFlags(self: unknown): string {
  let flags = '';
  for (let i = 0; i < flagGetters.length; i++) {
    const flag = flagGetters[i]!;
    if (flag.read(self) === true) flags += flag.letter;
  }
  return flags;
}

export const BigIntFunction: BigIntConstructor = BigInt;
export const bigIntToString: (self: unknown, radix?: number) => string = uncurry(BigInt.prototype.toString);
export const unboxBigInt: (self: unknown) => bigint = uncurry(BigInt.prototype.valueOf);
export const unboxString: (self: unknown) => string = uncurry(String.prototype.valueOf);
export const unboxNumber: (self: unknown) => number = uncurry(Number.prototype.valueOf);
export const unboxBoolean: (self: unknown) => boolean = uncurry(Boolean.prototype.valueOf);

export const ArrayBufferConstructor: ArrayBufferConstructor = ArrayBuffer;
export const Uint8: Uint8ArrayConstructor = Uint8Array;
export const { isView } = ArrayBuffer;
export const bufferLength: (self: unknown) => unknown = getter(ArrayBuffer.prototype, 'byteLength');
export const sharedLength: ((self: unknown) => unknown) | undefined =
  typeof SharedArrayBuffer === 'undefined' ? undefined : getter(SharedArrayBuffer.prototype, 'byteLength');

const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
/** Name of a typed array's own kind, `undefined` for everything else; never throws. */
export const typedArrayName: (self: unknown) => unknown = getter(typedArrayPrototype, Symbol.toStringTag);
export const typedBuffer: (self: unknown) => unknown = getter(typedArrayPrototype, 'buffer');
export const typedOffset: (self: unknown) => unknown = getter(typedArrayPrototype, 'byteOffset');
export const typedLength: (self: unknown) => unknown = getter(typedArrayPrototype, 'byteLength');
export const viewBuffer: (self: unknown) => unknown = getter(DataView.prototype, 'buffer');
export const viewOffset: (self: unknown) => unknown = getter(DataView.prototype, 'byteOffset');
export const viewLength: (self: unknown) => unknown = getter(DataView.prototype, 'byteLength');

type ViewConstructor = new (buffer: ArrayBuffer) => object;

/** Views that can be made here, by name. No prototype: looking up `constructor` finds nothing. */
export const viewConstructors: Readonly<Record<string, ViewConstructor | undefined>> = table([
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'DataView',
]);

/** Error classes a decoded error may become, by name. */
export const errorConstructors: Readonly<Record<string, (new (message: string) => Error) | undefined>> = table([
  'Error',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
]);

function table<T>(names: readonly string[]): Readonly<Record<string, T | undefined>> {
  const found = Object.create(null) as Record<string, T | undefined>;
  for (const name of names) found[name] = (globalThis as unknown as Record<string, T | undefined>)[name];
  return found;
}
