import { Parser } from 'acorn';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { leanParser } from './lean-parser.ts';

const parse = (text: string): void => void Parser.parse(text, { ecmaVersion: 'latest' });
const accepts = (text: string): boolean => {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The parser as it is published, outside of the plugins. */
function published(texts: readonly string[]): boolean[] {
  const script = `import { Parser } from 'acorn';
    const accepts = (text) => { try { Parser.parse(text, { ecmaVersion: 'latest' }); return true } catch { return false } };
    process.stdin.setEncoding('utf8');
    let given = ''; for await (const part of process.stdin) given += part;
    console.log(JSON.stringify(JSON.parse(given).map(accepts)));`;
  const answer = execFileSync(process.execPath, ['--input-type=module', '-e', script], { input: JSON.stringify(texts) });
  return JSON.parse(answer.toString()) as boolean[];
}

describe('the parser without its tables', () => {
  it('is the one that these tests run', () => {
    expect(Parser.prototype).not.toHaveProperty('regexp_eatQuantifier');
    expect(Parser.prototype).not.toHaveProperty('parseMaybeUnary');
  });

  it('accepts and refuses as the published one does', () => {
    const texts = [
      ...[
        'const ä = 1',
        'const 变量 = 1',
        'const 𠮷 = 1',
        'const a\u200c = 1',
        'const \u200ca = 1',
        'const a\u0301 = 1',
        'const \u0301 = 1',
      ],
      ...[
        'const € = 1',
        'const a€ = 1',
        'const a𠮷𝒳 = 1',
        'const 🙂 = 1',
        'const \\u{20BB7} = 1',
        'const a\ud842 = 1',
        '1',
        '0x1f',
        '1n',
        '1a',
        '1ä',
      ],
      ...[
        '/a(/',
        '/[b-a]/',
        '/a**/',
        '/(?<n>a)\\k<m>/',
        '/\\p{Nope}/u',
        '/\\p{Script=Greek}/u',
        '/x/gg',
        '/x/q',
        '/(?<=a)b/d',
        '/\\u{110000}/u',
      ],
      ...['/[\\p{L}--[a-z]]/v', '/a/uv', '/(?:a)/', '/(?i:a)/', '/(?<y>a)|(?<y>b)/', '/[/]/.test(x)', 'a /b/ c', 'a = b / c / d'],
    ];
    const own = texts.map(accepts);
    expect(Object.fromEntries(texts.map((text, i) => [text, own[i]]))).toEqual(
      Object.fromEntries(published(texts).map((accepted, i) => [texts[i], accepted])),
    );
  });

  it('says where and why an expression is none', () => {
    expect(() => parse('let a;\nlet r = /a(/;')).toThrow(/^Invalid regular expression: \/a\(\/: .+ \(2:9\)$/);
  });

  it('stops the build when a release has moved what is cut', () => {
    const { load } = leanParser(() => 'export {}') as { load: (id: string) => unknown };
    expect(() => load('/x/node_modules/acorn/dist/acorn.mjs')).toThrow('has changed');
    expect(() => load('/x/node_modules/@sveltejs/acorn-typescript/index.js')).toThrow('has changed');
    expect(load('/x/other.js')).toBeNull();
  });
});
