import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { germanLabels } from './labels-de.ts';
import { defaultLabels } from './labels.ts';

type Words = Readonly<Record<string, unknown>>;

/** Names of nested words, functions marked. */
function shape(words: Words, prefix = ''): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? shape(value as Words, `${prefix}${key}.`) : [`${prefix}${key}:${typeof value}`],
  );
}

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|labels/.test(file))
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('\n');

describe('labels', () => {
  it('are complete in German', () => {
    expect(shape(germanLabels as unknown as Words)).toEqual(shape(defaultLabels as unknown as Words));
  });

  it('differ between the languages unless the word is the same in both', () => {
    const same = Object.keys(defaultLabels).filter((key) => {
      const [a, b] = [defaultLabels, germanLabels].map((labels) => (labels as unknown as Words)[key]);
      return typeof a === 'string' && a === b;
    });
    expect(same).toEqual(['json', 'filter']);
  });

  it('know singular and plural', () => {
    expect(defaultLabels.calls(1)).toBe('1 call');
    expect(defaultLabels.calls(1_200)).toBe('1,200 calls');
    expect(germanLabels.calls(1)).toBe('1 Aufruf');
    expect(germanLabels.calls(1_200)).toBe('1.200 Aufrufe');
  });

  it('are all used: no word waits for a view that does not exist', () => {
    const byVariable = new Set(['tree', 'timeline', 'queue', 'approval', 'handler', 'transfer']);
    const unused = Object.keys(defaultLabels).filter(
      (key) => !byVariable.has(key) && !new RegExp(String.raw`\b(labels|words)\.${key}\b`).test(sources),
    );
    expect(unused).toEqual([]);
  });

  it('are the only words of the views: no component carries a sentence of its own', () => {
    const sentences = [...sources.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)+)\s*</g)].map((match) => match[1]);
    expect(sentences).toEqual([]);
  });
});
