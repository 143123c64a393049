import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashJson, sha256 } from './definition-hash.ts';

const reference = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

it('gives the same digests as the platform for every length around a block', () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255);
    expect(sha256(bytes)).toBe(reference(bytes));
  }
});

it('gives the same digests as the platform (property)', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => sha256(bytes) === reference(bytes)));
});

it('ignores the order of fields, not that of lists', () => {
  expect(hashJson({ a: 1, b: [1, 2] })).toBe(hashJson({ b: [1, 2], a: 1 }));
  expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]));
});
