import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextKeys, type RowKeys } from './row-keys.ts';

const NONE: RowKeys = new Map();
const keysOf = (keys: RowKeys): number[] => [...keys.values()];

describe('elements of rows', () => {
  it('stay with rows that stay', () => {
    const before = nextKeys(NONE, ['run', 'a', 'b', 'c'], new Set(['run']));
    const after = nextKeys(before, ['run', 'b', 'c', 'd'], new Set(['run']));
    expect([after.get('b'), after.get('c')]).toEqual([before.get('b'), before.get('c')]);
    expect(keysOf(before)).not.toContain(after.get('d'));
  });

  it('are taken over in their order by the rows one jumps to', () => {
    const before = nextKeys(NONE, ['run', 'a', 'b', 'c'], new Set(['run']));
    const after = nextKeys(before, ['run', 'x', 'y', 'z', 'more'], new Set(['run']));
    expect(keysOf(after).slice(0, 4)).toEqual(keysOf(before));
    const back = nextKeys(after, ['run', 'a', 'b', 'c'], new Set(['run']));
    expect(keysOf(back)).toEqual(keysOf(before));
  });

  it('with the tab stop go to no other row, also when theirs is gone', () => {
    const before = nextKeys(NONE, ['a', 'b', 'c'], new Set(['b']));
    const after = nextKeys(before, ['x', 'y', 'z'], new Set(['b', 'y']));
    expect(keysOf(after)).not.toContain(before.get('b'));
  });

  it('are one for each row, whatever comes and goes', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));
    fc.assert(
      fc.property(fc.array(fc.tuple(ids, fc.nat(6)), { maxLength: 8 }), (sequence) => {
        let keys = NONE;
        let own: string | undefined;
        for (const [next, at] of sequence) {
          const before = own;
          own = next[at];
          keys = nextKeys(keys, next, new Set([before, own]));
          expect([...keys.keys()]).toEqual(next);
          expect(new Set(keys.values()).size).toBe(next.length);
        }
      }),
    );
  });
});
