/** Text that a person must be able to trust: what is invisible or reorders is shown as a token. */

export interface TextPart {
  readonly text: string;
  /** Set when `text` stands for a character that would not be seen: `U+202E`. */
  readonly name?: string;
}

/**
 * Characters that hide, reorder or imitate: bidi controls, zero-width, soft hyphen, Hangul fillers, tag characters,
 * variation selectors, interlinear and C0/C1 controls (line feed and tab stay). Source: Unicode Bidi_Control and
 * Default_Ignorable_Code_Point.
 */
const HIDDEN = new RegExp(
  String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]|[\uD800-\uDFFF]`,
  'gu',
);

/** Splits text into plain parts and named tokens; joins neighbours of the same token (`U+200B ×3`). */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    const name = codePointName(match[0]);
    const last = parts.at(-1);
    if (last?.name === name && match.index === from) parts[parts.length - 1] = { name, text: repeated(last.text) };
    else parts.push({ name, text: name });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** The same as one string, for names and announcements. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => (part.name ? `[${part.text}]` : part.text))
    .join('');
}

function repeated(text: string): string {
  const [name, times] = text.split(' ×');
  return `${name} ×${Number(times ?? 1) + 1}`;
}

function codePointName(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

const LATIN = /\p{Script=Latin}/u;
/** Scripts with letters that pass for Latin ones. */
const LOOKALIKE: readonly (readonly [name: string, test: RegExp])[] = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Lisu', /\p{Script=Lisu}/u],
  ['Coptic', /\p{Script=Coptic}/u],
];
/** Full-width and mathematical Latin: letters that read as ASCII and are not. */
const STYLED = /[\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}]/u;

/** Name of the script that one word mixes with Latin letters, or `undefined`. */
export function mixedScript(text: string): string | undefined {
  if (/^[\u0000-\u00FF]*$/.test(text)) return undefined;
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (STYLED.test(word)) return 'styled letters';
    if (!LATIN.test(word)) continue;
    const found = LOOKALIKE.find(([, test]) => test.test(word));
    if (found) return found[0];
  }
  return undefined;
}

/** Folds runs of three or more empty lines into one line that counts them. */
export function foldBlankLines(text: string, words: (count: number) => string): string {
  return text.replace(/\n(?:[ \t]*\n){3,}/g, (run) => `\n… ${words(run.split('\n').length - 2)} …\n`);
}
