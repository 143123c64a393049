/** Which fields of a value are secret, and the value without them: for views, copies and exports. */

/** A JSON Schema, as far as it matters here. */
type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** Names of fields whose text is masked where no schema says so. */
const SECRET_KEY =
  /pass(?:word|wd|phrase|code)|secret|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|(?:^|[-_])token$|[a-z]Token$|authorization|credential|(?:^|[-_])(?:pwd|cvv|cvc|pin|otp|ssn)$/i;

/** Paths as texts: `["card","cvc"]`. */
export type SecretPaths = ReadonlySet<string>;

export const pathKey = (path: readonly (string | number)[]): string => JSON.stringify(path);

const NO_SCHEMA = {};
const kept = new WeakMap<object, WeakMap<object, SecretPaths>>();

/**
 * Every field to mask: by schema (`x-sensitive`, `format: password`) first, by key second. Remembered per value, so it
 * may be asked for in every render.
 */
export function secretPaths(value: unknown, schema?: JsonSchema): SecretPaths {
  if (typeof value !== 'object' || value === null) return find(value, schema);
  const rule = typeof schema === 'object' ? schema : NO_SCHEMA;
  let bySchema = kept.get(value);
  if (!bySchema) kept.set(value, (bySchema = new WeakMap()));
  let paths = bySchema.get(rule);
  if (!paths) bySchema.set(rule, (paths = find(value, schema)));
  return paths;
}

function find(value: unknown, schema: JsonSchema | undefined): SecretPaths {
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
  /** Containers this value is inside of: a cycle ends, a value used twice is looked at twice. */
  above: Set<object>,
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
  if (typeof value !== 'object' || value === null || above.has(value)) return;
  above.add(value);
  if (Array.isArray(value) || value instanceof Set) {
    [...value].forEach((item, at) => walk(item, [...path, at], asSchema(rule?.['items']), root, found, above));
  } else if (value instanceof Map) {
    for (const [name, item] of value) if (typeof name === 'string') walk(item, [...path, name], undefined, root, found, above);
  } else {
    const properties = asSchema(rule?.['properties']);
    for (const [name, item] of Object.entries(value)) {
      const own = properties && Object.hasOwn(properties, name) ? properties[name] : rule?.['additionalProperties'];
      walk(item, [...path, name], asSchema(own), root, found, above);
    }
  }
  above.delete(value);
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
  if (value instanceof Set) return new Set([...value].map((item, at) => masked(item, secrets, [...path, at])));
  if (value instanceof Map)
    return new Map(
      [...value].map(([key, item]) => [key, typeof key === 'string' ? masked(item, secrets, [...path, key]) : item]),
    );
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, secrets, [...path, key])]));
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The beginning of a stored text that nobody decoded, secrets masked by key; empty where a schema marks any field, since
 * a text cannot be matched with it.
 */
export function safePreview(text: string, schema: JsonSchema | undefined, limit: number): string {
  if (schema !== undefined && /"x-sensitive":true|"format":"password"/.test(JSON.stringify(schema))) return '…';
  const safe = text.replace(/"((?:[^"\\]|\\.){1,80})":"((?:[^"\\]|\\.)*)("|\\?$)/g, (all, key: string) =>
    SECRET_KEY.test(key) ? `"${key}":"${MASK}"` : all,
  );
  return `${safe.slice(0, limit)}…`;
}
