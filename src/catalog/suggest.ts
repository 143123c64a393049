/** "Did you mean": names close to a wrong one. */
import type { CatalogEntry } from './catalog.ts';
import { words } from './tokenize.ts';

/** Letters compared of one name. */
const MAX_LENGTH = 200;

/** The candidates closest to `wrong`, best first; those too far off are left out. */
export function closest(wrong: string, candidates: readonly string[], limit = 3): readonly string[] {
  const target = plain(wrong);
  const targetWords = new Set(words(wrong.slice(0, MAX_LENGTH)));
  return candidates
    .map((name, order) => ({ name, order, score: similarity(target, targetWords, name) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Names of tools close to a wrong name or identifier, best first. */
export function suggestNames(
  entries: readonly Pick<CatalogEntry, 'name' | 'identifier'>[],
  wrong: string,
  limit: number,
): readonly string[] {
  const nameOf = new Map<string, string>();
  for (const { name, identifier } of entries)
    for (const spelling of [name, identifier]) if (!nameOf.has(spelling)) nameOf.set(spelling, name);
  const close = closest(wrong, [...nameOf.keys()], limit * 2);
  return [...new Set(close.map((spelling) => nameOf.get(spelling) ?? spelling))].slice(0, limit);
}

/** 1 for the same letters, else the better of letter distance and shared words. */
function similarity(target: string, targetWords: ReadonlySet<string>, name: string): number {
  const other = plain(name);
  if (target === other) return 1;
  const longest = Math.max(target.length, other.length);
  const letters = Math.abs(target.length - other.length) > longest / 2 ? 0 : 1 - distance(target, other) / longest;
  const otherWords = new Set(words(name));
  const shared = [...otherWords].filter((word) => targetWords.has(word)).length;
  const overlap = (2 * shared) / (targetWords.size + otherWords.size || 1);
  return Math.max(letters, 0.95 * overlap);
}

function plain(name: string): string {
  return name
    .slice(0, MAX_LENGTH)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** Damerau-Levenshtein distance (optimal string alignment): insert, delete, replace, swap neighbours. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
