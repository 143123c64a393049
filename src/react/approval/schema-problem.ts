/** What the core says against a value, taken apart, so that labels can say it in their own language. Loaded with the form. */
import type { SchemaProblem } from '../labels-approval.ts';
import { pathText } from '../text/diff-values.ts';

type Issue = { readonly path: readonly (string | number)[]; readonly message: string };

/** As `catalog/issue-words.ts` writes them; the first that fits counts. What stands in brackets is what the keyword says. */
const SENTENCES: readonly (readonly [keyword: string, words: RegExp])[] = [
  ['notJson', /^must be a plain object, got (.+)$/s],
  ['type', /^must be (.+), got (\S+)$/s],
  ['dependentRequired', /^is required together with (.+)$/s],
  ['required', /^is required$/],
  ['unknownField', /^is not a known field; did you mean "(.+)"\?$/s],
  ['unknownField', /^is not a known field(?:; known fields: .*)?$/s],
  ['notAllowed', /^is not allowed$/],
  ['minimum', /^must be at least (.+)$/s],
  ['maximum', /^must be at most (.+)$/s],
  ['exclusiveMinimum', /^must be greater than (.+)$/s],
  ['exclusiveMaximum', /^must be less than (.+)$/s],
  ['multipleOf', /^must be a multiple of (.+)$/s],
  ['minLength', /^must have at least (\d+) characters?$/],
  ['maxLength', /^must have at most (\d+) characters?$/],
  ['minItems', /^must have at least (\d+) items?$/],
  ['maxItems', /^must have at most (\d+) items?$/],
  ['minProperties', /^must have at least (\d+) fields?$/],
  ['maxProperties', /^must have at most (\d+) fields?$/],
  ['uniqueItems', /^must not have equal items \((?:(\d+ and \d+)|.*)\)$/s],
  ['pattern', /^must match the pattern (.+)$/s],
  ['format', /^must be a valid (.+?)(?:, like .*)?$/s],
  ['enum', /^must be one of (.+?)(?:; did you mean .*)?$/s],
  ['const', /^must be (.+)$/s],
  ['noForm', /^fits none of the (\d+) allowed forms$/],
  ['severalForms', /^fits more than one of the allowed forms/],
  ['not', /^has a form that is not allowed here$/],
  ['contains', /^has no item of the form it must contain$/],
  ['propertyNames', /^has a field name that is not allowed: "(.*)"$/s],
];

/** @returns undefined for words that are not the core's own, as a library's */
export function schemaProblem({ path, message }: Issue): SchemaProblem | undefined {
  const rest = /^and (\d+) more problems$/.exec(message);
  if (rest) return { keyword: 'more', expected: rest[1]! };
  if (/^the (value|input) could not be checked/.test(message)) return { keyword: 'unchecked', expected: '' };
  const place = [`${pathText(path)} `, 'the input '].find((each) => message.startsWith(each));
  if (place === undefined) return undefined;
  const words = message.slice(place.length);
  for (const [keyword, sentence] of SENTENCES) {
    const found = sentence.exec(words);
    if (found) return { keyword, expected: found[1] ?? '', ...(found[2] !== undefined && { got: found[2] }) };
  }
  return undefined;
}
