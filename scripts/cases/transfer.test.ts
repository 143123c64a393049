import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode, encode } from './transfer.ts';

describe('transfer', () => {
  test('brings any plain value back as it was', () => {
    const value = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true });
    fc.assert(
      fc.property(value, (given) => {
        expect(decode(encode(given))).toEqual(given);
      }),
    );
  });

  test('keeps cycles, shared references and a key named __proto__', () => {
    const shared = { n: 1 };
    const value: Record<string, unknown> = { a: shared, b: shared };
    value.self = value;
    Object.defineProperty(value, '__proto__', { value: { admin: true }, enumerable: true });
    const back = decode(encode(value)) as Record<string, unknown>;
    expect(back.self).toBe(back);
    expect(back.a).toBe(back.b);
    expect(Object.keys(back)).toContain('__proto__');
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  test('stands in for what cannot travel', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trap');
        },
      },
    );
    const back = decode(encode({ call: () => 1, odd: Symbol('x'), hostile })) as { call: unknown; odd: unknown; hostile: object };
    expect(typeof back.call).toBe('function');
    expect(typeof back.odd).toBe('symbol');
    expect(() => Object.keys(back.hostile)).toThrow('trap');
  });
});
