/** Base64 and UTF-8 length without host APIs: the sandbox has none. */
import { charCodeAt, create, slice, Uint8 } from './codec-primordials.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Bytes per piece of text; keeps the strings being built short. A multiple of 3. */
const CHUNK = 6144;

/** The 4,096 two-character groups of base64; made at the first use. */
let pairs: Record<number, string> | undefined;
/** Value of each character code, 255 for the others; made at the first use. */
let values: Uint8Array | undefined;

function pairTable(): Record<number, string> {
  if (pairs) return pairs;
  pairs = create(null) as Record<number, string>;
  for (let i = 0; i < 4096; i++) pairs[i] = ALPHABET[i >> 6]! + ALPHABET[i & 63]!;
  return pairs;
}

function valueTable(): Uint8Array {
  if (values) return values;
  values = new Uint8(128);
  for (let i = 0; i < 128; i++) values[i] = 255;
  for (let i = 0; i < 64; i++) values[charCodeAt(ALPHABET, i)] = i;
  return values;
}

/** Bytes as standard base64 with padding. `length` is `bytes.length`, which a caller reads through a capture. */
export function toBase64(bytes: Uint8Array, length: number): string {
  const pair = pairTable();
  let text = '';
  let i = 0;
  while (i + 2 < length) {
    const end = i + CHUNK < length - 2 ? i + CHUNK : length - 2;
    let chunk = '';
    for (; i < end; i += 3) {
      const group = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
      chunk += pair[group >> 12]! + pair[group & 4095]!;
    }
    text += chunk;
  }
  if (length - i === 1) text += pair[bytes[i]! << 4]! + '==';
  if (length - i === 2) {
    const group = (bytes[i]! << 16) | (bytes[i + 1]! << 8);
    text += pair[group >> 12]! + ALPHABET[(group >> 6) & 63]! + '=';
  }
  return text;
}

/** The bytes of a base64 text, `undefined` when it is none. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const table = valueTable();
  const padding = text.length === 0 || slice(text, -1) !== '=' ? 0 : slice(text, -2) === '==' ? 2 : 1;
  const length = (text.length / 4) * 3 - padding;
  const bytes = new Uint8(length);
  const end = text.length - padding;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const code = i < end ? charCodeAt(text, i) : 65;
    const value = code < 128 ? table[code]! : 255;
    if (value === 255) return undefined;
    bits = (bits << 6) | value;
    if (i % 4 !== 3) continue;
    if (at < length) bytes[at++] = (bits >> 16) & 255;
    if (at < length) bytes[at++] = (bits >> 8) & 255;
    if (at < length) bytes[at++] = bits & 255;
    bits = 0;
  }
  return bytes;
}

/** True when the UTF-8 form of `text` has at most `limit` bytes. Counts only when the length alone does not tell. */
export function fitsBytes(text: string, limit: number): boolean {
  if (text.length * 3 <= limit) return true;
  if (text.length > limit) return false;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    // A pair is two units of 2 bytes each; a lone half would be replaced by a 3-byte character, and JSON text has none.
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3;
    if (bytes > limit) return false;
  }
  return true;
}
