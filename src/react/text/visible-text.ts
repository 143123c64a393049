/** Text that a person must be able to trust: what is invisible or reorders is shown as a token. */

export interface TextPart {
  readonly text: string;
  /** Set when `text` stands for a character that would not be seen: `U+202E`. */
  readonly name?: string;
}

/**
 * Characters that hide, reorder or imitate: bidi controls, zero-width, soft hyphen, Hangul fillers, tag characters, variation
 * selectors, interlinear, shorthand and C0/C1 controls (line feed and tab stay), the blank pattern of Braille, spaces of odd widths,
 * noncharacters, lone surrogates. The lists of the browser's Unicode version, and what older versions lack.
 */
const HIDDEN = new RegExp(
  String.raw`[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u0000-\u0008\u000B-\u001F\u007F-\u009F\u1680\u2000-\u200A\u2028\u2029\u205F\u2800\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}\uD800-\uDFFF]`,
  'gu',
);

/** Most text: a look that costs a tenth. */
const PLAIN = /^[ -~]+$/;

/** Splits text into plain parts and named tokens; joins neighbours of the same token (`U+200B ×3`). */
export function visibleParts(text: string): TextPart[] {
  if (PLAIN.test(text)) return [{ text }];
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
