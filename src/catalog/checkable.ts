/**
 * Turns a decoded value of a program into one a JSON Schema validator can judge, and back. Programs may send what JSON
 * lacks (Date, Map, BigInt, NaN, cycles); a validator would take a Map for an empty object or throw at a BigInt.
 */
import { setOwn } from './plain-json.ts';
import { pointerStep } from './schema-keywords.ts';

/** Marks a stand-in for a value that is no JSON. Validators see an object with this one field. */
export const NOT_JSON = '\u0000not-json';

/** One part of a value that is no JSON. */
export interface OddPart {
  readonly value: unknown;
  /** 'Map', 'BigInt', 'NaN', 'undefined', 'cycle' … */
  readonly word: string;
}

export interface Checkable {
  /** Plain JSON with stand-ins; the value itself where it is plain JSON. */
  readonly json: unknown;
  /** By the path's JSON pointer. */
  readonly odd: ReadonlyMap<string, OddPart>;
  /** How many parts were walked. */
  readonly parts: number;
  /** True when a field with the value `undefined` was left out. */
  readonly dropped: boolean;
}

/** Parts met again through shared references: honest values share little, hostile ones multiply. So many take the page 15 ms. */
const MAX_REPEATED = 50_000;

const NOTHING_ODD: Checkable['odd'] = new Map();
const MAX_SMALL_PARTS = 1_000;
const MAX_SMALL_DEPTH = 32;

/** @throws RangeError when shared references blow the value up. */
export function toCheckable(value: unknown): Checkable {
  // Most values are small and plain, and then nothing has to be made for them.
  const left = smallPlain(value, MAX_SMALL_PARTS, MAX_SMALL_DEPTH);
  return left < 0 ? walk(value) : { json: value, odd: NOTHING_ODD, parts: MAX_SMALL_PARTS - left, dropped: false };
}

/** What is left of `parts` after this value; below zero when it is larger, deeper or anything but plain JSON. */
function smallPlain(value: unknown, parts: number, depth: number): number {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return parts - 1;
  if (typeof value === 'number') return Number.isFinite(value) ? parts - 1 : -1;
  if (typeof value !== 'object' || depth === 0) return -1;
  let left = parts - 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = smallPlain(value[i], left, depth - 1);
    return left;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return -1;
  for (const key of Object.keys(value)) {
    if (left < 0) break;
    left = smallPlain((value as Record<string, unknown>)[key], left, depth - 1);
  }
  return left;
}

function walk(value: unknown): Checkable {
  const odd = new Map<string, OddPart>();
  const open = new Set<object>();
  const seen = new Set<object>();
  const path: (string | number)[] = [];
  let repeating = 0;
  let repeated = 0;
  let dropped = false;
  let parts = 0;

  function visit(part: unknown): unknown {
    parts++;
    if (repeating > 0 && ++repeated > MAX_REPEATED) throw new RangeError('the value repeats its parts too often');
    if (part === null || typeof part === 'string' || typeof part === 'boolean') return part;
    if (typeof part === 'number' && Number.isFinite(part)) return part;
    const word = oddWord(part, open);
    if (word !== undefined) {
      odd.set(path.map(pointerStep).join(''), { value: part, word });
      return { [NOT_JSON]: word };
    }
    const container = part as object;
    const again = seen.has(container) ? 1 : 0;
    seen.add(container);
    open.add(container);
    repeating += again;
    const copy = Array.isArray(container) ? items(container) : fields(container);
    repeating -= again;
    open.delete(container);
    return copy;
  }

  function step(part: unknown, key: string | number): unknown {
    path.push(key);
    const copy = visit(part);
    path.pop();
    return copy;
  }

  // Most values are JSON already: nothing is copied until something differs.
  function items(list: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let i = 0; i < list.length; i++) {
      const item = step(list[i], i);
      if (copy === undefined && item !== list[i]) copy = list.slice(0, i);
      copy?.push(item);
    }
    return copy ?? list;
  }

  function fields(object: object): object {
    const entries = Object.entries(object);
    const checked = entries.map(([key, field]) => (field === undefined ? undefined : step(field, key)));
    if (checked.every((field, i) => field === entries[i]?.[1] && field !== undefined)) return object;
    const copy: Record<string, unknown> = {};
    entries.forEach(([key, field], i) => {
      if (field === undefined) dropped = true;
      else setOwn(copy, key, checked[i]);
    });
    return copy;
  }

  const json = visit(value);
  return { json, odd, parts, dropped };
}

function oddWord(part: unknown, open: ReadonlySet<object>): string | undefined {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'bigint') return 'BigInt';
  if (typeof part !== 'object' || part === null) return typeof part;
  if (open.has(part)) return 'cycle';
  if (Array.isArray(part)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(part);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const word = Object.prototype.toString.call(part).slice(8, -1);
  return word === 'Object' ? undefined : word;
}

/**
 * A copy without fields of the value `undefined` and with `replacements` (by JSON pointer) put in. Shared parts and cycles
 * stay shared, except on the way to a replacement.
 */
export function rebuild(value: unknown, replacements: ReadonlyMap<string, unknown>): unknown {
  const copies = new Map<object, unknown>();

  function visit(part: unknown, pointer: string): unknown {
    if (replacements.has(pointer)) return replacements.get(pointer);
    if (typeof part !== 'object' || part === null || oddWord(part, new Set()) !== undefined) return part;
    const known = copies.get(part);
    if (known !== undefined) return known;
    const copy: unknown[] | Record<string, unknown> = Array.isArray(part) ? [] : {};
    copies.set(part, copy);
    for (const [key, field] of Object.entries(part)) {
      const changed = visit(field, pointer + pointerStep(key));
      if (Array.isArray(copy)) copy[Number(key)] = changed;
      else if (changed !== undefined) setOwn(copy, key, changed);
    }
    if (replacements.size > 0) copies.delete(part);
    return copy;
  }

  return visit(value, '');
}
