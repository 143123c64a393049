/**
 * Turns parsed text with `$t` tags back into values. The text may come from a breached worker: every tag is checked, names
 * are looked up in tables without a prototype, nothing in the text can ask for more memory than its own length.
 */
import { fromBase64 } from './codec-bytes.ts';
import { SerializationError } from './codec-error.ts';
import * as p from './codec-primordials.ts';

type Node = Record<string, unknown>;
/** Called with the container before it is filled, so that a cycle finds it. */
type Register = ((container: object) => void) | undefined;

const HOLE: unique symbol = Symbol('hole');

/** Revives what `JSON.parse` gave, in place. @throws SerializationError for a malformed tag */
export function revive(parsed: unknown): unknown {
  const value = new Reader().value(parsed, undefined);
  return value === HOLE ? undefined : value;
}

function malformed(tag: string): SerializationError {
  return new SerializationError('serialization_error', `The encoded value is malformed at a "${tag}" tag.`, '$', undefined);
}

class Reader {
  readonly #defined = new p.MapConstructor<number, unknown>();

  value(node: unknown, register: Register): unknown {
    if (typeof node !== 'object' || node === null) return node;
    if (p.isArray(node)) return this.#array(node, register);
    if (p.hasOwn(node, '$t')) return this.#tagged(node as Node, register);
    return this.#record(node as Node, register);
  }

  #array(node: unknown[], register: Register): unknown[] {
    register?.(node);
    const length = node.length;
    for (let i = 0; i < length; i++) {
      const item = node[i];
      if (typeof item !== 'object' || item === null) continue;
      const value = this.value(item, undefined);
      if (value === HOLE) delete node[i];
      else if (value !== item) node[i] = value;
    }
    return node;
  }

  #record(node: Node, register: Register): Node {
    register?.(node);
    const names = p.keys(node);
    for (let i = 0; i < names.length; i++) {
      const key = names[i]!;
      const item = node[key];
      if (typeof item !== 'object' || item === null) continue;
      // Every key is an own data property here, `__proto__` too: assigning replaces it and calls no setter.
      const value = this.value(item, undefined);
      if (value !== item) node[key] = value === HOLE ? undefined : value;
    }
    return node;
  }

  #tagged(node: Node, register: Register): unknown {
    const tag = node.$t;
    const body = p.hasOwn(node, 'v') ? node.v : undefined;
    switch (tag) {
      case 'undefined':
        return undefined;
      case 'hole':
        return HOLE;
      case 'number':
        return number(body);
      case 'bigint':
        return bigInt(body);
      case 'ref':
        return this.#reference(body);
      case 'def':
        return this.#definition(body);
      case 'object':
        if (typeof body !== 'object' || body === null || p.isArray(body)) throw malformed('object');
        return this.#record(body as Node, register);
      case 'map':
        return this.#map(body, register);
      case 'set':
        return this.#set(body, register);
      case 'error':
        return this.#error(body, register);
    }
    const made = leaf(tag, body);
    register?.(made);
    return made;
  }

  #reference(body: unknown): unknown {
    const found = typeof body === 'number' ? p.mapGet(this.#defined, body) : undefined;
    if (found === undefined) throw malformed('ref');
    return found;
  }

  #definition(body: unknown): unknown {
    if (!p.isArray(body) || body.length !== 2 || typeof body[0] !== 'number') throw malformed('def');
    const id = body[0];
    const defined = this.#defined;
    return this.value(body[1], (container) => {
      p.mapSet(defined, id, container);
    });
  }

  #map(body: unknown, register: Register): unknown {
    if (!p.isArray(body)) throw malformed('map');
    const map = new p.MapConstructor<unknown, unknown>();
    register?.(map);
    for (let i = 0; i < body.length; i++) {
      const pair: unknown = body[i];
      if (!p.isArray(pair) || pair.length !== 2) throw malformed('map');
      const key = this.value(pair[0], undefined);
      p.mapSet(map, key, this.value(pair[1], undefined));
    }
    return map;
  }

  #set(body: unknown, register: Register): unknown {
    if (!p.isArray(body)) throw malformed('set');
    const set = new p.SetConstructor<unknown>();
    register?.(set);
    for (let i = 0; i < body.length; i++) p.setAdd(set, this.value(body[i], undefined));
    return set;
  }

  #error(body: unknown, register: Register): unknown {
    if (typeof body !== 'object' || body === null) throw malformed('error');
    const { name, message, data } = body as Node;
    if (typeof name !== 'string' || typeof message !== 'string' || typeof data !== 'object' || data === null) throw malformed('error');
    const known = p.errorConstructors[name];
    const error = new (known ?? p.errorConstructors.Error!)(message);
    register?.(error);
    if (!known) hide(error, 'name', name);
    // Where it was decoded says nothing about where it was made.
    hide(error, 'stack', `${name}: ${message}`);
    if (p.hasOwn(body, 'cause')) hide(error, 'cause', this.value((body as Node).cause, undefined));
    if (p.hasOwn(body, 'errors')) hide(error, 'errors', this.value((body as Node).errors, undefined));
    const own = this.value(data, undefined) as Node;
    if (typeof own !== 'object' || own === null) throw malformed('error');
    const names = p.keys(own);
    for (let i = 0; i < names.length; i++) {
      const key = names[i]!;
      if (key === 'stack' || key === 'message' || key === 'name' || key === 'cause' || key === 'errors') continue;
      define(error, key, own[key], true);
    }
    return error;
  }
}

