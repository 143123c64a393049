import fc from 'fast-check';
import { expect, it } from 'vitest';
import { utf8Length } from './utf8.ts';

const bytes = (text: string): number => new TextEncoder().encode(text).length;

it('counts what an encoder writes, for texts of any length and with lone surrogates anywhere', () => {
  const unit = fc.oneof(fc.constantFrom('a', 'é', '…', '😀', '\ud83d', '\ude00', '\0'), fc.string({ unit: 'binary' }));
  const text = fc.array(unit, { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (short) => {
      expect(utf8Length(short)).toBe(bytes(short));
    }),
  );
  fc.assert(
    fc.property(text, text, fc.integer({ min: 16_300, max: 16_450 }), (start, end, filler) => {
      const long = start + 'x'.repeat(filler) + end + '😀'.repeat(9_000) + end;
      expect(utf8Length(long)).toBe(bytes(long));
    }),
    { numRuns: 200 },
  );
  for (const half of ['\ud83d', '\ude00']) {
    const long = half.repeat(40_000);
    expect(utf8Length(long)).toBe(120_000);
  }
});
