/** The three tools a model gets, as plain definitions that any chat library takes. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema } from '../catalog/tool.ts';
import type { ContentPart } from './content-parts.ts';
import type { RunOutcome } from './types.ts';

/** Names of the arguments the model sends. `js`, `source` and `typescriptCode` are accepted for `code`. */
export interface ExecuteCodeInput {
  readonly code: string;
  readonly title?: string;
  readonly restart?: boolean;
}

export interface ModelToolCall {
  /**
   * The chat library's id of the call; becomes the run's id. Unique in the session: a repeated id runs nothing and gives the
   * first run's answer again, so that a call that is delivered twice happens once.
   */
  readonly callId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One tool for a model. `run` never throws for what a program does: the text says what went wrong and what to change. */
export interface ModelTool<I, R> {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: JsonSchema;
  /** The same as Standard Schema, for libraries that validate with it (carries its JSON Schema under `~standard`). */
  readonly inputSchema: StandardSchemaV1<unknown, I>;
  /** Bad arguments give a result that says so, too. */
  run(input: unknown, call?: ModelToolCall): Promise<R>;
}

/** Answer for the model: `text` is what it reads; the rest is for the application. */
export interface ModelResult {
  readonly ok: boolean;
  readonly text: string;
  /** Present when the program gave images or files: the text first, then them. Models that see only text lose nothing else. */
  readonly parts?: readonly ContentPart[];
  readonly outcome?: RunOutcome;
  readonly runId?: string;
}

export interface ModelTools {
  readonly getTools: ModelTool<{ query?: string; limit?: number }, ModelResult>;
  readonly getToolDefinition: ModelTool<{ name?: string; names?: readonly string[] }, ModelResult>;
  readonly executeCode: ModelTool<ExecuteCodeInput, ModelResult>;
}
