import { shapeOf } from './describe-value.ts';
import { pathKey, type SecretPaths } from '../../journal/secrets.ts';

/** A text longer than this, or of more lines, is collapsed until opened. */
export const LONG_TEXT = 400;
export const LONG_LINES = 8;
/** A list or record with more entries is collapsed. */
export const MANY_ENTRIES = 20;
/** The same for the value itself, which is what one came to see. */
export const MANY_ROOT_ENTRIES = 200;
/** Values nested deeper are collapsed. */
export const DEEP = 5;

export function isLongText(text: string): boolean {
  if (text.length > LONG_TEXT) return true;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if ((lines += 1) > LONG_LINES) return true;
  return false;
}

/** @param depth 0 for the value itself */
export function isBigContainer(count: number, depth: number): boolean {
  return count > 0 && (count > (depth === 0 ? MANY_ROOT_ENTRIES : MANY_ENTRIES) || depth >= DEEP);
}

/**
 * Every place of a value that the form shows collapsed at first, nested ones included: each must be opened before
 * *Allow* works.
 */
export function collapsedPaths(value: unknown, secrets: SecretPaths): string[] {
  const found: string[] = [];
  collect(value, [], secrets, found, new Set());
  return found;
}

function collect(value: unknown, path: (string | number)[], secrets: SecretPaths, found: string[], above: Set<object>): void {
  if (secrets.has(pathKey(path))) return;
  const shape = shapeOf(value);
  if (shape.kind === 'text') {
    if (isLongText(shape.text)) found.push(pathKey(path));
    return;
  }
  if (shape.kind === 'leaf' || above.has(value as object)) return;
  if (isBigContainer(shape.entries.length, path.length)) found.push(pathKey(path));
  above.add(value as object);
  for (const [key, item] of shape.entries) collect(item, [...path, key], secrets, found, above);
  above.delete(value as object);
}

/** Characters of all texts in a value, for "14,302 characters". */
export function textLength(value: unknown, above: Set<object> = new Set()): number {
  const shape = shapeOf(value);
  if (shape.kind === 'text') return shape.text.length;
  if (shape.kind === 'leaf') return shape.text.length;
  if (above.has(value as object)) return 0;
  above.add(value as object);
  let sum = 0;
  for (const [key, item] of shape.entries) sum += String(key).length + textLength(item, above);
  above.delete(value as object);
  return sum;
}
