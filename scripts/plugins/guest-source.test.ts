import { describe, expect, test } from 'vitest';
import { guestTexts, lowerTemplates } from './guest-source.ts';

describe('the prelude as text', () => {
  test('templates become additions, nested and quoted ones too', () => {
    const code = 'const f = (a, b) => `<${a}${`[${b}\\n"]`}>`; const g = `plain`; f';
    const lowered = lowerTemplates(code);
    expect(lowered).not.toContain('${');
    // oxlint-disable-next-line no-eval
    expect((0, eval)(lowered)(1, 'x')).toBe('<1[x\n"]>');
    expect(lowerTemplates('`a${b}`')).toBe('("a"+(b)+"")');
  });

  test('is one expression a part, and calls no method of a text for its templates', async () => {
    const { prelude, extras } = await guestTexts();
    for (const text of [prelude, ...Object.values(extras)]) {
      expect(text.startsWith('(function($powers){"use strict";')).toBe(true);
      expect(lowerTemplates(text)).toBe(text);
    }
    expect(Object.keys(extras).sort()).toEqual(['events', 'inspect', 'intl', 'text', 'url']);
  });
});
