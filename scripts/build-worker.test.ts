import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toAscii } from './build-worker.ts';
import { WORKER_FILE } from './plugins/worker-file.ts';

/** What a program gives, from its text and from the text without characters beyond ASCII. */
// oxlint-disable-next-line no-eval
const both = (code: string): unknown[] => [code, toAscii(code)].map((text) => (0, eval)(text) as unknown);

describe('the worker’s file', () => {
  const code = readFileSync(WORKER_FILE, 'utf8');

  test('is ASCII, so that it takes one byte a character', () => {
    expect(/[^\x00-\x7f]/.test(code)).toBe(false);
  });

  test('is strict, whether it is loaded as a module or as a script', () => {
    expect(code.slice(0, 13)).toBe('"use strict";');
  });
});

describe('characters beyond ASCII', () => {
  test.each([
    ['in texts', `'ä…' + "\u2028😀" + 'a\\\\é'`],
    ['in templates', '`ä${`😀${1}`}…`'],
    ['in regular expressions', `['ä', '…', 'x'].map((c) => /[ä…]/.test(c))`],
    ['in regular expressions by code point', `['😀', '\ud83d', '😎'].map((c) => /^[😀-😎]$/u.test(c))`],
    ['in comments', '1 /* ä */ + 1 // 😀'],
  ])('%s are escaped and mean the same', (_where, code) => {
    const [before, after] = both(code);
    expect(after).toEqual(before);
    expect(toAscii(code)).toMatch(/^[\x00-\x7f]*$/);
  });

  test.each([
    ['in a template that a function gets', 'String.raw`ä`', 'a function before it'],
    ['behind a backslash in a text', String.raw`'\ä'`, 'cannot be escaped'],
    ['behind a backslash in a regular expression', String.raw`/\ä/.test('ä')`, 'cannot be escaped'],
  ])('%s the build stops', (_where, code, why) => {
    expect(() => toAscii(code)).toThrow(why);
  });

  test('behind two backslashes they may stand', () => {
    const [before, after] = both(String.raw`['\\ä', /^\\ä$/.test('\\ä')]`);
    expect(after).toEqual(before);
    expect(before).toEqual(['\\ä', true]);
  });
});
