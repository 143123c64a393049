import { MASK, pathKey, type SecretPaths } from '../../journal/secrets.ts';
import { shapeOf } from './describe-value.ts';

/** A shorter secret stands in too much else. */
const MIN_CHARS = 4;

/** A program's text with the secrets of an input masked wherever the program spells them out. Lines stay lines. */
export function withoutSecrets(source: string, value: unknown, secrets: SecretPaths): string {
  if (secrets.size === 0) return source;
  const texts = new Set<string>();
  collect(value, [], secrets, texts, new Set());
  return [...texts].toSorted((a, b) => b.length - a.length).reduce((text, secret) => text.replaceAll(secret, MASK), source);
}

function collect(
  value: unknown,
  path: readonly (string | number)[],
  secrets: SecretPaths,
  texts: Set<string>,
  above: Set<object>,
): void {
  if (secrets.has(pathKey(path))) {
    const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
    if (typeof text === 'string' && text.length >= MIN_CHARS && !text.includes('\n')) texts.add(text);
    return;
  }
  const shape = shapeOf(value);
  if (shape.kind === 'text' || shape.kind === 'leaf' || above.has(value as object)) return;
  above.add(value as object);
  for (const [key, item] of shape.entries) collect(item, [...path, key], secrets, texts, above);
  above.delete(value as object);
}
