/** Splits names and sentences into search words: camelCase and separators apart, plural endings off, filler words out. */

const STOP_WORDS = new Set(
  (
    'a about all also am an and any are as at be been by can could do does for from get give had has have help how i if in into is it its let ' +
    'like me my need of on or our please should so some tell than that the their them then there these this those to up us use using ' +
    'want was we were what when where which who will with would you your'
  ).split(' '),
);

// One word of "getHTTPErrors_v2": a run of capitals before a capitalised word, or letters and digits up to the next capital.
const WORD = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}*[\p{Ll}\p{Lo}\p{Lm}\p{N}]+|\p{Lu}+/gu;
const ASCII_WORD = /[A-Z]+(?=[A-Z][a-z])|[A-Z]*[a-z0-9]+|[A-Z]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** All words of a text as they are written, split at camelCase and separators. */
export function rawWords(text: string): readonly string[] {
  // The same rule three times as fast for the texts that most tools have.
  return text.match(ASCII.test(text) ? ASCII_WORD : WORD) ?? [];
}

/** All words of a text in lower case. */
export function words(text: string): string[] {
  return rawWords(text).map((word) => word.toLowerCase());
}

/** What a search compares instead of a word; '' for filler words. */
export function termOf(word: string): string {
  const lower = word.toLowerCase();
  return STOP_WORDS.has(lower) ? '' : stem(lower);
}

/** The words that count in a search. */
export function searchTerms(text: string): string[] {
  return rawWords(text)
    .map(termOf)
    .filter((term) => term !== '');
}

/** Takes plural endings off: `queries` → `query`, `boxes` → `box`, `issues` → `issue`; `status` and `address` stay. */
export function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}
