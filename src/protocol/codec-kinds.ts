/** What an object really is, asked by its internal slots: a prototype or a `Symbol.toStringTag` can lie, a slot cannot. */
import * as p from './codec-primordials.ts';

export interface Kind {
  readonly name: 'array' | 'record' | 'date' | 'regexp' | 'map' | 'set' | 'error' | 'buffer' | 'view' | 'boxed' | 'refused';
  /** Of `boxed`. */
  readonly primitive?: unknown;
  /** Of `refused`: the word for the message. */
  readonly what?: string;
  /** Of `buffer`: its length. */
  readonly bytes?: number;
  /** Of `view`: the name of its constructor. */
  readonly view?: string;
}

export const promiseLike = 'promise';

const ARRAY: Kind = { name: 'array' };
const RECORD: Kind = { name: 'record' };

/** Sorts a non-null object. Runs proxy traps and a `then` getter; whatever they throw passes through. */
export function classify(value: object): Kind {
  if (p.isArray(value)) return ARRAY;
  const prototype = p.getPrototypeOf(value) as object | null;
  if (prototype === p.objectPrototype || prototype === null) return slotless(value) ? RECORD : (slotted(value) ?? RECORD);
  const found = slotted(value);
  if (found) return found;
  if (inherits(value, p.promisePrototype) || typeof (value as { then?: unknown }).then === 'function')
    return { name: 'refused', what: promiseLike };
  return empty(value) ?? RECORD;
}

/** Almost every plain object says so: one call instead of ten probes. */
function slotless(value: object): boolean {
  return p.toTag(value) === '[object Object]';
}

function slotted(value: object): Kind | undefined {
  const view = p.typedArrayName(value);
  if (typeof view === 'string') return { name: 'view', view };
  if (holds(p.dateTime, value)) return { name: 'date' };
  if (holds(p.mapSize, value)) return { name: 'map' };
  if (holds(p.setSize, value)) return { name: 'set' };
  if (isError(value)) return { name: 'error' };
  if (value !== p.regExpPrototype && holds(p.regExpSource, value)) return { name: 'regexp' };
  const length = slot(p.bufferLength, value) ?? (p.sharedLength && slot(p.sharedLength, value));
  if (typeof length === 'number') return { name: 'buffer', bytes: length };
  if (p.isView(value)) return { name: 'view', view: 'DataView' };
  return boxed(value);
}

function boxed(value: object): Kind | undefined {
  const primitive =
    slot(p.unboxString, value) ?? slot(p.unboxNumber, value) ?? slot(p.unboxBoolean, value) ?? slot(p.unboxBigInt, value);
  return primitive === undefined ? undefined : { name: 'boxed', primitive };
}

function isError(value: object): boolean {
  return p.toTag(value) === '[object Error]' || inherits(value, p.errorPrototype);
}

/** Objects of the platform (WeakMap, iterators, Response …) keep their data inside; `{}` would lose it silently. */
function empty(value: object): Kind | undefined {
  if (p.keys(value).length > 0) return undefined;
  const text = p.toTag(value);
  const tag = p.slice(text, 8, -1);
  if (tag === 'Object' || tag === 'Arguments') return undefined;
  const isIterator =
    tag === 'Generator' || tag === 'AsyncGenerator' || p.slice(tag, -8) === 'Iterator' || tag === 'Iterator Helper';
  return { name: 'refused', what: isIterator ? 'iterator' : tag };
}

function inherits(value: object, prototype: object): boolean {
  let at = p.getPrototypeOf(value) as object | null;
  // A proxy can answer with a new prototype for ever.
  for (let i = 0; at !== null && i < 100; i++) {
    if (at === prototype) return true;
    at = p.getPrototypeOf(at) as object | null;
  }
  return false;
}

function slot(read: (self: unknown) => unknown, value: object): unknown {
  try {
    return read(value);
  } catch {
    return undefined;
  }
}

function holds(read: (self: unknown) => unknown, value: object): boolean {
  return slot(read, value) !== undefined;
}
