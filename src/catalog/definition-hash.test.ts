import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashJson } from './definition-hash.ts';

it('is the SHA-256 of the canonical text', () => {
  const reference = createHash('sha256').update('{"a":"ä","b":[1,null]}').digest('hex');
  expect(hashJson({ b: [1, null], a: 'ä' })).toBe(reference);
});

it('ignores the order of fields, not that of lists', () => {
  expect(hashJson({ a: 1, b: [1, 2] })).toBe(hashJson({ b: [1, 2], a: 1 }));
  expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]));
  expect(hashJson([])).not.toBe(hashJson({}));
});

it('tells different values apart (property)', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.jsonValue(),
      (a, b) => (hashJson(a) === hashJson(b)) === (JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))),
    ),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  // As a list of pairs an object would pass for a list; the wrapper keeps `{}` and `[]` apart.
  return {
    fields: Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  };
}
