import type { JsonSchema } from '../../catalog/tool.ts';

/** Names of fields whose text is masked where no schema says so. */
const SECRET_KEY =
  /pass(?:word|wd|phrase|code)|secret|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|(?:^|[-_])token$|[a-z]Token$|authorization|credential|(?:^|[-_])(?:pwd|cvv|cvc|pin|otp|ssn)$/i;

/** Paths as texts: `["card","cvc"]`. */
export type SecretPaths = ReadonlySet<string>;

export const pathKey = (path: readonly (string | number)[]): string => JSON.stringify(path);

/** Every field to mask: by schema (`x-sensitive`, `format: password`, `writeOnly`) first, by key second. */
export function secretPaths(value: unknown, schema?: JsonSchema): SecretPaths {
  const found = new Set<string>();
  const root = typeof schema === 'object' ? schema : undefined;
  walk(value, [], root, root, found, new Set());
  return found;
}

/** `x-sensitive: false` in a schema frees a field that its key would mask. */
function walk(
  value: unknown,
  path: (string | number)[],
  schema: Schema | undefined,
  root: Schema | undefined,
  found: Set<string>,
  seen: Set<object>,
): void {
  const rule = resolve(schema, root);
  if (rule?.['x-sensitive'] === true || rule?.['format'] === 'password') {
    found.add(pathKey(path));
    return;
  }
  const key = path.at(-1);
  if (typeof value === 'string' && typeof key === 'string' && rule?.['x-sensitive'] !== false && SECRET_KEY.test(key)) {
    if (value !== '') found.add(pathKey(path));
    return;
  }
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (Array.isArray(value)) value.forEach((item, at) => walk(item, [...path, at], asSchema(rule?.['items']), root, found, seen));
  else if (value instanceof Map)
    for (const [k, v] of value) if (typeof k === 'string') walk(v, [...path, k], undefined, root, found, seen);
  if (!Array.isArray(value) && !(value instanceof Map)) {
    const properties = asSchema(rule?.['properties']);
    for (const [name, item] of Object.entries(value)) {
      const own = properties && Object.hasOwn(properties, name) ? properties[name] : rule?.['additionalProperties'];
      walk(item, [...path, name], asSchema(own), root, found, seen);
    }
  }
}

type Schema = Readonly<Record<string, unknown>>;

const asSchema = (value: unknown): Schema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;

/** Follows `$ref: '#/…'` and looks into `allOf`, `anyOf`, `oneOf` for the annotations that matter here. */
function resolve(schema: Schema | undefined, root: Schema | undefined, depth = 0): Schema | undefined {
  if (!schema || depth > 8) return schema;
  const ref = schema['$ref'];
  if (typeof ref === 'string' && ref.startsWith('#/')) {
    let target: unknown = root;
    for (const part of ref.slice(2).split('/')) target = asSchema(target)?.[part.replace(/~1/g, '/').replace(/~0/g, '~')];
    return resolve(asSchema(target), root, depth + 1);
  }
  let merged = schema;
  for (const word of ['allOf', 'anyOf', 'oneOf']) {
    const parts = schema[word];
    if (!Array.isArray(parts)) continue;
    for (const part of parts) {
      const inner = resolve(asSchema(part), root, depth + 1);
      if (inner)
        merged = { ...inner, ...merged, properties: { ...asSchema(inner['properties']), ...asSchema(merged['properties']) } };
    }
  }
  return merged;
}

/** What a masked text looks like: its length is told, nothing else. */
export const MASK = '••••••••';

/** A copy with every secret replaced, for copy and export. */
export function masked(value: unknown, secrets: SecretPaths, path: readonly (string | number)[] = []): unknown {
  if (secrets.has(pathKey(path))) return MASK;
  if (Array.isArray(value)) return value.map((item, at) => masked(item, secrets, [...path, at]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, secrets, [...path, key])]));
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
