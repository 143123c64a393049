import { tokenize } from 'sugar-high/lang/typescript';

/** Kinds of token the skin colours; the index is the highlighter's. */
const KINDS = [
  'identifier',
  'keyword',
  'string',
  'class',
  'property',
  'entity',
  'literal',
  'sign',
  'comment',
  'break',
  'space',
] as const;
export type TokenKind = (typeof KINDS)[number];

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

export type TokenLine = readonly Token[];

/** Above this a program is shown without colours: the highlighter takes about 20 ms per 100 kB. */
const MAX_COLOURED = 60_000;
/** Programs that were shown last; a run's row, its dialog and its panel ask for the same one. */
const MAX_KEPT = 8;
const kept = new Map<string, readonly TokenLine[]>();

/** Lines of a program as coloured tokens. Joined, they give the source back (but for its last line end; CRLF and CR count as line ends). */
export function tokenLines(source: string): readonly TokenLine[] {
  const found = kept.get(source);
  if (found) return found;
  const text = source.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  const lines = text.length > MAX_COLOURED ? plain(text) : coloured(text);
  kept.set(source, lines);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  return lines;
}

function plain(text: string): TokenLine[] {
  return text.split('\n').map((line) => [{ kind: 'identifier', text: line }]);
}

function coloured(text: string): readonly TokenLine[] {
  const lines: Token[][] = [[]];
  let length = 0;
  for (const [type, value] of tokenize(text, {})) {
    length += value.length;
    value.split('\n').forEach((part, at) => {
      if (at > 0) lines.push([]);
      if (part !== '') lines.at(-1)!.push({ kind: KINDS[type] ?? 'identifier', text: part });
    });
  }
  // A highlighter that lost or made up text must not decide what a person reads.
  const whole = length === text.length && lines.map((line) => line.map((token) => token.text).join('')).join('\n') === text;
  return whole ? lines : plain(text);
}
