/** The end of a program: its value awaited and encoded, or its error described, here and under its own deadline. */
import { encode } from '../../src/protocol/codec.ts';
import { looseEnds } from './calls.ts';
import { clip, describeError, isSerializationError, placeOf } from './errors.ts';
import {
  apply,
  define,
  getPrototypeOf,
  isArray,
  keys,
  mapForEach,
  mapGet,
  mapSet,
  NativeMap,
  NativePromise,
  objectPrototype,
  quote,
  tryThen,
  uncurry,
} from './primordials.ts';
import { addEnd } from './report.ts';
import { maxDepth, maxResultBytes } from './run.ts';

const mapPrototype = Map.prototype;
const setPrototype = Set.prototype;
const NativeSet = Set;
const setAdd = uncurry(Set.prototype.add);
const setForEach = uncurry(Set.prototype.forEach);

export const CALL_COMPLETION = 1;
export const HAS_VALUE = 2;

let ended = false;
let value = '';

export function resetResult(): void {
  ended = false;
  value = '';
}

/** Text of the value, for the report. */
export function takeValue(): string {
  return value;
}

/** The program's promise was fulfilled with `{ value }`. */
export function conclude(completion: { readonly value: unknown }, flags: number): void {
  let result = completion.value;
  try {
    if (flags & CALL_COMPLETION && typeof result === 'function') result = apply(result as () => unknown, undefined, []);
  } catch (error) {
    return fail(error);
  }
  awaited(result, (settled) => finish(settled, flags), fail);
}

/** Calls back at once where there is nothing to wait for: `1 + 1` needs no job. */
function awaited(result: unknown, fulfilled: (value: unknown) => void, rejected: (reason: unknown) => void): void {
  let waits: boolean;
  try {
    waits = isThenable(result);
  } catch (error) {
    return rejected(error);
  }
  if (!waits) return fulfilled(result);
  const promise = new NativePromise<unknown>((resolve) => resolve(result));
  if (!tryThen(promise, fulfilled, rejected)) fulfilled(result);
}

function finish(result: unknown, flags: number): void {
  if (!(flags & HAS_VALUE) || result === undefined) return end('"value":-1');
  try {
    return succeed(encodeResult(result));
  } catch (error) {
    if (!isSerializationError(error) || !hasPromise(result, new NativeMap(), 0)) return refuse(error);
  }
  void tryThen(
    deep(result, new NativeMap(), 0),
    (settled) => {
      try {
        succeed(encodeResult(settled));
      } catch (error) {
        refuse(error);
      }
    },
    fail,
  );
}

function encodeResult(result: unknown): string {
  return encode(result, { maxDepth, maxBytes: maxResultBytes, bytesLimit: 'maxResultBytes', dropUndefined: false });
}

function succeed(text: string): void {
  if (ended) return;
  value = text;
  end(`"value":${text.length}`);
}

function refuse(error: unknown): void {
  if (!isSerializationError(error)) return fail(error);
  const message = `The program’s value cannot be returned: ${error.message}`;
  end(
    `"error":{"name":"SerializationError","message":${quote(clip(message))},"stack":"","code":${quote(error.code)},"data":${quote(placeOf(error))}}`,
  );
}

/** The program’s promise was rejected. */
export function fail(reason: unknown): void {
  end(`"error":${describeError(reason)}`);
}

function end(facts: string): void {
  if (ended) return;
  ended = true;
  addEnd(`{${facts},${looseEnds()}}`);
}

function isThenable(result: unknown): boolean {
  return (
    ((typeof result === 'object' && result !== null) || typeof result === 'function') &&
    typeof (result as { then?: unknown }).then === 'function'
  );
}

/** True for a value that only data surrounds a promise in. Reading it again may run getters again; what they throw counts as no. */
function hasPromise(result: unknown, seen: Map<unknown, unknown>, depth: number): boolean {
  try {
    if (typeof result !== 'object' || result === null || depth > maxDepth || mapGet(seen, result)) return false;
    if (isThenable(result)) return true;
    mapSet(seen, result, true);
    let found = false;
    const check = (item: unknown): void => {
      found = found || hasPromise(item, seen, depth + 1);
    };
    each(result, check);
    return found;
  } catch {
    return false;
  }
}

function each(result: object, visit: (item: unknown) => void): void {
  const prototype = getPrototypeOf(result);
  if (prototype === mapPrototype) return mapForEach(result, visit);
  if (prototype === setPrototype) return setForEach(result, visit);
  if (!isArray(result) && prototype !== objectPrototype && prototype !== null) return;
  const names = keys(result);
  for (let i = 0; i < names.length; i++) visit((result as Record<string, unknown>)[names[i]!]);
}

/** A copy with every promise in arrays, plain objects, maps and sets replaced by what it gave. Other objects stay. */
async function deep(item: unknown, seen: Map<unknown, unknown>, depth: number): Promise<unknown> {
  const settled = isThenable(item) ? await item : item;
  if (typeof settled !== 'object' || settled === null || depth > maxDepth) return settled;
  const known = mapGet(seen, settled);
  if (known !== undefined) return known;
  const prototype = getPrototypeOf(settled);
  if (isArray(settled) || prototype === objectPrototype || prototype === null) {
    const copy: object = isArray(settled) ? [] : {};
    mapSet(seen, settled, copy);
    const names = keys(settled);
    for (let i = 0; i < names.length; i++)
      define(copy, names[i]!, await deep((settled as Record<string, unknown>)[names[i]!], seen, depth + 1), true);
    if (isArray(settled)) (copy as unknown[]).length = settled.length;
    return copy;
  }
  return prototype === mapPrototype || prototype === setPrototype ? deepMembers(settled, seen, depth) : settled;
}

async function deepMembers(container: object, seen: Map<unknown, unknown>, depth: number): Promise<unknown> {
  const isMap = getPrototypeOf(container) === mapPrototype;
  const copy = isMap ? new NativeMap<unknown, unknown>() : new NativeSet<unknown>();
  mapSet(seen, container, copy);
  const members: { key: unknown; value: unknown; next: unknown } = { key: undefined, value: undefined, next: undefined };
  let last = members;
  const collect = (member: unknown, key: unknown): void => {
    const node = { key, value: member, next: undefined };
    last.next = node;
    last = node;
  };
  if (isMap) mapForEach(container, collect);
  else setForEach(container, collect);
  for (
    let node = members.next as typeof members | undefined;
    node !== undefined;
    node = node.next as typeof members | undefined
  ) {
    const member = await deep(node.value, seen, depth + 1);
    if (isMap) mapSet(copy, node.key, member);
    else setAdd(copy, member);
  }
  return copy;
}
