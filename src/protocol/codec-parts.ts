/** Containers as a list of values with the text in front of each. */
import type { Kind } from './codec-kinds.ts';
import type { Place } from './codec-place.ts';
import * as p from './codec-primordials.ts';

interface Part {
  readonly before: string;
  readonly item: unknown;
  readonly place: Place;
}

export interface Parts {
  /** No prototype: storing in an array would run setters a program put on `Array.prototype`. */
  readonly list: Record<number, Part>;
  length: number;
  /** Text behind the last value; the whole text of an empty container. */
  after: string;
}

/** Says what is read next, so that an exception of the value's own code can be reported for it. */
type Reading = (place: Place | undefined) => void;

/** The parts of a record, map, set or error, in order. Runs the getters. */
export function partsOf(
  value: object,
  kind: Kind['name'],
  place: Place | undefined,
  dropUndefined: boolean,
  reading: Reading,
): Parts {
  const parts: Parts = { list: p.create(null) as Record<number, Part>, length: 0, after: '' };
  if (kind === 'map') map(parts, value, place);
  else if (kind === 'set') set(parts, value, place);
  else if (kind === 'error') error(parts, value, place, reading);
  else parts.after = members(parts, value, place, '', dropUndefined, reading, undefined);
  return parts;
}

function add(parts: Parts, before: string, item: unknown, place: Place): void {
  parts.list[parts.length++] = { before, item, place };
}

/**
 * Own enumerable string keys. With a `$t` key among them the whole is wrapped, so that data never reads as a tag. `lead` is
 * the text in front of the record; gives the text behind its last value (with all in front of it when there is none).
 */
function members(
  parts: Parts,
  value: object,
  place: Place | undefined,
  lead: string,
  dropUndefined: boolean,
  reading: Reading,
  only: ((key: string, item: unknown) => boolean) | undefined,
): string {
  reading(place);
  const names = p.keys(value);
  const { length } = names;
  let escaped = false;
  for (let i = 0; i < length; i++) if (names[i] === '$t') escaped = true;
  const open = escaped ? '{"$t":"object","v":{' : '{';
  let first = true;
  for (let i = 0; i < length; i++) {
    const key = names[i]!;
    const at: Place = { parent: place, key, via: 'property' };
    reading(at);
    const item = (value as Record<string, unknown>)[key];
    if ((item === undefined && dropUndefined) || (only && !only(key, item))) continue;
    add(parts, (first ? lead + open : ',') + p.stringify(key) + ':', item, at);
    first = false;
  }
  return (first ? lead + open : '') + (escaped ? '}}' : '}');
}

function map(parts: Parts, value: object, place: Place | undefined): void {
  let n = 0;
  p.mapForEach(value, (item, key) => {
    add(parts, n === 0 ? '{"$t":"map","v":[[' : '],[', key, { parent: place, key: 'keys[' + n + ']', via: 'word' });
    add(parts, ',', item, { parent: place, key: typeof key === 'string' ? p.stringify(key) : 'keys[' + n + ']', via: 'entry' });
    n++;
  });
  parts.after = n === 0 ? '{"$t":"map","v":[]}' : ']]}';
}

function set(parts: Parts, value: object, place: Place | undefined): void {
  let n = 0;
  p.setForEach(value, (item) => {
    add(parts, n === 0 ? '{"$t":"set","v":[' : ',', item, { parent: place, key: 'values[' + n + ']', via: 'word' });
    n++;
  });
  parts.after = n === 0 ? '{"$t":"set","v":[]}' : ']}';
}

/** Name, message, cause, the errors of an AggregateError, own data. Never the stack. */
function error(parts: Parts, value: object, place: Place | undefined, reading: Reading): void {
  const own = value as Record<string, unknown>;
  const get = (key: string, before: string, fallback?: string): void => {
    const at: Place = { parent: place, key, via: 'property' };
    reading(at);
    const item = own[key];
    add(parts, before, fallback !== undefined && typeof item !== 'string' ? fallback : item, at);
  };
  get('name', '{"$t":"error","v":{"name":', 'Error');
  get('message', ',"message":', '');
  if (p.hasOwn(value, 'cause')) get('cause', ',"cause":');
  if (p.hasOwn(value, 'errors')) get('errors', ',"errors":');
  parts.after = members(parts, value, place, ',"data":', false, reading, isData) + '}}';
}

/** Functions among an error's own data are left out: libraries hang them there, and nobody means them. */
function isData(key: string, item: unknown): boolean {
  if (key === 'name' || key === 'message' || key === 'stack' || key === 'cause' || key === 'errors') return false;
  return typeof item !== 'function' && typeof item !== 'symbol';
}
