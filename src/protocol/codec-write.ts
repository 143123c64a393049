/**
 * The careful writer: everything the fast path refuses. One walk in document order; every getter and proxy trap runs once,
 * in the realm that encodes. An object met a second time turns its first occurrence into a definition, so identity and
 * cycles survive and shared data is written once.
 */
import { fitsBytes, toBase64 } from './codec-bytes.ts';
import { SerializationError } from './codec-error.ts';
import { classify, type Kind, promiseLike } from './codec-kinds.ts';
import * as p from './codec-primordials.ts';

/** Where the walk is; the text is only made for an error. */
interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
  readonly via: 'property' | 'index' | 'entry' | 'word';
}

/** Position of an object's text in the pieces, and its number once something refers to it. */
interface Occurrence {
  readonly start: number;
  end: number;
  id: number;
}

export interface WriteLimits {
  readonly maxDepth: number;
  readonly maxBytes: number;
  readonly dropUndefined: boolean;
}

/** Longest integer that is written in decimal: converting it is quadratic in some engines. */
const DECIMAL_BOUND = 1n << 1024n;

/** Plain ASCII names only: a regular expression would call `exec`, which a program can replace. */
function isIdentifier(key: string): boolean {
  for (let i = 0; i < key.length; i++) {
    const code = p.charCodeAt(key, i) | 32;
    const letter = (code >= 97 && code <= 122) || p.charCodeAt(key, i) === 95 || p.charCodeAt(key, i) === 36;
    if (!letter && (i === 0 || p.charCodeAt(key, i) < 48 || p.charCodeAt(key, i) > 57)) return false;
  }
  return key.length > 0;
}

/** `$.rows[3].done`: keys as the program would write them, map entries as `.get("key")`, set members as `.values[2]`. */
function pathText(place: Place | undefined): string {
  if (!place) return '$';
  const before = pathText(place.parent);
  if (place.via === 'index') return `${before}[${place.key}]`;
  if (place.via === 'entry') return `${before}.get(${place.key})`;
  if (place.via === 'word') return `${before}.${place.key}`;
  const key = place.key as string;
  return isIdentifier(key) ? `${before}.${key}` : `${before}[${p.stringify(key)}]`;
}

/** The canonical text of any value that can cross. @throws SerializationError */
export function carefulText(value: unknown, limits: WriteLimits): string {
  return new Writer(limits).text(value);
}

class Writer {
  readonly #limits: WriteLimits;
  readonly #seen = new p.MapConstructor<object, Occurrence>();
  /** A list without a prototype: storing in an array would run setters a program put on `Array.prototype`. */
  readonly #pieces = p.create(null) as Record<number, string>;
  #count = 0;
  #size = 0;
  #ids = 0;
  /** What is being read; an exception of the value's own code is reported for it. */
  #reading: Place | undefined;

  constructor(limits: WriteLimits) {
    this.#limits = limits;
  }

