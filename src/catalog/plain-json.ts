/** What JSON can say of a value that somebody else wrote: no functions, no cycles, no BigInt. */

const MAX_DEPTH = 100;

/** Copy of `value` as plain JSON. What JSON cannot say is left out (in lists: null); a BigInt becomes a number or a text. */
export function toPlainJson(value: unknown): unknown {
  return convert(value, new Set());
}

function convert(value: unknown, open: Set<object>): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value !== 'object') return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (open.has(value) || open.size > MAX_DEPTH) return undefined;
  open.add(value);
  const copy = Array.isArray(value) ? value.map((item) => convert(item, open) ?? null) : convertFields(value, open);
  open.delete(value);
  return copy;
}

function convertFields(value: object, open: Set<object>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const plain = convert(field, open);
    if (plain !== undefined) setOwn(copy, key, plain);
  }
  return copy;
}

/** Sets an own property, also when it is called `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

/** JSON text of plain JSON with sorted keys: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = value as Record<string, unknown>;
  const texts = Object.keys(fields)
    .filter((key) => fields[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(fields[key])}`);
  return `{${texts.join(',')}}`;
}
