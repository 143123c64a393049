import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collapsedPaths } from './collapse.ts';
import { compact, shapeOf, summarize } from './describe-value.ts';
import { pathKey, secretPaths } from '../../journal/secrets.ts';

describe('compact', () => {
  it('writes small values as a program would', () => {
    expect(compact({ page: 1, filter: { late: true } })).toBe('{ page: 1, filter: { late: true } }');
    expect(compact([])).toBe('[]');
    expect(compact('a')).toBe('"a"');
    expect(compact(-0)).toBe('-0');
    expect(compact(12n)).toBe('12n');
  });

  it('masks secrets', () => {
    const value = { password: 'hunter2' };
    expect(compact(value, 80, secretPaths(value))).toBe('{ password: •••••••• }');
  });

  it('never exceeds its length and never throws', () => {
    fc.assert(
      fc.property(
        fc.anything({ withDate: true, withMap: true, withSet: true, withBigInt: true, withTypedArray: true }),
        fc.integer({ min: 10, max: 200 }),
        (value, limit) => {
          expect(compact(value, limit).length).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });

  it('stops in cycles', () => {
    const value: unknown[] = [];
    value.push(value);
    expect(compact(value)).toBe('[ [ [ … ] ] ]');
  });
});

describe('summarize', () => {
  it('counts rows of a list', () => {
    expect(summarize([1, 2, 3, 4], { rows: (count) => `${count} rows` })).toBe('4 rows');
  });
});

describe('shapeOf', () => {
  it('tells what JSON cannot', () => {
    expect(shapeOf(new Date(0))).toMatchObject({ kind: 'leaf', type: 'Date', text: '1970-01-01T00:00:00.000Z' });
    expect(shapeOf(new Map([['a', 1]]))).toMatchObject({ kind: 'map', entries: [['a', 1]] });
    expect(shapeOf(new Uint8Array(3))).toMatchObject({ kind: 'leaf', text: 'Uint8Array (3 bytes)' });
    expect(shapeOf(undefined)).toMatchObject({ text: 'undefined' });
  });
});

describe('collapsedPaths', () => {
  it('lists every place that starts closed, also inside of closed ones', () => {
    const long = 'x'.repeat(401);
    const value = { short: 'x', long, many: Array.from({ length: 21 }, (_, at) => (at === 20 ? long : at)), few: [1, 2] };
    expect(collapsedPaths(value, new Set())).toEqual([pathKey(['long']), pathKey(['many']), pathKey(['many', 20])]);
  });

  it('counts lines as well as characters', () => {
    expect(collapsedPaths({ text: 'a\n'.repeat(9) }, new Set())).toHaveLength(1);
    expect(collapsedPaths({ text: 'a\n'.repeat(7) }, new Set())).toHaveLength(0);
  });
});
