/**
 * The smallest value that fits a JSON Schema in normal form: what a rehearsal answers with. It guesses from the keywords and asks
 * the validator, so that what it gives is right, and what it cannot find it does not give.
 */
import { createJsonValidator } from './json-validator.ts';
import { setOwn } from './plain-json.ts';
import { isSchemaObject } from './schema-keywords.ts';
import { combine, variantsOf } from './schema-variants.ts';
import { stubText } from './stub-text.ts';
import type { JsonSchema } from './tool.ts';

type Raw = Record<string, unknown>;

/** Guesses in all. Real schemas take some dozens. */
const MAX_GUESSES = 4_000;
/** Deeper values are no stubs. */
const MAX_DEPTH = 12;
/** Longest list or object that is filled up to a least size. */
const MAX_PARTS = 1_000;

/** A value in an object, so that `null` and `undefined` are values too; nothing when none was found. */
export function minimalValue(schema: JsonSchema): { readonly value: unknown } | undefined {
  if (typeof schema === 'boolean') return schema ? { value: {} } : undefined;
  const { root, name } = nameRoot(schema);
  return new Search(root).find({ ...root, $defs: undefined }, 0, new Set([name]));
}

/** References to the root as references to a part, so that each part can be judged by itself. */
function nameRoot(schema: Raw): { root: Raw; name: string } {
  const defs = isSchemaObject(schema.$defs) ? schema.$defs : {};
  let name = 'root';
  while (Object.hasOwn(defs, name)) name += '_';
  const rename = (value: unknown, key?: string): unknown => {
    if (key === '$ref' && value === '#') return `#/$defs/${name}`;
    if (Array.isArray(value)) return value.map((each) => rename(each));
    if (!isSchemaObject(value)) return value;
    const out: Raw = {};
    for (const [field, inner] of Object.entries(value)) setOwn(out, field, rename(inner, field));
    return out;
  };
  const { $defs: _, ...rest } = rename(schema) as Raw;
  return { root: { ...rest, $defs: { ...(rename(defs) as Raw), [name]: rest } }, name };
}

class Search {
  readonly #defs: Raw;
  #guesses = 0;

  constructor({ $defs }: Raw) {
    this.#defs = $defs as Raw;
  }