function hide(target: object, key: string, value: unknown): void {
  define(target, key, value, false);
}

function define(target: object, key: string, value: unknown, enumerable: boolean): void {
  const descriptor = p.create(null) as PropertyDescriptor;
  descriptor.value = value;
  descriptor.writable = true;
  descriptor.configurable = true;
  descriptor.enumerable = enumerable;
  p.defineProperty(target, key, descriptor);
}

function number(body: unknown): number {
  if (body === 'NaN') return NaN;
  if (body === 'Infinity') return Infinity;
  if (body === '-Infinity') return -Infinity;
  if (body === '-0') return -0;
  throw malformed('number');
}

function bigInt(body: unknown): bigint {
  if (typeof body !== 'string' || body === '') throw malformed('bigint');
  const negative = p.charCodeAt(body, 0) === 45;
  const digits = negative ? p.slice(body, 1) : body;
  // Only hexadecimal converts in linear time, so a long decimal is not the codec's.
  if (p.slice(digits, 0, 2) !== '0x' && digits.length > 310) throw malformed('bigint');
  try {
    const value = p.BigIntFunction(digits);
    return negative ? -value : value;
  } catch {
    throw malformed('bigint');
  }
}

/** Values without values inside. */
function leaf(tag: unknown, body: unknown): object {
  if (tag === 'date' && (typeof body === 'number' || body === null)) return new p.DateConstructor(body ?? NaN);
  if (tag === 'buffer' && typeof body === 'string') {
    const bytes = fromBase64(body);
    if (bytes) return p.typedBuffer(bytes) as object;
  }
  if (p.isArray(body) && body.length === 2 && typeof body[0] === 'string' && typeof body[1] === 'string') {
    if (tag === 'regexp') return regExp(body[0], body[1]);
    if (tag === 'view') return view(body[0], body[1]);
  }
  throw malformed(typeof tag === 'string' ? p.slice(tag, 0, 20) : 'unknown');
}

function regExp(source: string, flags: string): object {
  try {
    return new p.RegExpConstructor(source, flags);
  } catch {
    throw new SerializationError('serialization_error', `The regular expression /${p.slice(source, 0, 100)}/${p.slice(flags, 0, 10)} is not supported on this side.`, '$');
  }
}

function view(name: string, text: string): object {
  const View = p.viewConstructors[name];
  if (!View) throw new SerializationError('serialization_error', `${p.slice(name, 0, 30)} is not supported on this side.`, '$');
  const bytes = fromBase64(text);
  if (!bytes) throw malformed('view');
  try {
    return new View(p.typedBuffer(bytes) as ArrayBuffer);
  } catch {
    throw malformed('view');
  }
}
