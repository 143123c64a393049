'use client';
import { useMemo } from 'react';
import { type LazyPart, lazyPart, usePart } from '../lazy-part.ts';

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

type Tokenize = (source: string) => readonly (readonly [kind: number, text: string])[];

/** Colours come when they are loaded: the words of a program never wait for them. */
export const highlighter: LazyPart<Tokenize> = /* @__PURE__ */ lazyPart(async () => {
  const { tokenize } = await import('sugar-high/lang/typescript');
  return (source) => tokenize(source, {});
});

/** Above this a program is shown without colours: the highlighter takes about 20 ms per 100 kB. */
const MAX_COLOURED = 60_000;
/** Programs that were shown last; a run's row, its dialog and its panel ask for the same one. */
const MAX_KEPT = 8;
const kept = new Map<string, readonly TokenLine[]>();

/** Lines of a program as tokens, coloured as soon as the highlighter is there. */
export function useTokenLines(source: string): readonly TokenLine[] {
  const part = usePart(highlighter);
  return useMemo(() => tokenLines(source, part.status === 'ready' ? part.value : undefined), [source, part]);
}

/** Lines of a program as tokens. Joined, they give the source back (but for its last line end; CRLF and CR count as line ends). */
export function tokenLines(source: string, tokenize: Tokenize | undefined): readonly TokenLine[] {
  const text = (): string => source.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  if (!tokenize || source.length > MAX_COLOURED) return plain(text());
  const found = kept.get(source);
  if (found) return found;
  const lines = coloured(text(), tokenize);
  kept.set(source, lines);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  return lines;
}

function plain(text: string): TokenLine[] {
  return text.split('\n').map((line) => [{ kind: 'identifier', text: line }]);
}

function coloured(text: string, tokenize: Tokenize): readonly TokenLine[] {
  const lines: Token[][] = [[]];
  let length = 0;
  for (const [type, value] of tokenize(text)) {
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
