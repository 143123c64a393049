import { expect, test } from 'vitest';
import { isEdited, titleOf } from './draft.ts';
import { EXAMPLES } from './examples.ts';

test('a run is called by its example only while the program is that example', () => {
  for (const { id, label, source } of EXAMPLES) {
    expect(titleOf({ example: id, source })).toBe(label);
    expect(isEdited({ example: id, source })).toBe(false);
    const edited = { example: id, source: `${source}\n// mine` };
    expect(titleOf(edited)).toBe('Your program');
    expect(isEdited(edited)).toBe(true);
  }
});
