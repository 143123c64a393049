import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { SchemaValue } from './json-schema-types.ts';

/** JSON Schema as plain data: draft-04, -06, -07, 2019-09 or 2020-12. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** A validator of any library that implements Standard Schema (zod, valibot, arktype …), or JSON Schema. */
export type ToolSchema<T = unknown> = StandardSchemaV1<any, T> | JsonSchema;

/** What a tool does to the world, weakest first. */
export type Risk = 'read' | 'write' | 'danger';

/** Hints as MCP defines them. Those of an untrusted source may raise the risk, never lower it. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Where a tool comes from. Only `app` tools are trusted without `trust`. */
export interface ToolOrigin {
  readonly kind: 'app' | 'mcp' | 'webmcp';
  /** Name of the server; namespaces the tool. */
  readonly server?: string;
}

export interface Progress {
  readonly done?: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a handler gets beside its input. */
export interface ToolCallContext<C = unknown> {
  readonly callId: string;
  readonly runId: string;
  readonly sessionId: string;
  /** The application's own context (user, tenant …); never seen by program, journal or model. */
  readonly context: C;
  /** Aborted when the run is cancelled, fails or the call times out. */
  readonly signal: AbortSignal;
  /** Shows progress in the trace; coalesced to four a second. */
  report(progress: Progress): void;
}

/**
 * One thing a program can call. `execute` runs on the page (or the Node host), never in the sandbox, and gets an input
 * that its `inputSchema` accepted.
 */
export interface Tool<I = any, O = any, C = any> {
  /** Any non-empty text of at most 256 characters; programs reach it as `tools['name']` and as an identifier. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Absent or `{}`: everything is accepted. A call without an argument gives the handler `{}`. */
  readonly inputSchema?: ToolSchema<I>;
  readonly outputSchema?: ToolSchema<O>;
  readonly annotations?: ToolAnnotations;
  /** Overrides what the annotations say. @default from trusted annotations, else 'write' */
  readonly risk?: Risk;
  /** A person must allow the call (of this input). A floor: no rule and no callback waives it. @default false, true for `danger` */
  readonly needsApproval?: boolean | ((input: I, context: C) => boolean | Promise<boolean>);
  /** Accepted for `needsApproval`. */
  readonly requiresApproval?: boolean | ((input: I, context: C) => boolean | Promise<boolean>);
  /** The question of the approval dialog, in the application's words: "Refund 12.00 EUR to order #7?" */
  readonly describeCall?: (input: I) => string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly origin?: ToolOrigin;
  execute(input: I, call: ToolCallContext<C>): O | Promise<O>;
  /** Takes a call back that gave `output`; `session.undo` calls it, asked about like the tool itself. Absent: it cannot be undone. */
  revert?(input: I, output: O, call: ToolCallContext<C>): void | Promise<void>;
}

/** A tool set: an array, a record (key = name where the tool has none), or a function of the context. */
export type ToolSource<C = any> =
  | readonly Tool<any, any, C>[]
  | Readonly<Record<string, Omit<Tool<any, any, C>, 'name'> & { readonly name?: string }>>
  | ((context: C) => readonly Tool<any, any, C>[] | Promise<readonly Tool<any, any, C>[]>);

/** Which tools of the source a session offers. All given conditions must hold. */
export type ToolSelector<C = any> =
  | ((tool: Tool<any, any, C>, context: C) => boolean)
  | {
      /** Name patterns with `*`: `'orders.*'`. */
      readonly include?: readonly string[];
      readonly exclude?: readonly string[];
      /** Offer at most this risk. */
      readonly maxRisk?: Risk;
    };

/** A tool as it is written down: the type of its input comes from its schema. */
export type ToolDefinition<S, O, C> = Omit<Tool<SchemaValue<S>, O, C>, 'inputSchema'> & { readonly inputSchema?: S };

/**
 * Keeps the types of input, output and context together: the input's from a schema of zod, valibot … or a JSON Schema written in
 * place, the output's from `outputSchema` or from what `execute` returns. `defineTool<Input, Output>(…)` states them instead.
 * Checks nothing; `createCodeMode` does.
 */
// The fourth parameter only tells the forms apart: types that are stated are two or three.
export function defineTool<const S extends ToolSchema, O, C, _Inferred>(
  tool: ToolDefinition<S, O, C>,
): Tool<SchemaValue<S>, O, C>;
export function defineTool<I, O, C = unknown>(tool: Tool<I, O, C>): Tool<I, O, C>;
export function defineTool(tool: Tool): Tool {
  return tool;
}
