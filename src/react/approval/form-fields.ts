/** Which fields a form has for an input and its schema. Pure. */
import type { JsonSchema } from '../../catalog/tool.ts';
import { isPlainObject } from '../../journal/secrets.ts';

export type Path = readonly (string | number)[];

export interface FieldShape {
  readonly name: string;
  /** `json`: lists, and what no other field can hold. */
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'group' | 'json';
  readonly required: boolean;
  readonly schema: JsonSchema | undefined;
  readonly choices: readonly string[];
  readonly description: string | undefined;
}

type Rule = Readonly<Record<string, unknown>>;

const asRule = (schema: unknown): Rule => (isPlainObject(schema) ? schema : {});

/** One field for every property of the schema, and one for everything else that the value has. */
export function fieldsOf(value: Readonly<Record<string, unknown>>, schema: JsonSchema | undefined): readonly FieldShape[] {
  const rule = asRule(schema);
  const properties = asRule(rule['properties']);
  const required = new Set(Array.isArray(rule['required']) ? (rule['required'] as unknown[]) : []);
  const names = [...new Set([...Object.keys(properties), ...Object.keys(value)])];
  return names.map((name) => {
    const own = Object.hasOwn(properties, name) ? asRule(properties[name]) : {};
    const item = Object.hasOwn(value, name) ? value[name] : undefined;
    const choices = Array.isArray(own['enum']) ? own['enum'].filter((each) => typeof each === 'string') : [];
    const { description } = own;
    return {
      name,
      kind: kindOf(item, own, choices.length),
      required: required.has(name),
      schema: own as JsonSchema,
      choices,
      description: typeof description === 'string' ? description : undefined,
    };
  });
}

/** The value says what it is; where there is none, the schema does. A value that does not fit its schema's type stays editable as JSON. */
function kindOf(item: unknown, { type }: Rule, choices: number): FieldShape['kind'] {
  const given = item === undefined ? type : typeOf(item);
  if (given === 'string') return choices > 0 ? 'choice' : 'text';
  if (given === 'number' || given === 'integer') return 'number';
  if (given === 'boolean') return 'boolean';
  return given === 'object' ? 'group' : 'json';
}

function typeOf(item: unknown): string {
  return isPlainObject(item) ? 'object' : item === null || Array.isArray(item) ? 'other' : typeof item;
}

/** A copy with one field set, or without it when `next` is `undefined`. Keeps the order of what is there. */
export function placedIn(value: Readonly<Record<string, unknown>>, { name }: FieldShape, next: unknown): Record<string, unknown> {
  const copy = Object.fromEntries(Object.entries(value).filter(([key]) => next !== undefined || key !== name));
  if (next !== undefined)
    Object.defineProperty(copy, name, { value: next, enumerable: true, configurable: true, writable: true });
  return copy;
}
