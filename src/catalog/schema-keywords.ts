/** Which keywords of JSON Schema hold schemas, in the drafts 04 to 2020-12 (json-schema.org, sections "applicator" of each). */

/** Keywords whose value is one schema. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Keywords whose value is a list of schemas. `items` is one in drafts before 2020-12. */
export const SCHEMA_LIST_KEYWORDS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);

/** Keywords whose value maps names to schemas. `dependencies` also holds lists of names. */
export const SCHEMA_MAP_KEYWORDS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Keywords whose value must be a number. */
export const NUMBER_KEYWORDS: ReadonlySet<string> = new Set([
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
]);

/** Keywords that only describe; kept for the model and for forms, as far as JSON can say them. */
export const ANNOTATION_KEYWORDS: ReadonlySet<string> = new Set([
  'contentEncoding',
  'contentMediaType',
  'default',
  'deprecated',
  'description',
  'example',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

/** The seven type words of JSON Schema. */
export const TYPE_WORDS: ReadonlySet<string> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** True for `{…}` of any prototype, not for lists, null and functions. */
export function isSchemaObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One step of a JSON pointer (RFC 6901). */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Calls `visit` with every schema directly inside of `schema`. */
export function eachSubschema(schema: Record<string, unknown>, visit: (child: unknown) => void): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (SCHEMA_LIST_KEYWORDS.has(keyword) && Array.isArray(value)) value.forEach(visit);
    else if (SCHEMA_KEYWORDS.has(keyword)) visit(value);
    else if (SCHEMA_MAP_KEYWORDS.has(keyword) && isSchemaObject(value)) {
      for (const child of Object.values(value)) if (!Array.isArray(child)) visit(child);
    }
  }
}
