/** Text in and out of the engine's memory, exact for lone surrogates (WTF-8) and for a leading byte order mark. */

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 of the text; a lone surrogate keeps its own three bytes, which `TextEncoder` would replace. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return isWellFormed(text) ? encoder.encode(text) : encodeLoosely(text);
}

export function decodeText(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeLoosely(bytes);
  }
}

/**
 * Writes into `target` without a copy in between.
 * @returns bytes written, or -1 when the text does not fit or needs the exact form.
 */
export function encodeInto(text: string, target: Uint8Array<ArrayBuffer>): number {
  if (text.length > target.length || !isWellFormed(text)) return -1;
  const { read, written } = encoder.encodeInto(text, target);
  return read === text.length ? written : -1;
}

const LONE = /\p{Surrogate}/u;

function isWellFormed(text: string): boolean {
  return typeof text.isWellFormed === 'function' ? text.isWellFormed() : !LONE.test(text);
}

function encodeLoosely(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 3);
  let at = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (!isSurrogate(unit)) continue;
    const point = text.codePointAt(i)!;
    if (point > 0xffff) {
      i++;
      continue;
    }
    at += encoder.encodeInto(text.slice(from, i), bytes.subarray(at)).written;
    bytes.set([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63)], at);
    at += 3;
    from = i + 1;
  }
  at += encoder.encodeInto(text.slice(from), bytes.subarray(at)).written;
  return bytes.slice(0, at);
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Decodes the three-byte surrogates that `TextDecoder` refuses, everything between them by `TextDecoder`. */
function decodeLoosely(bytes: Uint8Array<ArrayBuffer>): string {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  let from = 0;
  for (let i = 0; i + 2 < bytes.length; i++) {
    if (bytes[i] !== 0xed || bytes[i + 1]! < 0xa0) continue;
    text += lenient.decode(bytes.subarray(from, i));
    text += String.fromCharCode(0xd000 | ((bytes[i + 1]! & 63) << 6) | (bytes[i + 2]! & 63));
    from = i + 3;
    i += 2;
  }
  return text + lenient.decode(bytes.subarray(from));
}