  text(value: unknown): string {
    try {
      this.#value(value, undefined, 0);
    } catch (error) {
      throw error instanceof SerializationError ? error : this.#foreign(error);
    }
    let text = '';
    for (let i = 0; i < this.#count; i++) text += this.#pieces[i]!;
    if (!fitsBytes(text, this.#limits.maxBytes)) throw this.#tooBig(undefined);
    return text;
  }

  #emit(text: string, place: Place | undefined): void {
    this.#pieces[this.#count++] = text;
    if ((this.#size += text.length) > this.#limits.maxBytes) throw this.#tooBig(place);
  }

  #string(text: string, place: Place | undefined): void {
    if (this.#size + text.length > this.#limits.maxBytes) throw this.#tooBig(place);
    this.#emit(p.stringify(text), place);
  }

  #tag(kind: string, text: string, place: Place | undefined): void {
    this.#emit(`{"$t":"${kind}","v":${text}}`, place);
  }

  #value(value: unknown, place: Place | undefined, depth: number): void {
    switch (typeof value) {
      case 'string':
        return this.#string(value, place);
      case 'boolean':
        return this.#emit(value ? 'true' : 'false', place);
      case 'number':
        return this.#number(value, place);
      case 'undefined':
        return this.#emit('{"$t":"undefined"}', place);
      case 'bigint':
        return this.#tag('bigint', bigIntText(value), place);
      case 'object':
        return value === null ? this.#emit('null', place) : this.#object(value, place, depth);
      default:
        throw refuse(typeof value, place);
    }
  }

  #number(value: number, place: Place | undefined): void {
    if (value - value !== 0) return this.#tag('number', value !== value ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"', place);
    if (value === 0 && 1 / value < 0) return this.#tag('number', '"-0"', place);
    this.#emit('' + value, place);
  }

  #object(value: object, place: Place | undefined, depth: number): void {
    const known = p.mapGet(this.#seen, value) as Occurrence | undefined;
    if (known) return this.#reference(known, place);
    this.#reading = place;
    const kind = classify(value);
    if (kind.name === 'boxed') return this.#value(kind.primitive, place, depth);
    if (kind.name === 'refused') throw refuse(kind.what!, place);
    if (depth >= this.#limits.maxDepth) {
      const limit = this.#limits.maxDepth;
      throw new SerializationError(
        'value_too_large',
        `The value is nested deeper than ${limit} levels at ${pathText(place)}. Return a flatter value, or the part that is needed.`,
        pathText(place),
        { maxDepth: limit },
      );
    }
    const occurrence: Occurrence = { start: this.#count, end: -1, id: 0 };
    p.mapSet(this.#seen, value, occurrence);
    this.#emit('', place);
    this.#body(value, kind, place, depth + 1);
    occurrence.end = this.#count;
    this.#emit('', place);
    if (occurrence.id > 0) this.#define(occurrence);
  }

  #reference(known: Occurrence, place: Place | undefined): void {
    if (known.id === 0) {
      known.id = ++this.#ids;
      if (known.end >= 0) this.#define(known);
    }
    this.#tag('ref', '' + known.id, place);
  }

  #define(occurrence: Occurrence): void {
    this.#pieces[occurrence.start] = `{"$t":"def","v":[${occurrence.id},`;
    this.#pieces[occurrence.end] = ']}';
    this.#size += 20;
  }

  #body(value: object, kind: Kind, place: Place | undefined, depth: number): void {
    switch (kind.name) {
      case 'array':
        return this.#array(value as unknown[], place, depth);
      case 'record':
        return this.#record(value, place, depth, undefined);
      case 'date': {
        const time = p.dateTime(value);
        return this.#tag('date', time === time ? '' + time : 'null', place);
      }
      case 'regexp':
        return this.#tag('regexp', `[${p.stringify(p.regExpSource(value) as string)},${p.stringify(p.regExpFlags(value) as string)}]`, place);
      case 'map':
        return this.#map(value, place, depth);
      case 'set':
        return this.#set(value, place, depth);
      case 'error':
        return this.#error(value, place, depth);
      case 'buffer':
        return this.#tag('buffer', this.#bytes(new p.Uint8(value as ArrayBuffer), kind.bytes!, place), place);
      case 'view':
        return this.#view(value, kind, place);
    }
  }

