import { isPlainObject } from '../../journal/secrets.ts';

/** One place where two values differ; a side is absent where the place does not exist. */
export interface ValueChange {
  readonly path: readonly (string | number)[];
  readonly before?: { readonly value: unknown };
  readonly after?: { readonly value: unknown };
}

/** Places where two JSON values differ, deepest first where both sides have the container. */
export function diffValues(before: unknown, after: unknown, path: readonly (string | number)[] = []): ValueChange[] {
  if (Object.is(before, after)) return [];
  const lists = Array.isArray(before) && Array.isArray(after);
  if (!lists && !(isPlainObject(before) && isPlainObject(after)))
    return [{ path, before: { value: before }, after: { value: after } }];
  const left = before as Record<string, unknown>;
  const right = after as Record<string, unknown>;
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return keys.flatMap((key): ValueChange[] => {
    const at = [...path, lists ? Number(key) : key];
    if (!Object.hasOwn(right, key)) return [{ path: at, before: { value: left[key] } }];
    if (!Object.hasOwn(left, key)) return [{ path: at, after: { value: right[key] } }];
    return diffValues(left[key], right[key], at);
  });
}

/** `lines[1].qty`; the whole value is `input`. */
export function pathText(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'input';
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');
}
