/** The words for one failed keyword. They name types and limits, never the value: it may be a secret. */
import { resolveLocal } from './schema-loops.ts';
import { isSchemaObject } from './schema-keywords.ts';
import { closest } from './suggest.ts';
import type { JsonSchema } from './tool.ts';

export interface Failure {
  readonly keyword: string;
  /** What the keyword says. */
  readonly expected: unknown;
  /** The schema the keyword stands in. */
  readonly schema: unknown;
  readonly root: JsonSchema;
  readonly value: unknown;
  /** Type of the value in one word. */
  readonly got: string;
  /** The validator's own text, for keywords without words here. */
  readonly text: string;
}

export interface FailureWords {
  readonly words: string;
  /** The field that is meant, when it is not the value itself. */
  readonly step?: string;
}

const MAX_LISTED = 12;
const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1DT2H',
  email: 'ana@example.com',
  uri: 'https://example.com/a',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};

type Describe = (failure: Failure) => FailureWords | string;

const WORDS: Readonly<Record<string, Describe>> = {
  type: ({ expected, got }) => `must be ${alternatives([expected].flat().map(String))}, got ${got}`,
  notJson: ({ got }) => `must be a plain object, got ${got}`,
  required: (failure) => ({ words: 'is required', step: quotedName(failure.text) }),
  additionalProperties: unknownField,
  unevaluatedProperties: unknownField,
  false: () => 'is not allowed',
  enum: oneOfValues,
  tag: oneOfValues,
  const: ({ expected }) => `must be ${short(expected)}`,
  anyOf: noForm,
  oneOf: (failure) =>
    failure.text.includes('(0 matches)') ? noForm(failure) : 'fits more than one of the allowed forms; it must fit exactly one',
  not: () => 'has a form that is not allowed here',
  minimum: ({ expected }) => `must be at least ${short(expected)}`,
  maximum: ({ expected }) => `must be at most ${short(expected)}`,
  exclusiveMinimum: ({ expected }) => `must be greater than ${short(expected)}`,
  exclusiveMaximum: ({ expected }) => `must be less than ${short(expected)}`,
  multipleOf: ({ expected }) => `must be a multiple of ${short(expected)}`,
  minLength: ({ expected }) => `must have at least ${count(expected, 'character')}`,
  maxLength: ({ expected }) => `must have at most ${count(expected, 'character')}`,
  minItems: ({ expected }) => `must have at least ${count(expected, 'item')}`,
  maxItems: ({ expected }) => `must have at most ${count(expected, 'item')}`,
  minProperties: ({ expected }) => `must have at least ${count(expected, 'field')}`,
  maxProperties: ({ expected }) => `must have at most ${count(expected, 'field')}`,
  uniqueItems: ({ text }) => `must not have equal items (${/indexes (\d+ and \d+)/.exec(text)?.[1] ?? 'two are equal'})`,
  contains: () => 'has no item of the form it must contain',
  pattern: ({ expected }) => `must match the pattern ${cut(String(expected), 120)}`,
  format: ({ expected }) => {
    const example = FORMAT_EXAMPLES[String(expected)];
    return `must be a valid ${String(expected)}${example ? `, like ${example}` : ''}`;
  },
  propertyNames: ({ text }) => `has a field name that is not allowed: "${quotedName(text) ?? ''}"`,
  dependentRequired: dependent,
};

export function describeFailure(failure: Failure): FailureWords {
  const describe = Object.hasOwn(WORDS, failure.keyword) ? WORDS[failure.keyword] : undefined;
  const words = describe?.(failure) ?? failure.text;
  return typeof words === 'string' ? { words } : words;
}

function unknownField({ schema, root, text }: Failure): FailureWords {
  const name = quotedName(text) ?? '';
  const known = knownFields(schema, root);
  const guess = closest(name, known, 1)[0];
  if (guess !== undefined) return { words: `is not a known field; did you mean "${guess}"?` };
  const list = known.length > 0 ? `; known fields: ${listed(known.map((field) => field))}` : '';
  return { words: `is not a known field${list}` };
}

/** Names a schema declares, also through `allOf` and references. */
function knownFields(schema: unknown, root: JsonSchema, depth = 0): string[] {
  if (!isSchemaObject(schema) || depth > 8) return [];
  const own = isSchemaObject(schema.properties) ? Object.keys(schema.properties) : [];
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  const target = typeof schema.$ref === 'string' ? [resolveLocal(root, schema.$ref)] : [];
  return [...new Set([...own, ...[...parts, ...target].flatMap((part) => knownFields(part, root, depth + 1))])];
}

function oneOfValues({ expected, value }: Failure): string {
  const values = [...new Set((Array.isArray(expected) ? expected : [expected]).map(short))];
  const guess =
    typeof value === 'string'
      ? closest(
          value,
          (expected as unknown[]).filter((one) => typeof one === 'string'),
          1,
        )[0]
      : undefined;
  if (guess !== undefined && values.length > 3) return `must be one of ${listed(values)}; did you mean ${short(guess)}?`;
  return values.length === 1 ? `must be ${values[0] ?? ''}` : `must be one of ${listed(values)}`;
}

function noForm({ expected, root, got }: Failure): string {
  const types = (Array.isArray(expected) ? expected : []).map((part) => typeWord(part, root));
  const known = types.every((type) => type !== undefined);
  const words = [...new Set(types.flatMap((type) => type ?? []))];
  if (!known || words.length === 0 || words.includes(got)) return `fits none of the ${types.length} allowed forms`;
  return `must be ${alternatives(words)}, got ${got}`;
}

function typeWord(schema: unknown, root: JsonSchema): readonly string[] | undefined {
  if (!isSchemaObject(schema)) return undefined;
  if (typeof schema.$ref === 'string' && schema.$ref !== '#') return typeWord(resolveLocal(root, schema.$ref), root);
  if (schema.type !== undefined) return [schema.type].flat() as string[];
  if (Array.isArray(schema.enum)) return (schema.enum as unknown[]).map(short);
  return 'const' in schema ? [short(schema.const)] : undefined;
}

function dependent({ text }: Failure): FailureWords {
  const [given, missing] = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]);
  return { words: `is required together with ${given ?? 'the other fields'}`, step: missing };
}

/** The name the validator put between quotes. */
function quotedName(text: string): string | undefined {
  return /"([\s\S]*)"/.exec(text)?.[1];
}

function listed(words: readonly string[]): string {
  const shown = words.slice(0, MAX_LISTED).join(', ');
  return words.length > MAX_LISTED ? `${shown} and ${words.length - MAX_LISTED} more` : shown;
}

function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

function short(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value), 80);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function count(number: unknown, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