  #array(value: readonly unknown[], place: Place | undefined, depth: number): void {
    this.#emit('[', place);
    const length = value.length;
    for (let i = 0; i < length; i++) {
      const at: Place = { parent: place, key: i, via: 'index' };
      if (i > 0) this.#emit(',', at);
      this.#reading = at;
      const item = value[i];
      if (item === undefined && !p.hasOwn(value, i)) this.#emit('{"$t":"hole"}', at);
      else this.#value(item, at, depth);
    }
    this.#emit(']', place);
  }

  /** Own enumerable string keys, in order. With a `$t` key among them the whole is wrapped, so that data never reads as a tag. */
  #record(value: object, place: Place | undefined, depth: number, only: ((key: string, item: unknown) => boolean) | undefined): void {
    this.#reading = place;
    const names = p.keys(value);
    const length = names.length;
    let escaped = false;
    for (let i = 0; i < length; i++) if (names[i] === '$t') escaped = true;
    this.#emit(escaped ? '{"$t":"object","v":{' : '{', place);
    let first = true;
    for (let i = 0; i < length; i++) {
      const key = names[i]!;
      const at: Place = { parent: place, key, via: 'property' };
      this.#reading = at;
      const item = (value as Record<string, unknown>)[key];
      if (item === undefined && this.#limits.dropUndefined) continue;
      if (only && !only(key, item)) continue;
      if (!first) this.#emit(',', at);
      first = false;
      this.#string(key, at);
      this.#emit(':', at);
      this.#value(item, at, depth);
    }
    this.#emit(escaped ? '}}' : '}', place);
  }

  #map(value: object, place: Place | undefined, depth: number): void {
    this.#emit('{"$t":"map","v":[', place);
    let n = 0;
    p.mapForEach(value, (item, key) => {
      if (n > 0) this.#emit(',', place);
      this.#emit('[', place);
      this.#value(key, { parent: place, key: `keys[${n}]`, via: 'word' }, depth);
      this.#emit(',', place);
      this.#value(item, { parent: place, key: typeof key === 'string' ? p.stringify(key) : `keys[${n}]`, via: 'entry' }, depth);
      this.#emit(']', place);
      n++;
    });
    this.#emit(']}', place);
  }

  #set(value: object, place: Place | undefined, depth: number): void {
    this.#emit('{"$t":"set","v":[', place);
    let n = 0;
    p.setForEach(value, (item) => {
      if (n > 0) this.#emit(',', place);
      this.#value(item, { parent: place, key: `values[${n}]`, via: 'word' }, depth);
      n++;
    });
    this.#emit(']}', place);
  }

  /** Name, message, cause, the errors of an AggregateError, own data. Functions among the own data are left out: libraries hang them on errors. */
  #error(value: object, place: Place | undefined, depth: number): void {
    const error = value as { name?: unknown; message?: unknown; cause?: unknown; errors?: unknown };
    const at = (key: string): Place => (this.#reading = { parent: place, key, via: 'property' });
    at('name');
    const name = error.name;
    at('message');
    const message = error.message;
    this.#emit('{"$t":"error","v":{"name":', place);
    this.#string(typeof name === 'string' ? name : 'Error', place);
    this.#emit(',"message":', place);
    this.#string(typeof message === 'string' ? message : '', place);
    if (p.hasOwn(value, 'cause')) {
      this.#emit(',"cause":', place);
      const here = at('cause');
      this.#value(error.cause, here, depth);
    }
    if (p.hasOwn(value, 'errors')) {
      this.#emit(',"errors":', place);
      const here = at('errors');
      this.#value(error.errors, here, depth);
    }
    this.#emit(',"data":', place);
    this.#record(value, place, depth, isErrorData);
    this.#emit('}}', place);
  }

  #bytes(bytes: Uint8Array, length: number, place: Place | undefined): string {
    if (this.#size + length > this.#limits.maxBytes) throw this.#tooBig(place);
    return `"${toBase64(bytes, length)}"`;
  }

  #view(value: object, kind: Kind, place: Place | undefined): void {
    const isData = kind.view === 'DataView';
    const buffer = (isData ? p.viewBuffer(value) : p.typedBuffer(value)) as ArrayBuffer;
    const offset = (isData ? p.viewOffset(value) : p.typedOffset(value)) as number;
    const length = (isData ? p.viewLength(value) : p.typedLength(value)) as number;
    const text = this.#bytes(new p.Uint8(buffer, offset, length), length, place);
    this.#tag('view', `["${kind.view}",${text}]`, place);
  }

  #tooBig(place: Place | undefined): SerializationError {
    const limit = this.#limits.maxBytes;
    return new SerializationError(
      'value_too_large',
      `The value is larger than ${limit} bytes (reached at ${pathText(place)}). Return fewer rows or fields, or aggregate first.`,
      pathText(place),
      { maxBytes: limit },
    );
  }

  #foreign(error: unknown): SerializationError {
    const path = pathText(this.#reading);
    return new SerializationError('serialization_error', `Reading ${path} threw an error${reason(error)}. Copy the plain data out of the object first.`, path);
  }
}

/** An exception's own message, if asking for it is harmless. */
function reason(error: unknown): string {
  try {
    const message = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
    return typeof message === 'string' && message !== '' ? `: ${p.slice(message, 0, 200)}` : '';
  } catch {
    return '';
  }
}

function isErrorData(key: string, item: unknown): boolean {
  if (key === 'name' || key === 'message' || key === 'stack' || key === 'cause' || key === 'errors') return false;
  return typeof item !== 'function' && typeof item !== 'symbol';
}

/** Decimal while it is short; hexadecimal above, because only that is converted in linear time. */
function bigIntText(value: bigint): string {
  if (value < DECIMAL_BOUND && value > -DECIMAL_BOUND) return `"${p.bigIntToString(value)}"`;
  return value < 0n ? `"-0x${p.bigIntToString(-value, 16)}"` : `"0x${p.bigIntToString(value, 16)}"`;
}

function refuse(what: string, place: Place | undefined): SerializationError {
  const path = pathText(place);
  return new SerializationError('serialization_error', `${path} is ${advice(what)}`, path);
}

function advice(what: string): string {
  if (what === promiseLike) return 'a promise that was not awaited. Put `await` before the call that made it; for a list use `await Promise.all(...)`.';
  if (what === 'function') return 'a function, and functions cannot cross. Call it and pass its result, or leave it out.';
  if (what === 'symbol') return 'a symbol, and symbols cannot cross. Use a string.';
  if (what === 'iterator') return 'an iterator, which has no data of its own. Spread it into an array: `[...it]`.';
  return `a ${what}, which has no data that can cross. Copy what is needed into a plain object or array.`;
}
