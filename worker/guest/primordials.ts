/**
 * The language as it was before guest code could change it. Prelude code uses these and syntax that looks nothing up:
 * no spread, no array destructuring, no `for … of`, no writes behind the end of an array, no fields that may be missing.
 */
type AnyFunction = (this: any, ...args: any[]) => any;

const { bind, call } = Function.prototype;

/** `uncurry(Array.prototype.join)(array, ',')`: the method, whatever becomes of its prototype. */
export const uncurry: <T extends AnyFunction>(
  method: T,
) => (self: ThisParameterType<T> | object | string | number | bigint, ...args: Parameters<T>) => ReturnType<T> = bind.bind(
  call,
) as never;

export const {
  apply,
  construct,
  defineProperty,
  deleteProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  setPrototypeOf,
  ownKeys,
} = Reflect;
export const { create, freeze, keys } = Object;
export const objectPrototype: object = Object.prototype;
export const { isArray } = Array;
export const parseJson = JSON.parse as (text: string) => any;
/** For values without `toJSON` only, own or inherited. */
export const stringify = JSON.stringify as (value: unknown) => string;
/** Of strings, numbers, booleans only: an object's `toJSON` could be guest code. */
export const quote = JSON.stringify as (text: string) => string;
export const hasOwn: (value: object, key: PropertyKey) => boolean = Object.hasOwn;

export const NativeError: ErrorConstructor = Error;
export const NativePromise: PromiseConstructor = Promise;
export const NativeProxy: ProxyConstructor = Proxy;
export const NativeTypeError: TypeErrorConstructor = TypeError;
export const NativeRangeError: RangeErrorConstructor = RangeError;
export const NativeMap: MapConstructor = Map;
export const NativeWeakMap: WeakMapConstructor = WeakMap;
export const NativeDate: DateConstructor = Date;
// Loads the prelude's own parts, inside the sandbox.
// oxlint-disable-next-line no-eval
export const evaluate = globalThis.eval;

export const promiseThen = uncurry(Promise.prototype.then);
export const mapGet = uncurry(Map.prototype.get);
export const mapSet = uncurry(Map.prototype.set);
export const mapDelete = uncurry(Map.prototype.delete);
export const mapForEach = uncurry(Map.prototype.forEach);
export const weakGet = uncurry(WeakMap.prototype.get);
export const weakSet = uncurry(WeakMap.prototype.set);
export const join = uncurry(Array.prototype.join);
export const slice = uncurry(String.prototype.slice);
export const indexOf = uncurry(String.prototype.indexOf);
export const charCode = uncurry(String.prototype.charCodeAt);
export const startsWith = uncurry(String.prototype.startsWith);
export const toText: StringConstructor = String;
export const { floor, trunc } = Math;

/** A list without prototype: writing behind its end runs no setter that a program put on `Array.prototype`. */
export function bareList<T>(): T[] {
  const made: T[] = [];
  setPrototypeOf(made, null);
  return made;
}

/** Defines what guest code may change or delete, as it can with the engine's own globals. */
export function define(target: object, key: PropertyKey, value: unknown, enumerable = false): void {
  defineProperty(target, key, { __proto__: null, value, writable: true, configurable: true, enumerable } as PropertyDescriptor);
}

/** The promise that `then` gives, or undefined where guest code has broken promises for itself. */
export function tryThen(
  promise: Promise<unknown>,
  fulfilled?: (value: unknown) => unknown,
  rejected?: (reason: unknown) => unknown,
): Promise<unknown> | undefined {
  try {
    return promiseThen(promise, fulfilled, rejected) as Promise<unknown>;
  } catch {
    return undefined;
  }
}
