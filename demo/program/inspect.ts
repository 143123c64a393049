/** Forms of a program's value for the result pane. Pure. */

export type Cell = string;

/** A value as something to look at. */
export type Shape =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Cell[])[];
      readonly more: number;
    }
  | { readonly kind: 'list'; readonly items: readonly Cell[]; readonly more: number }
  | { readonly kind: 'record'; readonly entries: readonly (readonly [key: string, shape: Shape])[] };

/** Rows a table or list shows; the JSON tab has all of them. */
export const MAX_ROWS = 100;

/** Columns above this make a table unreadable. */
const MAX_COLUMNS = 8;

export function shapeOf(value: unknown, depth = 0): Shape {
  if (value === undefined) return { kind: 'nothing' };
  if (Array.isArray(value)) return shapeOfArray(value);
  if (isRecord(value) && depth < 2) {
    return { kind: 'record', entries: Object.entries(value).map(([key, part]) => [key, shapeOf(part, depth + 1)] as const) };
  }
  return { kind: 'text', text: cellOf(value) };
}

function shapeOfArray(items: readonly unknown[]): Shape {
  if (items.length === 0) return { kind: 'text', text: 'an empty list' };
  const shown = items.slice(0, MAX_ROWS);
  const more = items.length - shown.length;
  const columns = [...new Set(shown.flatMap((item) => (isRecord(item) ? Object.keys(item) : [])))];
  if (shown.every(isRecord) && columns.length > 0 && columns.length <= MAX_COLUMNS) {
    const rows = shown.map((item) => columns.map((column) => (column in item ? cellOf(item[column]) : '')));
    return { kind: 'table', columns, rows, more };
  }
  return { kind: 'list', items: shown.map(cellOf), more };
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'string') return value;
  if (value === undefined || typeof value === 'number' || typeof value === 'bigint') return String(value);
  return jsonOf(value, 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const parent: unknown = Object.getPrototypeOf(value);
  return parent === Object.prototype || parent === null;
}

/** JSON where there is one; what JSON lacks is named, not lost. */
export function jsonOf(value: unknown, indent = 2): string {
  if (value === undefined) return 'undefined';
  try {
    return JSON.stringify(value, plain, indent) ?? String(value);
  } catch {
    return 'This value refers to itself and has no JSON form.';
  }
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, part]) => [String(key), part as unknown]));
  if (value instanceof Set) return [...value] as unknown[];
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof RegExp) return String(value);
  return value;
}

/** `0.41 s`, `12 ms`. */
export function duration(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
