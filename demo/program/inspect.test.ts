import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_ROWS, duration, jsonOf, shapeOf } from './inspect.ts';

describe('the shape of a value', () => {
  it('is a table for rows of one kind, with every column that occurs', () => {
    expect(
      shapeOf([
        { a: 1, b: 'x' },
        { a: 2, c: null },
      ]),
    ).toEqual({
      kind: 'table',
      columns: ['a', 'b', 'c'],
      rows: [
        ['1', 'x', ''],
        ['2', '', 'null'],
      ],
      more: 0,
    });
  });

  it('is a list for anything else in an array, cut with the number that is missing', () => {
    expect(shapeOf(['a', 1, { b: 1 }])).toEqual({ kind: 'list', items: ['a', '1', '{"b":1}'], more: 0 });
    expect(shapeOf(Array.from({ length: MAX_ROWS + 7 }, () => 1))).toMatchObject({ more: 7 });
  });

  it('names the parts of an object, and says when there is no value', () => {
    expect(shapeOf({ total: 3, rows: [{ a: 1 }] })).toMatchObject({
      kind: 'record',
      entries: [
        ['total', { kind: 'text', text: '3' }],
        ['rows', { kind: 'table' }],
      ],
    });
    expect(shapeOf(undefined)).toEqual({ kind: 'nothing' });
  });

  it('exists for every value, and so does its JSON', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true, withTypedArray: true }),
        (value) => {
          expect(typeof shapeOf(value).kind).toBe('string');
          expect(typeof jsonOf(value)).toBe('string');
        },
      ),
    );
  });

  it('names what JSON lacks', () => {
    expect(jsonOf([10n, NaN, new Map([['a', 1]]), new Set([2])], 0)).toBe('["10n","NaN",{"a":1},[2]]');
    const loop: unknown[] = [];
    loop.push(loop);
    expect(jsonOf(loop)).toContain('refers to itself');
  });
});

describe('a duration', () => {
  it.each([
    [3.4, '3 ms'],
    [410, '0.41 s'],
    [12_340, '12.3 s'],
  ])('of %d ms reads %s', (ms, text) => expect(duration(ms)).toBe(text));
});
