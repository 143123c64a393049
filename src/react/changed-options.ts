import type { CodeModeOptions } from '../session/types.ts';

/**
 * The options that differ from the ones before, or `undefined`. Tools count as the same when each field of each tool is:
 * a component that builds its list anew in every render, from the same parts, changes nothing.
 */
export function changedOptions(before: CodeModeOptions, after: CodeModeOptions): Partial<CodeModeOptions> | undefined {
  const changed: Record<string, unknown> = {};
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof CodeModeOptions>;
  for (const key of keys) if (!sameOption(before[key], after[key])) changed[key] = after[key];
  return Object.keys(changed).length > 0 ? changed : undefined;
}

function sameOption(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || sameFields(a, b, (x, y) => Object.is(x, y) || sameFields(x, y, Object.is));
}

function sameFields(a: unknown, b: unknown, same: (x: unknown, y: unknown) => boolean): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b) || !isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && same((a as never)[key], (b as never)[key]));
}

/** Class instances (an executor, a schema of a library) are compared by identity only. */
function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
