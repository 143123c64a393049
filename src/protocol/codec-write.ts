/**
 * The careful writer: everything the fast path refuses. One walk in document order; getters and proxy traps run in the
 * realm that encodes (the fast path may have run some before). An object met a second time turns its first occurrence into a definition, so identity and
 * cycles survive and shared data is written once.
 */
import { fitsBytes, toBase64 } from './codec-bytes.ts';
import { SerializationError } from './codec-error.ts';
import { classify, type Kind, promiseLike } from './codec-kinds.ts';
import { partsOf } from './codec-parts.ts';
import { pathText, type Place } from './codec-place.ts';
import * as p from './codec-primordials.ts';
import type { Limits } from './limits.ts';

/** Position of an object's text in the pieces, and its number once something refers to it. */
interface Occurrence {
  readonly start: number;
  end: number;
  id: number;
}

export interface WriteLimits {
  readonly maxDepth: number;
  readonly maxBytes: number;
  /** Whose number `maxBytes` is. */
  readonly bytesLimit: keyof Limits;
  readonly dropUndefined: boolean;
}

/** Longest integer that is written in decimal: converting it is quadratic in some engines. */
const DECIMAL_BOUND = 1n << 1024n;

/** The canonical text of any value that can cross. @throws SerializationError */
export function carefulText(value: unknown, limits: WriteLimits): string {
  return new Writer(limits).text(value);
}

class Writer {
  readonly #limits: WriteLimits;
  #seen: Map<object, Occurrence> | undefined = new p.MapConstructor<object, Occurrence>();
  /** A list without a prototype: storing in an array would run setters a program put on `Array.prototype`. */
  #pieces = p.create(null) as Record<number, string>;
  #count = 0;
  #size = 0;
  #ids = 0;
  /** What is being read; an exception of the value's own code is reported for it. */
  #reading: Place | undefined;
  readonly #read = (place: Place | undefined): void => {
    this.#reading = place;
  };

  constructor(limits: WriteLimits) {
    this.#limits = limits;
  }

  text(value: unknown): string {
    try {
      if (typeof value === 'object' && value !== null) this.#object(value, undefined, 0);
      else this.#leaf(value, undefined);
      let text = '';
      for (let i = 0; i < this.#count; i++) text += this.#pieces[i]!;
      if (!fitsBytes(text, this.#limits.maxBytes)) throw this.#tooBig(undefined);
      return text;
    } catch (error) {
      throw error instanceof SerializationError || p.isOutOfMemory(error) ? error : this.#foreign(error);
    } finally {
      // `#read` and this refer to each other (see `isPlain`): what is large must not wait for that to be noticed.
      this.#seen = undefined;
      this.#pieces = p.create(null) as Record<number, string>;
    }
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
    this.#emit('{"$t":"' + kind + '","v":' + text + '}', place);
  }

  /** Everything but objects. */
  #leaf(value: unknown, place: Place | undefined): void {
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
        return this.#emit('null', place);
      default:
        throw refuse(typeof value, place);
    }
  }

  #number(value: number, place: Place | undefined): void {
    if (value - value !== 0)
      return this.#tag('number', value !== value ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"', place);
    if (value === 0 && 1 / value < 0) return this.#tag('number', '"-0"', place);
    this.#emit('' + value, place);
  }

  // One frame per level: 200 levels have to fit on the sandbox's stack of 128 KiB, wherever the program calls from.
  #object(value: object, place: Place | undefined, depth: number): void {
    const known = p.mapGet(this.#seen, value) as Occurrence | undefined;
    if (known) return this.#reference(known, place);
    this.#reading = place;
    const kind = classify(value);
    if (kind.name === 'boxed') return this.#leaf(kind.primitive, place);
    if (kind.name === 'refused') throw refuse(kind.what!, place);
    if (depth >= this.#limits.maxDepth) throw this.#tooDeep(place);
    const occurrence: Occurrence = { start: this.#count, end: -1, id: 0 };
    p.mapSet(this.#seen, value, occurrence);
    this.#emit('', place);
    if (kind.name === 'array') {
      const { length } = value as unknown[];
      for (let i = 0; i < length; i++) {
        const at: Place = { parent: place, key: i, via: 'index' };
        this.#emit(i > 0 ? ',' : '[', at);
        this.#reading = at;
        // Asked first: reading a hole would read the prototype.
        if (!p.hasOwn(value, i)) {
          this.#emit('{"$t":"hole"}', at);
          continue;
        }
        const item = (value as unknown[])[i];
        if (typeof item === 'object' && item !== null) this.#object(item, at, depth + 1);
        else this.#leaf(item, at);
      }
      this.#emit(length > 0 ? ']' : '[]', place);
    } else if (kind.name === 'record' || kind.name === 'map' || kind.name === 'set' || kind.name === 'error') {
      const parts = partsOf(value, kind.name, place, this.#limits.dropUndefined, this.#read);
      for (let i = 0; i < parts.length; i++) {
        const { before, item, place: at } = parts.list[i]!;
        this.#emit(before, at);
        if (typeof item === 'object' && item !== null) this.#object(item, at, depth + 1);
        else this.#leaf(item, at);
      }
      this.#emit(parts.after, place);
    } else this.#scalar(value, kind, place);
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
    this.#pieces[occurrence.start] = '{"$t":"def","v":[' + occurrence.id + ',';
    this.#pieces[occurrence.end] = ']}';
    this.#size += 20;
  }

  /** Objects without values inside. */
  #scalar(value: object, kind: Kind, place: Place | undefined): void {
    if (kind.name === 'date') {
      const time = p.dateTime(value);
      this.#tag('date', time === time ? '' + time : 'null', place);
    } else if (kind.name === 'regexp') {
      this.#tag(
        'regexp',
        '[' + p.stringify(p.regExpSource(value) as string) + ',' + p.stringify(p.regExpFlags(value)) + ']',
        place,
      );
    } else if (kind.name === 'buffer') {
      this.#tag('buffer', this.#bytes(new p.Uint8(value as ArrayBuffer), kind.bytes!, place), place);
    } else this.#view(value, kind, place);
  }

  #bytes(bytes: Uint8Array, length: number, place: Place | undefined): string {
    if (this.#size + length > this.#limits.maxBytes) throw this.#tooBig(place);
    return '"' + toBase64(bytes, length) + '"';
  }

  #view(value: object, kind: Kind, place: Place | undefined): void {
    const isData = kind.view === 'DataView';
    const buffer = (isData ? p.viewBuffer(value) : p.typedBuffer(value)) as ArrayBuffer;
    const offset = (isData ? p.viewOffset(value) : p.typedOffset(value)) as number;
    const length = (isData ? p.viewLength(value) : p.typedLength(value)) as number;
    const text = this.#bytes(new p.Uint8(buffer, offset, length), length, place);
    this.#tag('view', '["' + kind.view + '",' + text + ']', place);
  }

  #tooDeep(place: Place | undefined): SerializationError {
    const limit = this.#limits.maxDepth;
    const path = pathText(place);
    return new SerializationError(
      'value_too_large',
      'The value is nested deeper than ' +
        limit +
        ' levels (maxDepth) at ' +
        path +
        '. Make it flatter, or take only the part that is needed.',
      path,
      { limit: 'maxDepth', value: limit },
    );
  }

  #tooBig(place: Place | undefined): SerializationError {
    const { maxBytes: limit, bytesLimit: name } = this.#limits;
    return new SerializationError(
      'value_too_large',
      'The value is larger than ' +
        limit +
        ' bytes (' +
        name +
        '), reached at ' +
        pathText(place) +
        '. Take fewer rows or fields, or aggregate first.',
      pathText(place),
      { limit: name, value: limit },
    );
  }

  #foreign(error: unknown): SerializationError {
    const path = pathText(this.#reading);
    return new SerializationError(
      'serialization_error',
      'Reading ' + path + ' threw an error' + reason(error) + '. Copy the plain data out of the object first.',
      path,
    );
  }
}

