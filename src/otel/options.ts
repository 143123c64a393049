import type { Attributes, Context } from '@opentelemetry/api';
import type { ToolSchemas } from '../journal/run-file.ts';

/** A run, before it is exported. */
export interface RunToExport {
  readonly runId: string;
  readonly sessionId: string;
}

export interface SpanOptions {
  /**
   * What the run's span is a child of. A function is asked once a run; a live export asks it when the run begins, so that
   * `context.active()` in it is the caller's.
   * @default the active context: of the call of `exportSpans`, or live of whoever began the run
   */
  readonly parent?: Context | ((run: RunToExport) => Context | undefined);
  /** Runs to export. @default all */
  readonly filter?: (run: RunToExport) => boolean;
  /** Further attributes of each run's span: a tenant, a release. */
  readonly attributes?: Attributes;
  /**
   * Inputs, answers, the program, its value, sentences and messages of errors, too. Secrets in inputs, answers and values are
   * masked; the program and messages are as they are.
   * @default false
   */
  readonly captureContent?: boolean;
  /** A longer text is left out and named in `code_mode.content.omitted`; cut it would be no JSON, and could not be masked. @default 8192 */
  readonly maxContentChars?: number;
  /** Schemas of a tool, for masking. Without it secrets are known by the names of fields only. */
  readonly schemas?: (tool: string) => ToolSchemas | undefined;
}

/** Room for an input or a whole short program; many systems cut an attribute at 4 to 64 Ki characters. */
export const MAX_CONTENT_CHARS = 8_192;
