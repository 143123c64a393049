/** Images and files in a program's value: taken out for models that can see them, with a mark in the text in their place. */
import { toBase64 } from '../protocol/codec-bytes.ts';
import { count, wellFormed } from './model-words.ts';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** What a model may look at itself. `data` is base64. */
export interface MediaPart {
  readonly type: 'image' | 'file';
  readonly data: string;
  /** `image/png`, `application/pdf` … */
  readonly mimeType: string;
  readonly name?: string;
}

/** One part of an answer for a model; adapters hand it over in their host's own shape. */
export type ContentPart = TextPart | MediaPart;

export interface TakenParts {
  /** The value with a mark like `[image/png, 12,345 bytes, part 2]` instead of each part. */
  readonly value: unknown;
  readonly media: readonly MediaPart[];
}

/** More pictures in one answer than this no model looks at; the others keep their mark. */
const MAX_MEDIA = 16;
const MIME = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

/**
 * Takes `{ type: 'image' | 'file' | 'audio', data, mimeType, name? }` (data: base64, a base64 data URL or bytes) and embedded
 * resources of MCP out of a value of `decode`, at any depth. A value that is content as a whole (a part, a list of parts, an
 * MCP result) becomes its text.
 */
export function takeParts(value: unknown): TakenParts {
  if (!holdsContent(value, new Set())) return { value, media: [] };
  const taker = new Taker();
  const content = asContent(value);
  if (!content) return { value: taker.copy(value), media: taker.media };
  const lines = content.map((part) => (isText(part) ? part.text : String(taker.copy(part))));
  return { value: lines.join('\n'), media: taker.media };
}

class Taker {
  readonly media: MediaPart[] = [];
  readonly #copies = new Map<object, unknown>();
  #found = 0;

  copy(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    const media = mediaOf(value);
    if (media) return this.#kept(value, this.#mark(media));
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof Map) return this.#map(value);
    if (value instanceof Set) return this.#set(value);
    return isPlain(value) ? this.#record(value) : value;
  }

  #kept<T>(value: object, copy: T): T {
    this.#copies.set(value, copy);
    return copy;
  }

  #mark(media: MediaPart): string {
    const { mimeType, name, data } = media;
    const what = `${mimeType}${name === undefined ? '' : ` ${JSON.stringify(name)}`}, ${count(byteLength(data))} bytes`;
    if (++this.#found > MAX_MEDIA) return `[${what}, not handed over: at most ${MAX_MEDIA} are]`;
    this.media.push(media);
    return `[${what}, part ${this.media.length + 1}]`;
  }

  #list(list: readonly unknown[]): unknown {
    const copy: unknown[] = this.#kept(list, []);
    list.forEach((item, i) => {
      copy[i] = this.copy(item);
    });
    copy.length = list.length;
    return copy;
  }

  #map(map: ReadonlyMap<unknown, unknown>): unknown {
    const copy = this.#kept(map, new Map<unknown, unknown>());
    for (const [key, item] of map) copy.set(this.copy(key), this.copy(item));
    return copy;
  }

  #set(set: ReadonlySet<unknown>): unknown {
    const copy = this.#kept(set, new Set<unknown>());
    for (const item of set) copy.add(this.copy(item));
    return copy;
  }

  #record(record: object): unknown {
    const copy = this.#kept(record, {});
    for (const [key, item] of Object.entries(record))
      Object.defineProperty(copy, key, { value: this.copy(item), enumerable: true, configurable: true, writable: true });
    return copy;
  }
}

/** Looks at each object once, whatever shares it. */
function holdsContent(value: unknown, seen: Set<object>): boolean {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  if (mediaOf(value) || asContent(value)) return true;
  const inner = value instanceof Map ? [...value.keys(), ...value.values()] : value instanceof Set ? [...value] : undefined;
  if (!inner && !Array.isArray(value) && !isPlain(value)) return false;
  return (inner ?? Object.values(value)).some((item) => holdsContent(item, seen));
}

/** The parts of a value that is nothing but content. */
function asContent(value: unknown): readonly object[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return value.some((part) => isPart(part)) && value.every(isPart) ? value : undefined;
  if (isText(value)) return [value];
  const { content, isError, structuredContent } = value as Record<string, unknown>;
  const isResult = Array.isArray(content) && isError !== true && structuredContent === undefined;
  return isResult && hasOnly(value, ['content', 'isError', '_meta']) ? asContent(content) : undefined;
}

function isPart(part: unknown): part is object {
  return typeof part === 'object' && part !== null && (isText(part) || mediaOf(part) !== undefined);
}

function isText(part: object): part is TextPart {
  const { type, text } = part as Partial<TextPart>;
  return type === 'text' && typeof text === 'string' && hasOnly(part, ['type', 'text', 'annotations', '_meta']);
}

function hasOnly(value: object, keys: readonly string[]): boolean {
  return isPlain(value) && Object.keys(value).every((key) => keys.includes(key));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function mediaOf(value: object): MediaPart | undefined {
  if (!isPlain(value)) return undefined;
  const { type, data, mimeType, mediaType, name, resource } = value as Record<string, unknown>;
  if (type === 'resource' && typeof resource === 'object' && resource !== null) {
    const { uri, blob, mimeType: mime = 'application/octet-stream' } = resource as Record<string, unknown>;
    return media('file', blob, mime, uri);
  }
  if (type !== 'image' && type !== 'file' && type !== 'audio') return undefined;
  return media(type, data, mimeType ?? mediaType, name);
}

function media(type: string, data: unknown, mime: unknown, name: unknown): MediaPart | undefined {
  const url = typeof data === 'string' ? DATA_URL.exec(data.slice(0, 300)) : null;
  const mimeType = mime ?? url?.[1];
  const text = base64Of(url && typeof data === 'string' ? data.slice(url[0].length) : data);
  if (text === undefined || typeof mimeType !== 'string' || !MIME.test(mimeType)) return undefined;
  return {
    type: type === 'image' && mimeType.startsWith('image/') ? 'image' : 'file',
    data: text,
    mimeType,
    ...(typeof name === 'string' && name !== '' && { name: wellFormed(name.slice(0, 200)) }),
  };
}

function base64Of(data: unknown): string | undefined {
  if (typeof data === 'string') {
    const text = data.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
    return BASE64.test(text) ? padded(text.replace(/=+$/, '')) : undefined;
  }
  if (data instanceof ArrayBuffer) return base64Of(new Uint8Array(data));
  if (!ArrayBuffer.isView(data) || data.byteLength === 0) return undefined;
  return toBase64(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), data.byteLength);
}

/** As every API takes it; a request with a part that is no base64 fails as a whole. */
function padded(text: string): string | undefined {
  return text.length % 4 === 1 ? undefined : text + '='.repeat((4 - (text.length % 4)) % 4);
}

function byteLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}
