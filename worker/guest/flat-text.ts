/** The fast way for the inputs that most calls have. */
import { getPrototypeOf, keys, objectPrototype, stringify } from './primordials.ts';
import { maxInputBytes } from './run.ts';

const MAX_FLAT = 16;

/** The text of what most inputs are, a few plain fields, at a third of the codec's cost; undefined: ask the codec. */
export function flatText(input: unknown): string | undefined {
  if (input === undefined) return '{}';
  if (typeof input !== 'object' || input === null || getPrototypeOf(input) !== objectPrototype) return undefined;
  if ('toJSON' in objectPrototype) return undefined;
  const names = keys(input);
  if (names.length > MAX_FLAT) return undefined;
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    if (name === '$t' || name === 'toJSON' || !isFlat((input as Record<string, unknown>)[name])) return undefined;
  }
  try {
    const text = stringify(input);
    return text.length * 3 > maxInputBytes ? undefined : text;
  } catch {
    // Setters on `Array.prototype` get in its way. The codec writes such values itself.
    return undefined;
  }
}

/** What `JSON.stringify` writes as the codec does. It leaves out undefined fields, as inputs want it. */
function isFlat(value: unknown): boolean {
  const type = typeof value;
  if (type === 'number') return (value as number) - (value as number) === 0 && (value !== 0 || 1 / (value as number) > 0);
  return type === 'string' || type === 'boolean' || type === 'undefined' || value === null;
}
