import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { digest, DIGEST_LENGTH } from './digest.ts';

vi.setConfig({ testTimeout: 30_000 });

const bits = (hex: string): string => [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');

describe('digest', () => {
  it('keeps its values: digests are written to journals', () => {
    expect(digest('')).toBe('051cf8838f2a4750ee848ba7da5ce104');
    expect(digest('a')).toBe('54708b50e8fca1c83bc94bfee8e94fad');
    expect(digest('{"orderId":7,"amount":12.5}')).toBe('cf3021e70e61d060f2d1b6c83288e558');
  });

  it('is 32 hexadecimal digits for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => /^[0-9a-f]{32}$/.test(digest(text)) && digest(text).length === DIGEST_LENGTH,
      ),
    );
  });

  it('differs when one unit, the length or the order differs', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.nat(), (text, n) => {
        const at = n % text.length;
        const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
        expect(digest(changed)).not.toBe(digest(text));
        expect(digest(`${text}\0`)).not.toBe(digest(text));
        expect(digest(`\0${text}`)).not.toBe(digest(text));
      }),
    );
  });

  it('gives 50,000 similar inputs 50,000 digests, in each half as well', () => {
    const whole = new Set<string>();
    const left = new Set<string>();
    const right = new Set<string>();
    for (let i = 0; i < 50_000; i++) {
      const d = digest(`{"orderId":${i},"note":"refund ${i % 97}"}`);
      whole.add(d);
      left.add(d.slice(0, 16));
      right.add(d.slice(16));
    }
    expect([whole.size, left.size, right.size]).toEqual([50_000, 50_000, 50_000]);
  });

  it('flips about half of the bits, every bit, when one bit of the text flips', () => {
    const flips = new Array<number>(128).fill(0);
    const rounds = 2000;
    for (let i = 0; i < rounds; i++) {
      const text = `row ${i} of many, at position ${i * 7}`;
      const at = i % text.length;
      const other = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << (i % 7))) + text.slice(at + 1);
      const [x, y] = [bits(digest(text)), bits(digest(other))];
      for (let b = 0; b < 128; b++) if (x[b] !== y[b]) flips[b]!++;
    }
    for (const count of flips) expect(Math.abs(count / rounds - 0.5)).toBeLessThan(0.06);
  });
});
