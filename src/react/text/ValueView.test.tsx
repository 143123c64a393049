// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultLabels } from '../labels.ts';
import { pathKey, secretPaths } from '../../journal/secrets.ts';
import { ValueView } from './ValueView.tsx';

afterEach(cleanup);

function show(value: unknown, opened: readonly string[] = []): string {
  const view = render(
    <ValueView value={value} labels={defaultLabels} secrets={secretPaths(value)} opened={new Set(opened)} onToggle={() => {}} />,
  );
  return view.container.textContent;
}

describe('ValueView', () => {
  it('shows values that JSON has no words for', () => {
    expect(
      show({ when: new Date(0), big: 12n, seen: new Set(['a']), by: new Map([['k', 1]]), nothing: undefined, minus: -0 }),
    ).toBe('when1970-01-01T00:00:00.000Zbig12nseen0abyk1nothingundefinedminus-0');
  });

  it('opens a list of thousands as one text, secrets still masked', () => {
    const value = Array.from({ length: 5_000 }, (_, id) => ({ id, password: 'hunter2' }));
    expect(show(value)).toBe('5,000 entriesOpen');
    cleanup();
    const text = show(value, [pathKey([])]);
    expect(text).toContain('"id": 4999');
    expect(text).not.toContain('hunter2');
    expect(document.querySelectorAll('*').length).toBeLessThan(20);
  });

  it('opens a map of thousands as one text, too', () => {
    const text = show(new Map(Array.from({ length: 600 }, (_, at) => [`key${at}`, BigInt(at)])), [pathKey([])]);
    expect(text).toContain('key599: 599n');
  });

  it('masks inside of maps and sets', () => {
    const text = show({ map: new Map([['password', 'hunter2']]), set: new Set([{ apiKey: 'hunter3' }]) });
    expect(text).not.toMatch(/hunter/);
    expect(text.match(/masked, 7 characters/g)).toHaveLength(2);
  });

  it('isolates every text from its surroundings', () => {
    show({ a: 'left', b: 'يمين' });
    expect(document.querySelectorAll('dd bdi')).toHaveLength(2);
  });

  it('keeps plain lists and the plain records of a list in their row, and gives all else a place of its own', () => {
    show({ to: ['a', 'b'], rows: [{ id: 1, sum: 2 }], deep: { body: 'x'.repeat(90) }, none: [] });
    const rows = [...document.querySelectorAll<HTMLElement>('.cm-field')].map((row) => [
      row.querySelector('dt')!.textContent,
      row.dataset['nested'],
    ]);
    expect(rows.filter(([, nested]) => nested !== undefined)).toEqual([
      ['to', 'list'],
      ['rows', 'deep'],
      ['0', 'line'],
      ['deep', 'deep'],
    ]);
  });
});
