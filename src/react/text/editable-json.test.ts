import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffValues, pathText } from './diff-values.ts';
import { editableJson } from './editable-json.ts';
import { secretPaths } from '../../journal/secrets.ts';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('editableJson', () => {
  it('gives any JSON input back unchanged when nothing was edited', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const value = plain(given);
        const editable = editableJson(value, secretPaths(value));
        if (!editable) return; // -0 and the like
        expect(editable.restore(JSON.parse(editable.text))).toEqual(value ?? {});
      }),
    );
  });

  it('never shows a secret and puts it back wherever its marker went', () => {
    const value = { password: 'hunter2', to: 'a' };
    const editable = editableJson(value, secretPaths(value))!;
    expect(editable.text).not.toContain('hunter2');
    expect(editable.hidden).toBe(1);
    expect(editable.restore({ login: { password: '«hidden 1»' } })).toEqual({ login: { password: 'hunter2' } });
    expect(editable.restore({ password: 'new' })).toEqual({ password: 'new' });
  });

  it.each([[new Date(0)], [{ when: new Date(0) }], [{ n: 1n }], [{ n: Number.NaN }], [new Map()], [{ u: undefined }]])(
    'refuses what JSON would change: %s',
    (value) => expect(editableJson(value, new Set())).toBeUndefined(),
  );
});

describe('diffValues', () => {
  it('names each place that changed', () => {
    const changes = diffValues({ a: 1, gone: true, lines: [{ qty: 1 }] }, { a: 2, lines: [{ qty: 3 }], fresh: null });
    expect(changes.map(({ path }) => pathText(path))).toEqual(['a', 'gone', 'lines[0].qty', 'fresh']);
    expect(changes[1]).toEqual({ path: ['gone'], before: { value: true } });
    expect(changes[3]).toEqual({ path: ['fresh'], after: { value: null } });
  });

  it('finds nothing between equal values and something between different ones', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [left, right] = [plain(a), plain(b)];
        expect(diffValues(left, plain(left))).toEqual([]);
        expect(diffValues(left, right).length === 0).toBe(JSON.stringify(sorted(left)) === JSON.stringify(sorted(right)));
      }),
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { entries: entries.map(([key, item]) => [key, sorted(item)]) };
}
