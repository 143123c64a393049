import { isPlainObject, MASK, pathKey, type SecretPaths } from '../../journal/secrets.ts';

/** What one value is, for a row of a form. Containers are opened by the view, leaves are text. */
export type ValueShape =
  | { readonly kind: 'leaf'; readonly type: string; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'list' | 'record' | 'map' | 'set';
      readonly entries: readonly (readonly [key: string | number, value: unknown])[];
      readonly label: string;
    };

/** Shape of a decoded value: JSON and everything else that crosses the border (Date, Map, Set, bytes, errors …). */
export function shapeOf(value: unknown): ValueShape {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (Array.isArray(value))
    return { kind: 'list', entries: value.map((item: unknown, at) => [at, item] as const), label: 'list' };
  if (value instanceof Map)
    return {
      kind: 'map',
      entries: [...value].map(([key, item]) => [typeof key === 'string' ? key : compact(key, 60), item] as const),
      label: 'Map',
    };
  if (value instanceof Set)
    return { kind: 'set', entries: [...value].map((item: unknown, at) => [at, item] as const), label: 'Set' };
  if (isPlainObject(value)) return { kind: 'record', entries: Object.entries(value), label: 'record' };
  return { kind: 'leaf', type: typeName(value), text: leafText(value) };
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value;
}

function leafText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof ArrayBuffer) return `ArrayBuffer (${value.byteLength} bytes)`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} (${value.byteLength} bytes)`;
  if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) return Object.prototype.toString.call(value);
  return String(value);
}

/**
 * One short line for a trace row: `{ page: 1, filter: { … } }`. Never longer than `limit` characters; secrets masked.
 * @param limit characters @default 80
 */
export function compact(value: unknown, limit = 80, secrets?: SecretPaths): string {
  const text = short(value, limit, 0, secrets, []);
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

function short(
  value: unknown,
  room: number,
  depth: number,
  secrets: SecretPaths | undefined,
  path: readonly (string | number)[],
): string {
  if (secrets?.has(pathKey(path))) return MASK;
  const shape = shapeOf(value);
  if (shape.kind === 'text') return JSON.stringify(shape.text.length > room ? `${shape.text.slice(0, room)}…` : shape.text);
  if (shape.kind === 'leaf') return shape.text;
  const [open, close] = shape.kind === 'list' ? ['[', ']'] : shape.kind === 'record' ? ['{', '}'] : [`${shape.label} {`, '}'];
  if (shape.entries.length === 0) return open + close;
  if (depth > 1) return `${open} … ${close}`;
  const parts: string[] = [];
  let used = 4;
  for (const [key, item] of shape.entries) {
    if (used > room) {
      parts.push('…');
      break;
    }
    const inner = short(item, room - used, depth + 1, secrets, [...path, key]);
    const part = shape.kind === 'list' || shape.kind === 'set' ? inner : `${key}: ${inner}`;
    parts.push(part);
    used += part.length + 2;
  }
  return `${open} ${parts.join(', ')} ${close}`;
}

/** What came back, in a word where a word says more: `100 rows`, else the compact value. */
export function summarize(
  value: unknown,
  words: { readonly rows: (count: number) => string },
  limit = 60,
  secrets?: SecretPaths,
): string {
  if (Array.isArray(value) && value.length > 3) return words.rows(value.length);
  return compact(value, limit, secrets);
}

/** Pretty JSON of plain data, or `undefined` where JSON would change the value. */
export function plainJson(value: unknown): string | undefined {
  return isJson(value, new Set()) ? JSON.stringify(value, null, 2) : undefined;
}

function isJson(value: unknown, above: Set<object>): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || above.has(value)) return false;
  if (!Array.isArray(value) && !isPlainObject(value)) return false;
  above.add(value);
  const ok = Object.values(value).every((item) => isJson(item, above));
  above.delete(value);
  return ok;
}
