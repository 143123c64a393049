/** One tool schema of any kind, compiled: its JSON Schema for the model, and a validator. */
import type { SchemaIssue, Validation } from './catalog.ts';
import { lazyValidator } from './load-catalog-runtime.ts';
import { normalizeSchema, SchemaProblem } from './normalize-schema.ts';
import { findEndlessReference } from './schema-loops.ts';
import { isStandardSchema, jsonSchemaOf } from './standard-schema.ts';
import type { JsonSchema } from './tool.ts';

export interface CompiledSchema {
  /** In normal form (2020-12, local references). Undefined when a library gives none: then only it knows what fits. */
  readonly jsonSchema?: JsonSchema;
  /** Never throws, never rejects. */
  validate(value: unknown): Validation | Promise<Validation>;
}

/** @throws SchemaProblem when it is neither a Standard Schema nor a usable JSON Schema. */
export function compileSchema(schema: unknown, side: 'input' | 'output'): CompiledSchema {
  if (isStandardSchema(schema)) {
    return {
      jsonSchema: describe(jsonSchemaOf(schema, side)),
      validate: lazyValidator(({ createStandardValidator }) => createStandardValidator(schema)),
    };
  }
  const jsonSchema = normalizeSchema(schema);
  const endless = findEndlessReference(jsonSchema);
  if (endless !== undefined) {
    throw new SchemaProblem(
      endless === '#' ? '' : endless.slice(1),
      'it refers to itself without going into the value, so nothing can be checked against it',
    );
  }
  return { jsonSchema, validate: lazyValidator(({ createJsonValidator }) => createJsonValidator(jsonSchema)) };
}

/** A library's own JSON Schema only describes; when it is unusable the tool still works. */
function describe(given: unknown): JsonSchema | undefined {
  if (given === undefined) return undefined;
  try {
    const schema = normalizeSchema(given);
    return findEndlessReference(schema) === undefined ? schema : undefined;
  } catch {
    return undefined;
  }
}

/** One line for errors, with its end mark: `lines[1].qty must be number, got string; currency is required.` */
export function issuesText(issues: readonly SchemaIssue[]): string {
  const text = issues.map((issue) => issue.message).join('; ');
  return text.endsWith('?') ? text : `${text}.`;
}
