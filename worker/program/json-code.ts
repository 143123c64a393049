/** Code that arrives as a JSON string, alone or as the `code` of an object, with the offset of each of its characters. */

export interface WrappedCode {
  readonly code: string;
  /** For each UTF-16 unit of `code`, and for its end: where it stands in the JSON text. */
  readonly offsets: Int32Array;
}

const CODE_KEYS = new Set([
  'code',
  'js',
  'javascript',
  'source',
  'script',
  'program',
  'typescript',
  'typescriptCode',
  'sourceCode',
]);

/**
 * Reads `{"code": "…"}` and `"…"`. Forgiving where models are sloppy (raw line ends inside of the string, a missing last
 * brace), strict about everything else: an object literal that is a program must not be taken for JSON.
 */
export function wrappedCode(text: string): WrappedCode | undefined {
  const first = text.search(/\S/);
  if (first < 0) return undefined;
  if (text[first] === '"') return codeString(text, first);
  if (text[first] === '{' && /^\{\s*"/.test(text.slice(first, first + 200))) return codeMember(text, first);
  return undefined;
}

/** A whole text that is one JSON string counts as code only when its content looks like it. */
function codeString(text: string, start: number): WrappedCode | undefined {
  const string = readString(text, start);
  if (!string || text.slice(string.end).trim() !== '') return undefined;
  return /[;\n]|=>|\breturn\b|\bawait\b|\bconst\b|\blet\b/.test(string.code) ? string : undefined;
}

function codeMember(text: string, start: number): WrappedCode | undefined {
  let at = start + 1;
  let found: WrappedCode | undefined;
  for (;;) {
    at = skipSpace(text, at);
    if (text[at] === '}') return found && text.slice(at + 1).trim() === '' ? found : undefined;
    const key = text[at] === '"' ? readString(text, at) : undefined;
    if (!key) return undefined;
    at = skipSpace(text, key.end);
    if (text[at] !== ':') return undefined;
    at = skipSpace(text, at + 1);
    if (text[at] === '"') {
      const value = readString(text, at);
      if (!value) return undefined;
      if (!found && CODE_KEYS.has(key.code)) found = value;
      at = value.end;
    } else {
      const end = skipValue(text, at);
      if (end === undefined) return undefined;
      at = end;
    }
    at = skipSpace(text, at);
    if (at >= text.length) return found;
    if (text[at] === ',') at++;
    else if (text[at] !== '}') return undefined;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}

/** End of a JSON value that is no string; nested ones by their brackets. */
function skipValue(text: string, from: number): number | undefined {
  if (text[from] !== '{' && text[from] !== '[') {
    const word = /^(?:true|false|null|-?\d[\d.eE+-]*)/.exec(text.slice(from, from + 40));
    return word ? from + word[0].length : undefined;
  }
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      const string = readString(text, at);
      if (!string) return undefined;
      at = string.end - 1;
    } else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' };

function readString(text: string, start: number): (WrappedCode & { readonly end: number }) | undefined {
  const offsets: number[] = [];
  let code = '';
  let at = start + 1;
  for (; at < text.length && text[at] !== '"'; ) {
    offsets.push(at);
    if (text[at] !== '\\') {
      code += text[at++];
      continue;
    }
    const escape = text[at + 1] ?? '';
    if (escape === 'u') {
      const hex = /^[0-9a-fA-F]{4}/.exec(text.slice(at + 2, at + 6));
      if (!hex) return undefined;
      code += String.fromCharCode(Number.parseInt(hex[0], 16));
      at += 6;
      continue;
    }
    const char = ESCAPES[escape];
    if (char === undefined) return undefined;
    code += char;
    at += 2;
  }
  if (at >= text.length) return undefined;
  offsets.push(at);
  return { code, offsets: Int32Array.from(offsets), end: at + 1 };
}
