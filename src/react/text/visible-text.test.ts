import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldBlankLines, mixedScript, visibleParts, visibleText } from './visible-text.ts';

const HIDDEN = [
  0x202e, 0x2066, 0x200b, 0x200d, 0xad, 0x115f, 0x1160, 0x3164, 0xffa0, 0x61c, 0x200e, 0xfeff, 0x2060, 0xe0041, 0xfe0f, 0x0, 0x1b,
  0xd, 0x85, 0x2028, 0x2003, 0x2800, 0xfff3, 0x1bca0, 0xfdd0, 0x10ffff,
];

describe('visibleParts', () => {
  it.each(HIDDEN)('shows U+%s as a token', (code) => {
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    expect(visibleText(`a${String.fromCodePoint(code)}b`)).toBe(`a[${name}]b`);
  });

  it('leaves line feeds, tabs, accents, emoji and other scripts as they are', () => {
    const text = 'Zeile 1\n\tÄpfel 価格 مرحبا 🙂';
    expect(visibleParts(text)).toEqual([{ text }]);
  });

  it('joins repeated tokens into one with a count', () => {
    expect(visibleText('\u200b\u200b\u200bx')).toBe('[U+200B ×3]x');
  });

  it('shows a lone surrogate, which fonts do not', () => {
    expect(visibleText('a\ud800b')).toBe('a[U+D800]b');
  });

  it('loses no visible text and lets no hidden character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const parts = visibleParts(text);
        const plain = parts.filter((part) => !part.name).map((part) => part.text);
        const hidden = parts.filter((part) => part.name).reduce((sum, part) => sum + Number(part.text.split(' ×')[1] ?? 1), 0);
        expect(plain.filter((part) => !text.includes(part) || visibleParts(part).some((inner) => inner.name))).toEqual([]);
        expect([...text].length).toBe([...plain.join('')].length + hidden);
      }),
    );
  }, 60_000);
});

describe('mixedScript', () => {
  it.each([
    ['аdmin@example.com', 'Cyrillic'],
    ['pаypal.com', 'Cyrillic'],
    ['Αcme', 'Greek'],
    ['ａdmin', 'styled letters'],
  ])('warns about %s', (text, script) => expect(mixedScript(text)).toBe(script));

  it.each(['admin@example.com', 'Привет, мир', 'Zürich', '東京 Tower', 'σ and Δ are separate words'])('accepts %s', (text) =>
    expect(mixedScript(text)).toBeUndefined(),
  );
});

describe('foldBlankLines', () => {
  it('counts long runs of empty lines and keeps short ones', () => {
    const words = (count: number): string => `${count} empty lines`;
    expect(foldBlankLines(`a${'\n'.repeat(213)}b`, words)).toBe('a\n… 212 empty lines …\nb');
    expect(foldBlankLines('a\n\nb', words)).toBe('a\n\nb');
  });
});