  /** `open`: names of the parts that are being filled; going round in them again is the last resort. */
  find(schema: unknown, depth: number, open: ReadonlySet<string>): { value: unknown } | undefined {
    if (schema === true || schema === undefined) return { value: depth === 0 ? {} : null };
    if (!isSchemaObject(schema) || depth > MAX_DEPTH) return undefined;
    const fits = createJsonValidator({ ...schema, $defs: this.#defs });
    for (const { schema: variant, names } of variantsOf(schema, this.#defs, open)) {
      for (const value of this.#guessesFor(variant, depth, new Set([...open, ...names]))) {
        if (++this.#guesses > MAX_GUESSES) return undefined;
        if (fits(value).ok) return { value };
      }
    }
    return undefined;
  }

  /** A schema without branches and references: guesses, the best first. */
  *#guessesFor(schema: Raw, depth: number, open: ReadonlySet<string>): Generator<unknown> {
    if ('const' in schema) yield schema.const;
    if ('default' in schema) yield schema.default;
    if (Array.isArray(schema.examples)) yield* schema.examples as unknown[];
    if (Array.isArray(schema.enum)) yield* schema.enum as unknown[];
    for (const type of typesOf(schema, depth)) {
      if (type === 'null') yield null;
      else if (type === 'boolean') yield* [false, true];
      else if (type === 'string') yield* stubText(schema);
      else if (type === 'object') yield* this.#objects(schema, depth, open);
      else if (type === 'array') yield* this.#lists(schema, depth, open);
      else yield* numbers(schema, type === 'integer');
    }
  }

  *#objects(schema: Raw, depth: number, open: ReadonlySet<string>): Generator<Raw> {
    const properties = isSchemaObject(schema.properties) ? schema.properties : {};
    const needed = new Set(withDependents(strings(schema.required), schema.dependentRequired));
    const object: Raw = {};
    for (const name of needed) {
      const found = this.find(schemaOfField(schema, name), depth + 1, open);
      if (!found) return;
      setOwn(object, name, found.value);
    }
    const least = Math.min(numberOf(schema.minProperties, 0), MAX_PARTS);
    const spare = [...Object.keys(properties), ...stubNames(schema, least)];
    for (const name of spare) {
      if (Object.keys(object).length >= least) break;
      if (Object.hasOwn(object, name)) continue;
      const found = this.find(schemaOfField(schema, name), depth + 1, open);
      if (found) setOwn(object, name, found.value);
    }
    yield object;
    // An optional field may be what a branch wants.
    for (const name of Object.keys(properties)) {
      if (Object.hasOwn(object, name)) continue;
      const found = this.find(schemaOfField(schema, name), depth + 1, open);
      if (found) yield { ...object, [name]: found.value };
    }
  }

  *#lists(schema: Raw, depth: number, open: ReadonlySet<string>): Generator<unknown[]> {
    const first = Array.isArray(schema.prefixItems) ? (schema.prefixItems as unknown[]) : [];
    const contains = schema.contains === undefined ? 0 : numberOf(schema.minContains, 1);
    const length = Math.min(Math.max(numberOf(schema.minItems, 0), contains), MAX_PARTS);
    const list: unknown[] = [];
    for (let i = 0; i < length; i++) {
      const own = first[i] ?? schema.items;
      const wanted = i < contains ? combine([own, schema.contains]) : own;
      const found = schema.uniqueItems === true ? this.#unlike(wanted, list, depth, open) : this.find(wanted, depth + 1, open);
      if (!found) return;
      list.push(found.value);
    }
    yield list;
  }

  /** A value that is not in the list yet. */
  #unlike(schema: unknown, list: readonly unknown[], depth: number, open: ReadonlySet<string>): { value: unknown } | undefined {
    const others = list.length === 0 ? schema : combine([schema, { not: { enum: list } }]);
    const found = this.find(others, depth + 1, open);
    if (found) return found;
    // The guesses are all taken: count on.
    for (const value of [list.length, 'a'.repeat(list.length + 1), { n: list.length }, true, false, null]) {
      if (createJsonValidator({ allOf: [others], $defs: this.#defs } as JsonSchema)(value).ok) return { value };
    }
    return undefined;
  }
}

/** Types to try: those that are named, `null` last; else what the keywords are about. */
function typesOf(schema: Raw, depth: number): readonly string[] {
  const named = typeof schema.type === 'string' ? [schema.type] : strings(schema.type);
  if (named.length > 0) return [...named.filter((type) => type !== 'null'), ...named.filter((type) => type === 'null')];
  const about = (words: readonly string[], type: string): string[] => (words.some((word) => word in schema) ? [type] : []);
  const likely = [
    ...about(['properties', 'required', 'additionalProperties', 'minProperties', 'patternProperties'], 'object'),
    ...about(['items', 'prefixItems', 'minItems', 'contains', 'uniqueItems'], 'array'),
    ...about(['minLength', 'pattern', 'format', 'maxLength'], 'string'),
    ...about(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'], 'number'),
  ];
  const rest = depth === 0 ? ['object', 'null'] : ['null', 'object'];
  return [...new Set([...likely, ...rest, 'string', 'number', 'boolean', 'array'])];
}

function* numbers(schema: Raw, isWhole: boolean): Generator<number> {
  const step = numberOf(schema.multipleOf, isWhole ? 1 : 0);
  const low = Math.max(
    numberOf(schema.minimum, Number.NEGATIVE_INFINITY),
    numberOf(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY),
  );
  const high = Math.min(
    numberOf(schema.maximum, Number.POSITIVE_INFINITY),
    numberOf(schema.exclusiveMaximum, Number.POSITIVE_INFINITY),
  );
  yield 0;
  for (const edge of [low, high]) {
    if (!Number.isFinite(edge)) continue;
    if (!isWhole || Number.isInteger(edge)) yield edge;
    const unit = step > 0 ? step : 1;
    const whole = [Math.ceil(edge / unit), Math.floor(edge / unit)];
    for (const n of whole) for (const add of [0, 1, -1]) yield (n + add) * unit;
  }
  if (Number.isFinite(low) && Number.isFinite(high)) yield (low + high) / 2;
  yield* [1, -1, 2, 0.5, 100];
}

/** What a field of the object must fit: its own schema, those of patterns, and else that of all others. */
function schemaOfField(schema: Raw, name: string): unknown {
  const own = isSchemaObject(schema.properties) && Object.hasOwn(schema.properties, name) ? [schema.properties[name]] : [];
  const patterns = isSchemaObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  const matching = patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, inner]) => inner);
  const known = [...own, ...matching];
  return known.length > 0 ? combine(known) : (schema.additionalProperties ?? schema.unevaluatedProperties ?? true);
}

function* stubNames(schema: Raw, least: number): Generator<string> {
  const patterns = isSchemaObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
  const shapes = [schema.propertyNames, ...patterns.map((pattern) => ({ pattern })), {}];
  for (const shape of shapes) {
    if (!isSchemaObject(shape)) continue;
    for (let n = 0; n < least; n++) yield* stubText({ ...shape, minLength: Math.max(numberOf(shape.minLength, 1), n + 1) });
  }
}

function withDependents(required: readonly string[], dependents: unknown): readonly string[] {
  const all = new Set(required);
  // A set that grows while it is walked is walked to its new end.
  if (isSchemaObject(dependents)) for (const name of all) for (const more of strings(dependents[name])) all.add(more);
  return [...all];
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
