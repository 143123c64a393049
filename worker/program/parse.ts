import { Parser, type Options } from 'acorn';
import { tsPlugin } from '@sveltejs/acorn-typescript';
import type { Node } from './ast.ts';

/** What the parser refused: its words without the position, and the offset. */
export interface ParseError {
  readonly message: string;
  readonly offset: number;
}

export type Parsed = { readonly program: Node; readonly typescript: boolean } | { readonly error: ParseError };

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowHashBang: true,
};

let typed: typeof Parser | undefined;

/** Created at the first text that plain JavaScript refuses: most programs never pay for it. */
function typescriptParser(): typeof Parser {
  typed ??= Parser.extend(tsPlugin() as unknown as (base: typeof Parser) => typeof Parser);
  return typed;
}

/** Parses as JavaScript, then, if that fails, as TypeScript. */
export function parse(text: string): Parsed {
  const plain = attempt(Parser, text);
  if ('program' in plain) return { program: plain.program, typescript: false };
  const other = parseTypes(text);
  if ('program' in other) return other;
  // `<div>` is markup, although TypeScript would read on as if it were a cast.
  if (/^<[A-Za-z]/.test(text.slice(plain.error.offset, plain.error.offset + 2))) return plain;
  // The parser that came further understood more of what was meant.
  return other.error.offset > plain.error.offset ? other : plain;
}

/** Parses as TypeScript at once: for text that is JavaScript by accident, such as `f<string>(x)`. */
export function parseTypes(text: string): Parsed {
  const result = attempt(typescriptParser(), text);
  return 'program' in result ? { program: result.program, typescript: true } : result;
}

function attempt(parser: typeof Parser, text: string): { readonly program: Node } | { readonly error: ParseError } {
  try {
    const options = parser === Parser ? OPTIONS : { ...OPTIONS, locations: true };
    const program = parser.parse(text, options) as unknown as Node;
    return { program };
  } catch (error) {
    const functions = anonymousFunction(parser, text);
    if (functions) return { program: functions };
    return { error: described(error, text) };
  }
}

const ANONYMOUS = /(?:async\s+)?function\s*\*?\s*[(<]/y;
/** One piece at a time: a pattern for all of them can share out a line of slashes in more ways than it can ever try. */
const BETWEEN = /[\s;]+|\/\/.*|\/\*[^]*?\*\//y;

/** `async function () { … }` alone: an expression, which as a statement would need a name. */
function anonymousFunction(parser: typeof Parser, text: string): Node | undefined {
  const start = skipBetween(text, 0);
  ANONYMOUS.lastIndex = start;
  if (!ANONYMOUS.test(text)) return undefined;
  try {
    const options = parser === Parser ? OPTIONS : { ...OPTIONS, locations: true };
    const expression = parser.parseExpressionAt(text, start, options) as unknown as Node;
    if (skipBetween(text, expression.end) < text.length) return undefined;
    const statement = {
      type: 'ExpressionStatement',
      start: expression.start,
      end: expression.end,
      expression,
      needsParens: true,
    };
    return { type: 'Program', start: 0, end: text.length, body: [statement], sourceType: 'script' };
  } catch {
    return undefined;
  }
}

/** Where spaces, comments and semicolons end. */
function skipBetween(text: string, from: number): number {
  BETWEEN.lastIndex = from;
  let at = from;
  while (BETWEEN.test(text)) at = BETWEEN.lastIndex;
  return at;
}

function described(error: unknown, text: string): ParseError {
  const { message, pos } = error as { message?: unknown; pos?: unknown };
  // Anything that is no syntax error of the parser (its own stack overflow on absurd nesting) has no position.
  if (typeof pos !== 'number') return { message: 'The program is nested too deeply to be read', offset: 0 };
  return { message: String(message).replace(/ \(\d+:\d+\)$/, ''), offset: Math.min(pos, text.length) };
}
