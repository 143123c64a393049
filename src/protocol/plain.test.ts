import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { decode, encode } from './codec.ts';
import { toModelJson } from './plain.ts';

vi.setConfig({ testTimeout: 30_000 });

describe('toModelJson', () => {
  it('writes what JSON lacks as a reader expects it', () => {
    const value = {
      when: new Date(0),
      never: new Date(NaN),
      gone: undefined,
      list: [1, undefined, null],
      big: 12345678901234567890n,
      odd: [NaN, Infinity, -Infinity, -0],
      names: new Map([['a', 1]]),
      pairs: new Map<unknown, unknown>([
        [1, 'x'],
        [{ k: 1 }, undefined],
      ]),
      set: new Set([1, 'a']),
      bytes: new Int8Array([-1, 127]),
      buffer: new Uint8Array([1, 2]).buffer,
      pattern: /a+/gi,
      error: Object.assign(new TypeError('bad', { cause: new Error('why') }), { code: 7 }),
    };
    const plain = toModelJson(value);
    expect(plain).toEqual({
      when: '1970-01-01T00:00:00.000Z',
      never: 'Invalid Date',
      list: [1, null, null],
      big: '12345678901234567890',
      odd: ['NaN', 'Infinity', '-Infinity', 0],
      names: { a: 1 },
      pairs: [
        [1, 'x'],
        [{ k: 1 }, null],
      ],
      set: [1, 'a'],
      bytes: [-1, 127],
      buffer: [1, 2],
      pattern: '/a+/gi',
      error: { name: 'TypeError', message: 'bad', code: 7, cause: { name: 'Error', message: 'why' } },
    });
    expect(Object.keys(plain as object)).not.toContain('gone');
    expect(toModelJson(undefined)).toBe(null);
  });

  it('names the path of a cycle and writes shared data out', () => {
    const a: Record<string, unknown> = { name: 'root', items: [{ n: 1 }] };
    a.self = a;
    (a.items as unknown[]).push((a.items as unknown[])[0], a.items);
    expect(toModelJson(a)).toEqual({ name: 'root', items: [{ n: 1 }, { n: 1 }, '[Circular $.items]'], self: '[Circular $]' });
  });

  it('stays small for a graph of 2^40 paths', () => {
    let node: unknown = { leaf: true };
    for (let i = 0; i < 40; i++) node = [node, node];
    const text = JSON.stringify(toModelJson(node, { maxNodes: 1000 }));
    expect(text.length).toBeLessThan(100_000);
    expect(text).toContain('[Same as $');
  });

  it('cuts long typed arrays with a marker and keeps __proto__ as data', () => {
    const shown = toModelJson(new Uint8Array(5000)) as unknown[];
    expect(shown.length).toBe(1001);
    expect(shown.at(-1)).toBe('[4000 more of 5000]');
    const odd = toModelJson(JSON.parse('{"__proto__":{"a":1}}')) as object;
    expect(JSON.stringify(odd)).toBe('{"__proto__":{"a":1}}');
  });

  it('leaves JSON values exactly as they are', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary' }),
        (value) => JSON.stringify(toModelJson(value)) === JSON.stringify(value),
      ),
    );
  });

  it('gives something JSON can write for every decoded value', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withBoxedValues: true,
      withNullPrototype: true,
    });
    fc.assert(fc.property(anything, (value) => typeof JSON.stringify(toModelJson(decode(encode(value)))) === 'string'));
  });
});
