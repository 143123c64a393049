/** Fields of a value that its schema lets pass without knowing them: most often misspelt names. */
import type { SchemaIssue } from './catalog.ts';
import { pathText } from './pointers.ts';
import { isSchemaObject } from './schema-keywords.ts';
import { resolveLocal } from './schema-loops.ts';
import { closest } from './suggest.ts';
import type { JsonSchema } from './tool.ts';

/** With one of these a field may be known somewhere else, or any name may be meant. */
const OPEN_KEYWORDS = [
  '$dynamicRef',
  'additionalProperties',
  'allOf',
  'anyOf',
  'dependentSchemas',
  'else',
  'if',
  'oneOf',
  'patternProperties',
  'propertyNames',
  'then',
  'unevaluatedProperties',
];
const MAX_FOUND = 8;
/** Deeper nobody misspells; a value may contain itself. */
const MAX_STEPS = 40;

/** @param value plain JSON that the schema accepts */
export function unknownFields(schema: JsonSchema, value: unknown): readonly SchemaIssue[] {
  const found: SchemaIssue[] = [];
  look(schema, value, [], { root: schema, found });
  return found;
}

interface Search {
  readonly root: JsonSchema;
  readonly found: SchemaIssue[];
}

function look(given: unknown, value: unknown, path: readonly (string | number)[], search: Search): void {
  if (typeof value !== 'object' || value === null || path.length > MAX_STEPS || search.found.length >= MAX_FOUND) return;
  const schema = followed(given, search.root);
  if (!isSchemaObject(schema)) return;
  if (Array.isArray(value)) {
    value.forEach((item, i) => look(schema.items, item, [...path, i], search));
    return;
  }
  const { properties } = schema;
  if (!isSchemaObject(properties)) return;
  const isOpen = OPEN_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword));
  const known = Object.keys(properties);
  for (const [key, field] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) look(properties[key], field, [...path, key], search);
    else if (!isOpen && known.length > 0 && search.found.length < MAX_FOUND)
      search.found.push(unknown([...path, key], key, known));
  }
}

/** The schema that a chain of plain references ends at. */
function followed(given: unknown, root: JsonSchema): unknown {
  let schema = given;
  for (let hops = 0; hops < 10 && isSchemaObject(schema) && typeof schema.$ref === 'string'; hops++)
    schema = schema.$ref === '#' ? root : resolveLocal(root, schema.$ref);
  return schema;
}

function unknown(path: readonly (string | number)[], key: string, known: readonly string[]): SchemaIssue {
  const [guess] = closest(key, known, 1);
  const hint = guess === undefined ? '' : `; did you mean ${JSON.stringify(guess)}?`;
  return { path, message: `${pathText(path)} is not a known field${hint}` };
}