/** An exception's own message, if asking for it is harmless. */
function reason(error: unknown): string {
  try {
    const message = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
    return typeof message === 'string' && message !== '' ? ': ' + p.slice(message, 0, 200) : '';
  } catch {
    return '';
  }
}

/** Decimal while it is short; hexadecimal above, because only that is converted in linear time. */
function bigIntText(value: bigint): string {
  if (value < DECIMAL_BOUND && value > -DECIMAL_BOUND) return '"' + p.bigIntToString(value) + '"';
  return value < 0n ? '"-0x' + p.bigIntToString(-value, 16) + '"' : '"0x' + p.bigIntToString(value, 16) + '"';
}

function refuse(what: string, place: Place | undefined): SerializationError {
  const path = pathText(place);
  return new SerializationError('serialization_error', path + ' is ' + advice(what), path);
}

function advice(what: string): string {
  if (what === promiseLike)
    return 'a promise that was not awaited. Put `await` before the call that made it; for a list use `await Promise.all(...)`.';
  if (what === 'function') return 'a function, and functions cannot cross. Call it and pass its result, or leave it out.';
  if (what === 'symbol') return 'a symbol, and symbols cannot cross. Use a string.';
  if (what === 'iterator') return 'an iterator, which has no data of its own. Spread it into an array: `[...it]`.';
  return 'a ' + what + ', which has no data that can cross. Copy what is needed into a plain object or array.';
}
