/** Checks of single values that came from a worker. A worker is assumed breached: nothing it sends is believed. */
import type { SourcePosition } from '../protocol/wire.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A plain object as structured cloning makes it; also the prototype counts, so that no Map or Date passes. */
export function isFields(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A whole number from `least` to `most`. */
export function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** A finite number that is not negative. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
}

/** Text of at most `most` UTF-16 units. */
export function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}

/** The start of a text that only informs: a program may choose any length, nobody needs more. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** A list of at most `most` entries, all of which pass `accept`. Holes count as `undefined`. */
export function isListOf<T>(value: unknown, most: number, accept: (item: unknown) => item is T): value is readonly T[] {
  if (!Array.isArray(value) || value.length > most) return false;
  for (let index = 0; index < value.length; index++) if (!accept(value[index])) return false;
  return true;
}

/** A position in a program; a position of nowhere is `undefined`. */
export function isSite(value: unknown): value is SourcePosition | undefined {
  if (value === undefined) return true;
  return isFields(value) && isWhole(value.line, 0, MAX_POSITION) && isWhole(value.column, 0, MAX_POSITION);
}

// Programs are at most 256 KiB by default; a line or column above this is no position.
const MAX_POSITION = 1_000_000_000;
