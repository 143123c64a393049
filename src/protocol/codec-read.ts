/**
 * Turns parsed text with `$t` tags back into values. The text may come from a breached worker: every tag is checked, names
 * are looked up in tables without a prototype, nothing in the text can ask for more memory than its own length.
 */
import { fromBase64 } from './codec-bytes.ts';
import { SerializationError } from './codec-error.ts';
import * as p from './codec-primordials.ts';

type Node = Record<string, unknown>;

/** A value that is complete, or a container with the parsed values that still have to be revived and put in. */
type Opened =
  | { readonly kind: 'done'; readonly made: unknown }
  | { readonly kind: 'list' | 'record' | 'map' | 'set'; readonly made: unknown; readonly source: Node }
  | { readonly kind: 'error'; readonly made: Error; readonly source: Node };

const HOLE: unique symbol = Symbol('hole');

/** Revives what `JSON.parse` gave, in place. @throws SerializationError for a malformed tag */
export function revive(parsed: unknown): unknown {
  if (typeof parsed !== 'object' || parsed === null) return parsed;
  const value = new Reader().value(parsed);
  return value === HOLE ? undefined : value;
}

function malformed(tag: string): SerializationError {
  return new SerializationError('serialization_error', 'The encoded value is malformed at a "' + tag + '" tag.', '$');
}

class Reader {
  readonly #defined = new p.MapConstructor<number, unknown>();

  // One frame per level, as in the writer: what the page encodes has to fit on the sandbox's small stack.
  value(node: object): unknown {
    const opened = this.#open(node);
    if (opened.kind === 'done') return opened.made;
    const { kind, made, source } = opened;
    const names = kind === 'record' ? p.keys(source) : kind === 'error' ? errorParts : undefined;
    const length = names ? names.length : (source as unknown as unknown[]).length;
    for (let i = 0; i < length; i++) {
      const key = names ? names[i]! : (i as unknown as string);
      if (kind === 'error' && !p.hasOwn(source, key)) continue;
      let item = source[key];
      if (kind === 'map') {
        if (!p.isArray(item) || item.length !== 2) throw malformed('map');
        let name: unknown = item[0];
        if (typeof name === 'object' && name !== null) name = this.value(name);
        item = item[1];
        if (typeof item === 'object' && item !== null) item = this.value(item);
        p.mapSet(made, name, item);
        continue;
      }
      const revived = typeof item === 'object' && item !== null ? this.value(item) : item;
      if (kind === 'set') p.setAdd(made, revived);
      else if (kind === 'error') complete(made, key, revived);
      // Every key is an own data property here, `__proto__` too: assigning replaces it and calls no setter.
      else if (revived !== HOLE) {
        if (revived !== item) source[key] = revived;
      } else if (kind === 'list') delete source[key];
      else source[key] = undefined;
    }
    return made;
  }

  /** Looks at the tag, if there is one; makes containers and remembers those that are referred to. */
  #open(node: object): Opened {
    let inner = node as Node;
    let id: number | undefined;
    if (tagOf(inner) === 'def') {
      const body = inner.v;
      if (!p.isArray(body) || body.length !== 2 || typeof body[0] !== 'number' || typeof body[1] !== 'object' || body[1] === null)
        throw malformed('def');
      id = body[0];
      inner = body[1] as Node;
    }
    const tag = tagOf(inner);
    if (tag === 'ref') return this.#reference(inner.v);
    const opened = open(tag, inner);
    if (id !== undefined) p.mapSet(this.#defined, id, opened.made);
    return opened;
  }

  #reference(body: unknown): Opened {
    const made = typeof body === 'number' ? p.mapGet(this.#defined, body) : undefined;
    if (made === undefined) throw malformed('ref');
    return { kind: 'done', made };
  }
}

/** `undefined` for plain data; anything else stands for a tag, known or not. */
function tagOf(node: Node): unknown {
  if (p.isArray(node) || !p.hasOwn(node, '$t')) return undefined;
  const tag = node.$t;
  if (typeof tag !== 'string') throw malformed('unknown');
  return tag;
}

function open(tag: unknown, node: Node): Opened {
  if (tag === undefined) return { kind: p.isArray(node) ? 'list' : 'record', made: node, source: node };
  const body = p.hasOwn(node, 'v') ? node.v : undefined;
  switch (tag) {
    case 'undefined':
      return { kind: 'done', made: undefined };
    case 'hole':
      return { kind: 'done', made: HOLE };
    case 'number':
      return { kind: 'done', made: number(body) };
    case 'bigint':
      return { kind: 'done', made: bigInt(body) };
    case 'object':
      if (typeof body !== 'object' || body === null || p.isArray(body)) throw malformed('object');
      return { kind: 'record', made: body, source: body as Node };
    case 'map':
      if (!p.isArray(body)) throw malformed('map');
      return { kind: 'map', made: new p.MapConstructor(), source: body as unknown as Node };
    case 'set':
      if (!p.isArray(body)) throw malformed('set');
      return { kind: 'set', made: new p.SetConstructor(), source: body as unknown as Node };
    case 'error':
      return { kind: 'error', made: error(body), source: body as Node };
    default:
      return { kind: 'done', made: leaf(tag, body) };
  }
}

/** What of an error can hold values, in the order it was written. */
const errorParts = ['cause', 'errors', 'data'];

function error(body: unknown): Error {
  if (typeof body !== 'object' || body === null) throw malformed('error');
  const { name, message, data } = body as Node;
  if (typeof name !== 'string' || typeof message !== 'string' || typeof data !== 'object' || data === null)
    throw malformed('error');
  const known = p.errorConstructors[name];
  const made = new (known ?? p.errorConstructors.Error!)(message);
  if (!known) define(made, 'name', name, false);
  // Where it was decoded says nothing about where it was made.
  define(made, 'stack', name + ': ' + message, false);
  return made;
}

/** Puts a cause, the errors of an AggregateError or own data into an error. */
function complete(made: Error, part: string, value: unknown): void {
  if (part !== 'data') return define(made, part, value, false);
  if (typeof value !== 'object' || value === null) throw malformed('error');
  const names = p.keys(value);
  for (let i = 0; i < names.length; i++) {
    const key = names[i]!;
    if (key === 'stack' || key === 'message' || key === 'name' || key === 'cause' || key === 'errors') continue;
    define(made, key, (value as Node)[key], true);
  }
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
    throw new SerializationError(
      'serialization_error',
      'The regular expression /' + p.slice(source, 0, 100) + '/' + p.slice(flags, 0, 10) + ' is not supported on this side.',
      '$',
    );
  }
}

function view(name: string, text: string): object {
  const View = p.viewConstructors[name];
  if (!View) throw new SerializationError('serialization_error', p.slice(name, 0, 30) + ' is not supported on this side.', '$');
  const bytes = fromBase64(text);
  if (!bytes) throw malformed('view');
  try {
    return new View(p.typedBuffer(bytes) as ArrayBuffer);
  } catch {
    throw malformed('view');
  }
}
