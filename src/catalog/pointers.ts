/** JSON pointers (RFC 6901) in values and schemas, and how paths are written for people and models. */
import { pointerStep } from './schema-keywords.ts';
import { resolveLocal } from './schema-loops.ts';
import type { JsonSchema } from './tool.ts';

export function splitPointer(pointer: string): string[] {
  const text = pointer.startsWith('#') ? pointer.slice(1) : pointer;
  if (text === '') return [];
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer of a path. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map(pointerStep).join('');
}

/** What stands at `pointer`; undefined when nothing does. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const key of splitPointer(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** What stands at `location` of a schema; the step `$ref` follows the reference. */
export function lookUp(root: JsonSchema, location: string): unknown {
  let at: unknown = root;
  for (const key of splitPointer(location)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    const next = (at as Record<string, unknown>)[key];
    at = key === '$ref' && typeof next === 'string' ? resolveLocal(root, next) : next;
  }
  return at;
}

/** The path of a pointer into `value`; positions of lists as numbers. */
export function pathAt(value: unknown, pointer: string): (string | number)[] {
  let at = value;
  return splitPointer(pointer).map((key) => {
    const step = Array.isArray(at) ? Number(key) : key;
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
    return step;
  });
}

/** `lines[1].qty`, `["a b"].c`; the root is `the input`. */
export function pathText(path: readonly (string | number)[], root = 'the input'): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text === '' ? root : text;
}
