/** Cuts a value for a model so that what is left is still valid JSON, and says what was cut. */
import { count, wholeCharacters } from './model-words.ts';

/** One place that was shortened. */
export interface Cut {
  /** `rows`, `rows[0].text`; '' for the value itself. */
  readonly path: string;
  /** `40 of 5,000 items`. */
  readonly words: string;
}

export interface CutJson {
  readonly text: string;
  readonly cuts: readonly Cut[];
  /** Characters of the uncut text. */
  readonly fullLength: number;
}

interface Bounds {
  readonly items: number;
  readonly chars: number;
  readonly depth: number;
}

/** Each attempt keeps seven tenths of the one before: at most a third of the room stays unused. */
const STEP = 0.7;
const ATTEMPTS = 30;

/** JSON text of plain JSON in at most `maxChars` characters. @param full the whole text, where it is known already */
export function cutJson(value: unknown, maxChars: number, full: string = JSON.stringify(value) ?? 'null'): CutJson {
  if (full.length <= maxChars) return { text: full, cuts: [], fullLength: full.length };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const scale = STEP ** attempt;
    const bounds = {
      items: Math.max(2, Math.floor(2_000 * scale)),
      chars: Math.max(40, Math.floor(maxChars * scale)),
      depth: Math.max(2, Math.floor(24 * scale ** 0.3)),
    };
    const cuts: Cut[] = [];
    const text = JSON.stringify(shorten(value, bounds, '', 0, cuts));
    if (text.length <= maxChars) return { text, cuts, fullLength: full.length };
  }
  const words = describe(value);
  return { text: JSON.stringify(words).slice(0, maxChars), cuts: [{ path: '', words }], fullLength: full.length };
}

function shorten(value: unknown, bounds: Bounds, path: string, depth: number, cuts: Cut[]): unknown {
  if (typeof value === 'string') return shortenText(value, bounds, path, cuts);
  if (typeof value !== 'object' || value === null) return value;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (depth >= bounds.depth && entries.length > 0) {
    cuts.push({ path, words: describe(value) });
    return describe(value);
  }
  const kept = entries.slice(0, bounds.items);
  const rest = entries.length - kept.length;
  const noun = isList ? 'items' : 'fields';
  if (rest > 0) cuts.push({ path, words: `${count(kept.length)} of ${count(entries.length)} ${noun}` });
  const copies = kept.map(
    ([key, item]) => [key, shorten(item, bounds, isList ? `${path}[${key}]` : join(path, key), depth + 1, cuts)] as const,
  );
  if (isList) return [...copies.map(([, item]) => item), ...(rest > 0 ? [`… ${count(rest)} more items`] : [])];
  return Object.fromEntries(rest > 0 ? [...copies, ['…', `${count(rest)} more fields`]] : copies);
}

function shortenText(text: string, { chars }: Bounds, path: string, cuts: Cut[]): string {
  if (text.length <= chars) return text;
  cuts.push({ path, words: `${count(chars)} of ${count(text.length)} characters` });
  return `${wholeCharacters(text.slice(0, chars))}… (${count(text.length - chars)} more characters)`;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `list of ${count(value.length)} items`;
  if (typeof value !== 'object' || value === null) return `${typeof value} that is too long`;
  const keys = Object.keys(value);
  return `object with ${count(keys.length)} fields: ${keys.slice(0, 5).join(', ').slice(0, 60)}`;
}

function join(path: string, key: string): string {
  const short = key.length > 40 ? `${key.slice(0, 40)}…` : key;
  return path === '' ? short : `${path}.${short}`;
}
