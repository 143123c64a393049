/**
 * The fast path: is this value exactly what JSON can say? Then native `JSON.stringify` writes it. One walk that allocates
 * nothing but the set of objects already seen. Measured against a detecting replacer on 0.8 MB of rows: the same in QuickJS,
 * a third faster in V8, and no `toJSON` is ever called.
 */
import {
  arrayPrototype,
  getPrototypeOf,
  isArray,
  objectPrototype,
  SetConstructor,
  setAdd,
  setSize,
  stringify,
} from './codec-primordials.ts';

/** The JSON text of plain data, or `undefined` when the value needs the careful writer. May throw what a getter throws. */
export function plainText(value: unknown, maxDepth: number, maxBytes: number): string | undefined {
  if (typeof value === 'object' && value !== null) {
    if ('toJSON' in objectPrototype || 'toJSON' in arrayPrototype) return undefined;
    if (!isPlain(value, maxDepth, maxBytes)) return undefined;
  } else if (!isPlainPrimitive(value)) return undefined;
  return stringify(value);
}

function isPlainPrimitive(value: unknown): boolean {
  const type = typeof value;
  return type === 'string' || type === 'boolean' || value === null || (type === 'number' && isPlainNumber(value as number));
}

/** Finite and not -0. */
function isPlainNumber(value: number): boolean {
  return value - value === 0 && (value !== 0 || 1 / value > 0);
}

/**
 * The hottest code of a run, written for QuickJS: state in variables of a closure (private fields take twice the time), one
 * loop for arrays and one for objects (a shared one takes a third more). A closure and no module variables, because a getter
 * of the value may call a tool and so start another scan.
 */
function isPlain(root: object, maxDepth: number, maxBytes: number): boolean {
  let seen: Set<object> | undefined = new SetConstructor<object>();
  /** Characters that may still follow; a lower bound of the text's size is taken off. */
  let room = maxBytes;
  let objects = 0;

  const walk = (value: object, depth: number): boolean => {
    if (depth <= 0) return false;
    // One look into the set instead of two: an object that was there already does not make it grow.
    setAdd(seen, value);
    if (setSize(seen) !== ++objects) return false;
    if (isArray(value)) {
      if (getPrototypeOf(value) !== arrayPrototype) return false;
      const length = value.length;
      if ((room -= length) < 0) return false;
      for (let i = 0; i < length; i++) {
        const item: unknown = value[i];
        const type = typeof item;
        if (type === 'string') {
          if ((room -= (item as string).length) < 0) return false;
        } else if (type === 'number') {
          const n = item as number;
          if (n - n !== 0 || (n === 0 && 1 / n < 0)) return false;
        } else if (type === 'object') {
          if (item !== null && !walk(item as object, depth - 1)) return false;
        } else if (type !== 'boolean') return false;
      }
      return true;
    }
    const prototype = getPrototypeOf(value);
    if (prototype !== objectPrototype && prototype !== null) return false;
    // Half of the cost of a list of keys. An inherited name only makes it ask for the careful writer too often.
    for (const name in value) {
      if (name === '$t' || name === 'toJSON' || --room < 0) return false;
      const item = (value as Record<string, unknown>)[name];
      const type = typeof item;
      if (type === 'string') {
        if ((room -= (item as string).length) < 0) return false;
      } else if (type === 'number') {
        const n = item as number;
        if (n - n !== 0 || (n === 0 && 1 / n < 0)) return false;
      } else if (type === 'object') {
        if (item !== null && !walk(item as object, depth - 1)) return false;
      } else if (type !== 'boolean') return false;
    }
    return true;
  };
  try {
    return walk(root, maxDepth);
  } finally {
    // `walk` refers to itself: what it holds would live until the sandbox's engine looks for cycles, which it does by the
    // number of objects and not by their size.
    seen = undefined;
  }
}
