import type { ProgramFailure, SourcePosition, Warning } from '../../src/protocol/wire.ts';
import type { Node } from './ast.ts';
import { blankTypes } from './blank-types.ts';
import { writeCallSites } from './call-sites.ts';
import { Edits } from './edits.ts';
import { syntaxFailure, refusedSyntax } from './messages.ts';
import { foreignLanguage } from './language.ts';
import { parse, parseTypes, type Parsed } from './parse.ts';
import { Lines } from './position.ts';
import { shape } from './shape.ts';
import { survey, type Survey } from './survey.ts';
import type { Normalised, NormaliseOptions } from './types.ts';
import { unwrap, type Unwrapped } from './unwrap.ts';

export type { Normalised, NormalisedProgram, NormaliseOptions } from './types.ts';

/** A text that parsed: what both `normalise` and `analyze` start from. */
export interface Understood {
  readonly unwrapped: Unwrapped;
  readonly program: Node;
  readonly facts: Survey;
  readonly typescript: boolean;
  /** Position in the model's text of an offset in `unwrapped.text`. */
  position(offset: number): SourcePosition;
}

/** Turns the text of a model into a program for the engine. Never throws. */
export function normalise(source: string, options?: NormaliseOptions): Normalised {
  try {
    return prepare(source, options);
  } catch (error) {
    return { ok: false, failure: tooDeep(error) };
  }
}

/** The parser is recursive, and so is every walk over its tree: absurd nesting overflows the stack of one of them. */
export function tooDeep(error: unknown): ProgramFailure {
  if (!(error instanceof RangeError)) throw error;
  return {
    code: 'syntax_error',
    name: 'SyntaxError',
    message: 'The program is nested too deeply to be read. Split it into statements.',
    site: { line: 1, column: 1 },
  };
}

function prepare(source: string, options: NormaliseOptions | undefined): Normalised {
  const understood = understand(source);
  return 'failure' in understood ? { ok: false, failure: understood.failure } : write(understood, options);
}

/** The code of a text that parsed. @throws RangeError when it is nested too deeply */
export function write(understood: Understood, options: NormaliseOptions | undefined): Normalised {
  const { unwrapped, program, facts, typescript } = understood;
  const edits = new Edits(unwrapped.text);
  if (typescript) {
    const refused = blankTypes(program, unwrapped.text, edits);
    if (refused)
      return {
        ok: false,
        failure: {
          code: 'syntax_error',
          name: 'SyntaxError',
          message: refused.message,
          site: understood.position(refused.offset),
        },
      };
  }
  const callSites = writeCallSites(facts, unwrapped.text, edits, understood.position);
  const made = shape(program, unwrapped.text, facts, edits, options?.state === 'session');
  const { code, toSource } = edits.apply();
  const warnings: Warning[] = [...unwrapped.warnings, ...made.warnings];
  const lines = new Lines(code);
  return {
    ok: true,
    code,
    form: made.form,
    callCompletion: made.callCompletion,
    hasValue: made.hasValue,
    freeIdentifiers: [...new Set([...facts.free.keys(), ...made.uses])].sort(),
    typescript,
    warnings,
    callSites,
    toSource: (line, column) => understood.position(toSource(lines.offsetOf(line, column))),
  };
}

/** Unwraps, parses and surveys a text, or says why it is no program. */
export function understand(source: string): Understood | { readonly failure: ProgramFailure } {
  let first: { readonly failure: ProgramFailure } | undefined;
  const lines = new Lines(source);
  for (const unwrapped of unwrap(source)) {
    const result = read(source, lines, unwrapped);
    if (!('failure' in result)) return result;
    first ??= result;
  }
  return first!;
}

function read(source: string, lines: Lines, unwrapped: Unwrapped): Understood | { readonly failure: ProgramFailure } {
  const { text } = unwrapped;
  const position = (offset: number): SourcePosition => lines.positionAt(unwrapped.toRaw(offset));
  if (text.trim() === '') {
    return {
      failure: {
        code: 'syntax_error',
        name: 'SyntaxError',
        message: 'The program is empty. Write JavaScript statements; the last expression or a `return` is the result.',
      },
    };
  }
  let parsed: Parsed = parse(text);
  if ('error' in parsed) {
    const foreign = foreignLanguage(unwrapped, source);
    return { failure: foreign ?? syntaxFailure(parsed.error, text, position) };
  }
  let facts = survey(parsed.program, text);
  if (facts.typeArguments && !parsed.typescript) {
    const typed = parseTypes(text);
    if ('program' in typed) {
      parsed = typed;
      facts = survey(typed.program, text);
    }
  }
  const refused = refusedSyntax(facts, text);
  if (refused)
    return { failure: { code: 'syntax_error', name: 'SyntaxError', message: refused.message, site: position(refused.offset) } };
  return { unwrapped, program: parsed.program, facts, typescript: parsed.typescript, position };
}
