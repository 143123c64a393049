/** Finds references that lead back to themselves without going a step into the value: no value can ever be checked against them. */
import { isSchemaObject } from './schema-keywords.ts';
import type { JsonSchema } from './tool.ts';

type Raw = Record<string, unknown>;

const IN_PLACE = ['if', 'then', 'else', 'not'] as const;
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'] as const;

/** The `$ref` that closes such a loop in a normalized schema, or undefined. */
export function findEndlessReference(root: JsonSchema): string | undefined {
  const done = new Set<Raw>();
  const open = new Set<Raw>();

  function visit(schema: unknown): string | undefined {
    if (!isSchemaObject(schema) || done.has(schema)) return undefined;
    open.add(schema);
    const found = ownReference(schema) ?? first(inPlaceParts(schema), visit);
    open.delete(schema);
    done.add(schema);
    return found;
  }

  function ownReference(schema: Raw): string | undefined {
    if (typeof schema.$ref !== 'string') return undefined;
    const target = resolveLocal(root, schema.$ref);
    if (isSchemaObject(target) && open.has(target)) return schema.$ref;
    return visit(target);
  }

  const defs = isSchemaObject(root) && isSchemaObject(root.$defs) ? Object.values(root.$defs) : [];
  return first([root, ...defs], visit);
}

/** What a reference of a normalized schema (`#` or `#/$defs/Name`) means. */
export function resolveLocal(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (ref === '#') return root;
  if (!isSchemaObject(root) || !isSchemaObject(root.$defs)) return undefined;
  const name = ref.slice('#/$defs/'.length);
  return Object.hasOwn(root.$defs, name) ? (root.$defs[name] as JsonSchema) : undefined;
}

function inPlaceParts(schema: Raw): unknown[] {
  const lists = IN_PLACE_LISTS.flatMap((key) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []));
  return [...IN_PLACE.map((key) => schema[key]), ...lists];
}

function first(items: readonly unknown[], find: (item: unknown) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
