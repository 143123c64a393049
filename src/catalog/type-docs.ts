/** JSDoc for generated types, from texts that others wrote. */

type Raw = Record<string, unknown>;

/** `text` as the inside of a block comment: it cannot end the comment or start a tag. */
export function commentText(text: string): string {
  return text
    .replaceAll('*/', '*\\/')
    .replace(/(^|[\s(])@/g, '$1\\@')
    .replace(/\r\n?/g, '\n')
    .trim();
}

/** A block comment of these paragraphs, or '' when they are empty. Ends with a line break. */
export function docComment(paragraphs: readonly string[], indent: string): string {
  const text = commentText(paragraphs.filter((part) => part.trim() !== '').join('\n'));
  if (text === '') return '';
  const lines = text.split('\n').map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${lines[0] ?? ''} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

const FACTS: readonly (readonly [string, string])[] = [
  ['format', ''],
  ['minimum', '≥ '],
  ['exclusiveMinimum', '> '],
  ['maximum', '≤ '],
  ['exclusiveMaximum', '< '],
  ['multipleOf', 'multiple of '],
  ['minLength', 'min length '],
  ['maxLength', 'max length '],
  ['minItems', 'min items '],
  ['maxItems', 'max items '],
  ['pattern', 'pattern '],
];

/** What a type cannot say: `(default: 30; integer; ≥ 1; ≤ 100)`; '' when there is nothing. */
export function factsOf(schema: Raw): string {
  const facts = schema.type === 'integer' ? ['integer'] : [];
  for (const [keyword, words] of FACTS)
    if (schema[keyword] !== undefined && !(keyword === 'minItems' && schema.prefixItems !== undefined))
      facts.push(words + short(schema[keyword]));
  if (schema.default !== undefined) facts.push(`default: ${short(schema.default, true)}`);
  if (schema.deprecated === true) facts.push('deprecated');
  return facts.length > 0 ? `(${facts.join('; ')})` : '';
}

function short(value: unknown, quoted = false): string {
  const text = typeof value === 'string' && !quoted ? value : (JSON.stringify(value) ?? '');
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
