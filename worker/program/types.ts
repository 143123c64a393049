/** What `normalise` gives: a program the engine can evaluate, or why there is none. */
import type { ProgramFailure, SourcePosition, Warning } from '../../src/protocol/wire.ts';

export interface NormaliseOptions {
  /** `session`: top-level `let`, `const` and `class` become redeclarable and persist, as in a developer console. @default 'run' */
  readonly state?: 'run' | 'session';
}

/** The shape the model chose; for traces and tests, nothing depends on it. */
export type ProgramForm =
  /** Ordinary statements. */
  | 'statements'
  /** One function or arrow expression; it is called. */
  | 'function'
  /** Only declarations; `main` or the single function is called. */
  | 'declarations'
  /** `export default …`. */
  | 'module'
  /** Comments only. */
  | 'empty';

export interface NormalisedProgram {
  readonly ok: true;
  /** For `ctx.evalCode(code, 'program.js', 128)`: sloppy script, top-level await, completion value. */
  readonly code: string;
  readonly form: ProgramForm;
  /** If the completion value is a function, call it once without arguments; its return value is the completion value. */
  readonly callCompletion: boolean;
  /** False: the program has no value, whatever the completion value is. */
  readonly hasValue: boolean;
  /** Names the program uses without declaring them, sorted: the bare aliases to bind. */
  readonly freeIdentifiers: readonly string[];
  /** True when type syntax was removed. */
  readonly typescript: boolean;
  readonly warnings: readonly Warning[];
  /** Places of calls that were written into the calls, `line:column` of the text the model wrote. */
  readonly callSites: ReadonlySet<string>;
  /**
   * Position in the text the model wrote, for a position the engine reported in `code`.
   * `line` is 1-based; `column` is 1-based and counts code points, as the engine does. Out of range is clamped.
   */
  toSource(line: number, column: number): SourcePosition;
}

export type Normalised = NormalisedProgram | { readonly ok: false; readonly failure: ProgramFailure };
