import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'styles.css'), 'utf8');

/** Light and dark value of each colour token. */
const tokens = new Map(
  [...css.matchAll(/--cm-([\w-]+):[^;]*?light-dark\(\s*(#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\s*\)/g)].map((match) => [
    match[1]!,
    [match[2]!, match[3]!] as const,
  ]),
);

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

const SURFACES = ['surface-1', 'surface-2', 'surface-3'];
const TEXT = ['ink', 'ink-muted', 'blue', 'red', 'green', 'amber', 'violet'];
const PAIRS: readonly (readonly [text: string, surface: string, least: number])[] = [
  ...TEXT.flatMap((text) => SURFACES.slice(0, 2).map((surface) => [text, surface, 4.5] as const)),
  ['ink', 'surface-3', 4.5],
  ['ink-muted', 'surface-3', 4.5],
  ['ink', 'amber-soft', 4.5],
  ['ink-muted', 'amber-soft', 4.5],
  ['amber', 'amber-soft', 4.5],
  ['green', 'amber-soft', 4.5],
  ['blue', 'amber-soft', 4.5],
  ['violet', 'amber-soft', 4.5],
  ['ink', 'red-soft', 4.5],
  ['red', 'red-soft', 4.5],
  ['ink', 'blue-soft', 4.5],
  ['blue', 'blue-soft', 4.5],
  ['ink-muted', 'blue-soft', 4.5],
  ['on-blue', 'blue', 4.5],
  ['on-red', 'red-fill', 4.5],
  ['line-strong', 'surface-1', 3],
  ['line-strong', 'surface-2', 3],
];

describe('the skin', () => {
  it.each(PAIRS)('%s on %s has a contrast of at least %s in light and dark', (text, surface, least) => {
    for (const scheme of [0, 1]) {
      const [a, b] = [tokens.get(text)?.[scheme], tokens.get(surface)?.[scheme]];
      expect(contrast(a!, b!), `${a} on ${b}`).toBeGreaterThanOrEqual(least);
    }
  });

  it('keeps every rule in its layer, sets nothing with !important and loads nothing', () => {
    const outside = css.replace(/\/\*[\s\S]*?\*\//g, '').trim();
    expect(outside.startsWith('@layer code-mode {')).toBe(true);
    let depth = 0;
    for (let at = 0; at < outside.length; at += 1) {
      if (outside[at] === '{') depth += 1;
      if (outside[at] === '}') depth -= 1;
      if (depth === 0 && outside[at] === '}') expect(at).toBe(outside.length - 1);
    }
    expect(css).not.toMatch(/!important|@import|url\(/);
  });

  it('uses logical properties, so that right to left works', () => {
    const physical =
      /(?:^|[\s;{])(?:margin|padding|border|inset)-(?:left|right)\b|(?:^|[\s;{])(?:left|right):|text-align: right|float:/;
    expect(css.split('\n').filter((line) => physical.test(line))).toEqual([]);
    const fourSides = [...css.matchAll(/\b(?:padding|margin|inset|border-radius): (\S+) (\S+) (\S+) (\S+);/g)];
    expect(fourSides.filter(([, , right, , left]) => right !== left).map(([rule]) => rule)).toEqual([]);
  });

  it('asks for no direction by :dir(), which Lightning CSS turns into a list of languages', () => {
    expect(css.replaceAll(/\/\*[\s\S]*?\*\//g, '')).not.toContain(':dir(');
  });

  it('moves for at most 120 ms, but for what shows that something goes on', () => {
    const times = [...css.matchAll(/transition:[^;]*?(\d+)ms/g)].map((match) => Number(match[1]));
    expect(times.filter((ms) => ms > 120)).toEqual([1_200]); // the hold of a dangerous call
  });
});
