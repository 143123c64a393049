/** `TextEncoder`, `TextDecoder`, `atob`, `btoa`. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export default function create(): Record<string, unknown> {
  return { TextEncoder, TextDecoder, atob, btoa };
}

class TextEncoder {
  get encoding(): string {
    return 'utf-8';
  }

  encode(input: unknown = ''): Uint8Array {
    const text = String(input);
    const bytes = new Uint8Array(text.length * 3);
    return bytes.slice(0, write(text, bytes).written);
  }

  encodeInto(input: unknown, target: Uint8Array): { read: number; written: number } {
    return write(String(input), target);
  }
}

function write(text: string, target: Uint8Array): { read: number; written: number } {
  let at = 0;
  let i = 0;
  while (i < text.length) {
    let point = text.codePointAt(i)!;
    const units = point > 0xffff ? 2 : 1;
    if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (at + size > target.length) break;
    if (size === 1) target[at] = point;
    else {
      for (let k = size - 1; k > 0; k--) {
        target[at + k] = 0x80 | (point & 63);
        point >>= 6;
      }
      target[at] = ((0xf00 >> size) & 0xff) | point;
    }
    at += size;
    i += units;
  }
  return { read: i, written: at };
}

const LABELS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'unicode-1-1-utf-8': 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  latin1: 'windows-1252',
  ascii: 'windows-1252',
  'us-ascii': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
};

class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  #rest: number[] = [];

  constructor(label: unknown = 'utf-8', options: { fatal?: unknown; ignoreBOM?: unknown } = {}) {
    const name = String(label).trim().toLowerCase();
    if (!Object.hasOwn(LABELS, name))
      throw new RangeError(`TextDecoder: the encoding "${name}" is not supported here; use utf-8, utf-16le or latin1`);
    this.encoding = LABELS[name]!;
    this.fatal = Boolean(options.fatal);
    this.ignoreBOM = Boolean(options.ignoreBOM);
  }

  decode(input?: ArrayBuffer | ArrayBufferView, options: { stream?: unknown } = {}): string {
    const bytes = [...this.#rest, ...bytesOf(input)];
    this.#rest = [];
    if (options.stream && this.encoding === 'utf-8') this.#rest = bytes.splice(bytes.length - unfinished(bytes));
    if (options.stream && this.encoding === 'utf-16le' && bytes.length % 2 === 1) this.#rest = [bytes.pop()!];
    const text =
      this.encoding === 'utf-8' ? utf8(bytes, this.fatal) : this.encoding === 'utf-16le' ? utf16(bytes) : latin1(bytes);
    return this.ignoreBOM || text.charCodeAt(0) !== 0xfeff ? text : text.slice(1);
  }
}

function bytesOf(input: ArrayBuffer | ArrayBufferView | undefined): Uint8Array {
  if (input === undefined) return new Uint8Array(0);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  return new Uint8Array(input);
}

/** Bytes at the end that may become a character with what follows. */
function unfinished(bytes: readonly number[]): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

function utf8(bytes: readonly number[], fatal: boolean): string {
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i++]!;
    if (first < 0x80) {
      text += String.fromCharCode(first);
      continue;
    }
    const more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xc2 && first < 0xe0 ? 1 : 0;
    let point = more === 0 ? -1 : first & (0x3f >> more);
    // The second byte's range keeps out overlong forms, surrogates and what lies above U+10FFFF.
    const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    for (let k = 0; k < more; k++) {
      const byte = bytes[i] ?? 0;
      if (byte < (k === 0 ? low : 0x80) || byte > (k === 0 ? high : 0xbf)) {
        point = -1;
        break;
      }
      point = (point << 6) | (byte & 63);
      i++;
    }
    if (point < 0 && fatal) throw new TypeError('TextDecoder: the bytes are not valid UTF-8');
    text += String.fromCodePoint(point < 0 ? 0xfffd : point);
  }
  return text;
}

function utf16(bytes: readonly number[]): string {
  let text = '';
  for (let i = 0; i + 1 < bytes.length; i += 2) text += String.fromCharCode(bytes[i]! | (bytes[i + 1]! << 8));
  return bytes.length % 2 === 1 ? `${text}\ufffd` : text;
}

/** Of windows-1252 the range 0x80–0x9f. */
const HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function latin1(bytes: readonly number[]): string {
  let text = '';
  for (const byte of bytes) text += byte >= 0x80 && byte < 0xa0 ? HIGH[byte - 0x80]! : String.fromCharCode(byte);
  return text;
}

function btoa(input: unknown): string {
  const text = String(input);
  let result = '';
  for (let i = 0; i < text.length; i += 3) {
    const codes = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)];
    if (codes.some((code) => code > 255))
      throw new RangeError(
        'btoa: the text has characters above U+00FF; encode it first: btoa(String.fromCharCode(...new TextEncoder().encode(text)))',
      );
    const [a, b, c] = codes as [number, number, number];
    const word = (a << 16) | ((b || 0) << 8) | (c || 0);
    result +=
      ALPHABET[word >> 18]! +
      ALPHABET[(word >> 12) & 63]! +
      (i + 1 < text.length ? ALPHABET[(word >> 6) & 63]! : '=') +
      (i + 2 < text.length ? ALPHABET[word & 63]! : '=');
  }
  return result;
}

function atob(input: unknown): string {
  let text = String(input).replace(/[\t\n\f\r ]/g, '');
  if (text.length % 4 === 0) text = text.replace(/={1,2}$/, '');
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw new RangeError('atob: the text is not valid base64');
  let result = '';
  let word = 0;
  for (let i = 0; i < text.length; i++) {
    word = (word << 6) | ALPHABET.indexOf(text[i]!);
    const bits = (i % 4) * 6 + 6;
    if (bits > 6) result += String.fromCharCode((word >> (bits % 8)) & 255);
    if (i % 4 === 3) word = 0;
  }
  return result;
}
