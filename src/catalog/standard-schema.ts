/** Schemas of other libraries (zod, valibot, arktype …) through the Standard Schema interface; none of them is imported. */
import type { StandardSchemaV1 } from '@standard-schema/spec';

export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as { '~standard'?: unknown })['~standard'] as { validate?: unknown } | undefined;
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}

/**
 * The JSON Schema that the library itself gives (Standard JSON Schema, or zod 4's own method), or undefined. Parts that JSON
 * Schema cannot say become "anything"; dates become texts of the format date-time.
 */
export function jsonSchemaOf(schema: StandardSchemaV1, side: 'input' | 'output'): unknown {
  const options = { unrepresentable: 'any', override: describeDate };
  const standard = schema['~standard'] as { jsonSchema?: Partial<Record<'input' | 'output', (options: object) => unknown>> };
  const method = (schema as { toJSONSchema?: (options: object) => unknown }).toJSONSchema;
  const attempts = [
    () => standard.jsonSchema?.[side]?.({ target: 'draft-2020-12', libraryOptions: options }),
    () => standard.jsonSchema?.[side]?.({ target: 'draft-07' }),
    () => (typeof method === 'function' ? method.call(schema, { ...options, io: side }) : undefined),
  ];
  for (const attempt of attempts) {
    try {
      const result = attempt();
      if (result !== undefined) return result;
    } catch {
      // The next way may do; without any the library still validates, only the signature stays open.
    }
  }
  return undefined;
}

/** zod's hook for a part it cannot say. */
function describeDate(part: { zodSchema?: { _zod?: { def?: { type?: string } } }; jsonSchema?: Record<string, unknown> }): void {
  if (part.zodSchema?._zod?.def?.type !== 'date' || !part.jsonSchema) return;
  part.jsonSchema.type = 'string';
  part.jsonSchema.format = 'date-time';
}
