/** Base64 and UTF-8 length without host APIs: the sandbox has none. */
import { charCodeAt, fromCharCode, slice, Uint8 } from './codec-primordials.ts';
import { hostLength } from './utf8.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Characters after which a piece of text is put away; keeps the strings being built short. */
const PIECE = 8192;

/** Code of each of the 64 characters; made at the first use, as the next one. */
let codes: Uint8Array | undefined;
/** Value of each character code, 255 for the others. */
let values: Uint8Array | undefined;

function codeTable(): Uint8Array {
  if (codes) return codes;
  codes = new Uint8(64);
  for (let i = 0; i < 64; i++) codes[i] = charCodeAt(ALPHABET, i);
  return codes;
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
  const c = codeTable();
  const whole = length - (length % 6);
  let text = '';
  let piece = '';
  let i = 0;
  // Eight characters a call: four times as fast as joining them one by one.
  for (; i < whole; i += 6) {
    const a = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
    const b = (bytes[i + 3]! << 16) | (bytes[i + 4]! << 8) | bytes[i + 5]!;
    piece += fromCharCode(
      c[a >> 18]!,
      c[(a >> 12) & 63]!,
      c[(a >> 6) & 63]!,
      c[a & 63]!,
      c[b >> 18]!,
      c[(b >> 12) & 63]!,
      c[(b >> 6) & 63]!,
      c[b & 63]!,
    );
    if (piece.length >= PIECE) {
      text += piece;
      piece = '';
    }
  }
  text += piece;
  for (; i < length; i += 3) {
    const left = length - i;
    const a = (bytes[i]! << 16) | (left > 1 ? bytes[i + 1]! << 8 : 0) | (left > 2 ? bytes[i + 2]! : 0);
    text += fromCharCode(c[a >> 18]!, c[(a >> 12) & 63]!, left > 1 ? c[(a >> 6) & 63]! : 61, left > 2 ? c[a & 63]! : 61);
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

let count: (text: string) => number | undefined = hostLength;

/** Sets who counts the bytes of long texts: the sandbox has no encoder of its own, and its host counts without a loop. */
export function countBytesWith(counter: (text: string) => number): void {
  count = counter;
}

/** True when the UTF-8 form of `text` has at most `limit` bytes. Counts only when the length alone does not tell. */
export function fitsBytes(text: string, limit: number): boolean {
  if (text.length * 3 <= limit) return true;
  if (text.length > limit) return false;
  const known = count(text);
  if (known !== undefined) return known <= limit;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    // A pair is two units of 2 bytes each; a lone half would be replaced by a 3-byte character, and JSON text has none.
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3;
    if (bytes > limit) return false;
  }
  return true;
}
