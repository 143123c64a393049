/**
 * Brings a JSON Schema of any draft into one form: 2020-12, plain JSON, no cycles, every reference local (`#` or
 * `#/$defs/Name`). Validation, signatures, search and the model all read this form, so they cannot disagree.
 */
import { setOwn, toPlainJson } from './plain-json.ts';
import { usablePattern } from './regex-pattern.ts';
import { indexSchema, type SchemaIndex } from './schema-index.ts';
import {
  ANNOTATION_KEYWORDS,
  isSchemaObject,
  NUMBER_KEYWORDS,
  pointerStep,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  TYPE_WORDS,
} from './schema-keywords.ts';
import type { JsonSchema } from './tool.ts';

type Raw = Record<string, unknown>;

/** A schema that cannot be used, and where: a JSON pointer from the schema's root. */
export class SchemaProblem extends Error {
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/**
 * The normal form of `schema`. Unknown keywords are dropped, except those that start with `x-`.
 *
 * @throws SchemaProblem when something in it cannot be used.
 */
export function normalizeSchema(schema: unknown): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isSchemaObject(schema)) throw new SchemaProblem('', `a schema is an object or a boolean, got ${nameOf(schema)}`);
  try {
    return new Normalizer(schema, indexSchema(schema)).run();
  } catch (error) {
    if (error instanceof SchemaProblem) throw error;
    throw new SchemaProblem('', `it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

class Normalizer {
  private readonly names = new Map<unknown, string>();
  private readonly queue: { name: string; raw: unknown; pointer: string }[] = [];
  private readonly open = new Set<Raw>();
  private readonly root: Raw;
  private readonly index: SchemaIndex;
  /** Drafts before 2019-09 ignore what stands beside `$ref`. */
  private readonly refStandsAlone: boolean;

  constructor(root: Raw, index: SchemaIndex) {
    this.root = root;
    this.index = index;
    this.refStandsAlone = typeof root.$schema === 'string' && /draft-0[3-7]/.test(root.$schema);
  }

  run(): JsonSchema {
    const result = this.object(this.root, '');
    const defs: Raw = {};
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      setOwn(defs, next.name, isSchemaObject(next.raw) ? this.object(next.raw, next.pointer) : next.raw);
    }
    return Object.keys(defs).length > 0 ? { ...result, $defs: defs } : result;
  }

  private schema(raw: unknown, pointer: string): JsonSchema {
    if (typeof raw === 'boolean') return raw;
    if (!isSchemaObject(raw)) throw new SchemaProblem(pointer, `a schema is an object or a boolean, got ${nameOf(raw)}`);
    if (raw === this.root || this.open.has(raw) || this.index.needsName(raw)) {
      return { $ref: this.nameFor(raw, pointer, pointer.slice(pointer.lastIndexOf('/') + 1)) };
    }
    return this.object(raw, pointer);
  }

  private object(raw: Raw, pointer: string): Raw {
    this.open.add(raw);
    const out: Raw = {};
    const ref = raw.$ref ?? raw.$dynamicRef ?? raw.$recursiveRef;
    if (ref !== undefined) out.$ref = this.reference(ref, raw, pointer);
    const alone = raw.$ref !== undefined && this.refStandsAlone;
    for (const [keyword, value] of Object.entries(raw)) {
      if (value === undefined || (alone && !ANNOTATION_KEYWORDS.has(keyword))) continue;
      this.keyword(out, keyword, value, pointer + pointerStep(keyword));
    }
    this.open.delete(raw);
    return adaptOldForms(out, raw);
  }

  private reference(ref: unknown, holder: Raw, pointer: string): string {
    if (typeof ref !== 'string') throw new SchemaProblem(`${pointer}/$ref`, `$ref is a text, got ${nameOf(ref)}`);
    const target = this.index.resolve(ref, holder);
    if (target === undefined) {
      throw new SchemaProblem(`${pointer}/$ref`, `$ref "${ref}" points nowhere; references must stay inside of the schema`);
    }
    return this.nameFor(target, ref, ref.slice(Math.max(ref.lastIndexOf('/'), ref.lastIndexOf('#')) + 1));
  }

  private nameFor(target: unknown, pointer: string, hint: string): string {
    if (target === this.root) return '#';
    let name = this.names.get(target);
    if (name === undefined) {
      const base = hint.replace(/[^\p{L}\p{N}_$.-]+/gu, '_') || 'Part';
      const taken = new Set(this.names.values());
      name = base;
      for (let n = 2; taken.has(name); n++) name = `${base}${n}`;
      this.names.set(target, name);
      this.queue.push({ name, raw: target, pointer: pointer.startsWith('#') ? pointer.slice(1) : pointer });
    }
    return `#/$defs/${name}`;
  }

  private keyword(out: Raw, keyword: string, value: unknown, at: string): void {
    // No keyword that we know, so anything would fit.
    if ((value as Raw | null)?.['~standard']) throw new SchemaProblem(at, 'wrap it all, as in z.object({ … })');
    if (keyword === 'type') out.type = checkType(value, at);
    else if (keyword === 'items' && Array.isArray(value)) out.prefixItems = this.list(value, at);
    else if (SCHEMA_LIST_KEYWORDS.has(keyword) && keyword !== 'items') out[keyword] = this.list(value, at);
    else if (keyword === 'additionalItems') out[keyword] = this.schema(value, at);
    else if (SCHEMA_KEYWORDS.has(keyword)) out[keyword] = this.schema(value, at);
    else if (keyword === 'properties' || keyword === 'patternProperties' || keyword === 'dependentSchemas')
      out[keyword] = this.map(value, at);
    else if (keyword === 'dependencies') this.dependencies(out, value, at);
    else if (keyword === 'dependentRequired') this.dependencies(out, value, at);
    else if (keyword === 'required') setRequired(out, value, at);
    else if (keyword === 'enum') out.enum = checkEnum(value, at);
    else if (keyword === 'const') out.const = toPlainJson(value) ?? null;
    else if (keyword === 'pattern') out.pattern = checkPattern(value, at);
    else if (keyword === 'format' && typeof value === 'string') out.format = value;
    else if (keyword === 'uniqueItems') out.uniqueItems = value === true;
    else if (NUMBER_KEYWORDS.has(keyword)) setNumber(out, keyword, value, at);
    else if (ANNOTATION_KEYWORDS.has(keyword) || keyword.startsWith('x-')) setAnnotation(out, keyword, value);
  }

  private list(value: unknown, at: string): readonly JsonSchema[] {
    if (!Array.isArray(value) || value.length === 0)
      throw new SchemaProblem(at, 'this keyword takes a list of at least one schema');
    return value.map((item, i) => this.schema(item, at + pointerStep(i)));
  }

  private map(value: unknown, at: string): Raw {
    if (!isSchemaObject(value)) throw new SchemaProblem(at, `this keyword takes an object of schemas, got ${nameOf(value)}`);
    const out: Raw = {};
    for (const [key, child] of Object.entries(value)) {
      const here = at + pointerStep(key);
      const name = at.endsWith('/patternProperties') ? checkPattern(key, here) : key;
      setOwn(out, name, this.schema(child, here));
    }
    return out;
  }

  private dependencies(out: Raw, value: unknown, at: string): void {
    if (!isSchemaObject(value)) throw new SchemaProblem(at, `this keyword takes an object, got ${nameOf(value)}`);
    for (const [key, dependency] of Object.entries(value)) {
      const isNames = Array.isArray(dependency);
      const keyword = isNames ? 'dependentRequired' : 'dependentSchemas';
      const group = { ...(out[keyword] as Raw | undefined) };
      const here = at + pointerStep(key);
      setOwn(group, key, isNames ? checkNames(dependency, here) : this.schema(dependency, here));
      out[keyword] = group;
    }
  }
}

function checkType(value: unknown, at: string): string | readonly string[] {
  const words = Array.isArray(value) ? value : [value];
  const wrong = words.findIndex((word) => typeof word !== 'string' || !TYPE_WORDS.has(word));
  if (wrong >= 0 || words.length === 0) {
    const given =
      words.length === 0 ? 'list without a member' : (JSON.stringify(toPlainJson(words[wrong])) ?? typeof words[wrong]);
    throw new SchemaProblem(at, `unknown type ${given}; types are ${[...TYPE_WORDS].join(', ')}`);
  }
  return Array.isArray(value) ? [...words] : (value as string);
}

function checkPattern(value: unknown, at: string): string {
  const pattern = typeof value === 'string' ? usablePattern(value) : undefined;
  if (pattern === undefined)
    throw new SchemaProblem(at, `${JSON.stringify(toPlainJson(value))} is no regular expression of JavaScript`);
  return pattern;
}

function checkEnum(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw new SchemaProblem(at, 'enum takes a list of at least one value');
  return toPlainJson(value) as unknown[];
}

function checkNames(value: readonly unknown[], at: string): readonly unknown[] {
  if (value.some((name) => typeof name !== 'string')) throw new SchemaProblem(at, 'this keyword takes a list of property names');
  return [...value];
}

function setRequired(out: Raw, value: unknown, at: string): void {
  // Draft 03 wrote `required: true` at the property; no later draft gives it a meaning.
  if (typeof value === 'boolean') return;
  if (!Array.isArray(value)) throw new SchemaProblem(at, `required takes a list of property names, got ${nameOf(value)}`);
  if (value.length > 0) out.required = checkNames(value, at);
}

function setNumber(out: Raw, keyword: string, value: unknown, at: string): void {
  if (typeof value === 'boolean' && keyword.startsWith('exclusive')) return;
  // Public OpenAPI documents write `maximum: "50"`.
  const number = typeof value === 'bigint' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number))
    throw new SchemaProblem(at, `${keyword} takes a number, got ${nameOf(value)}`);
  if (Number.isFinite(number)) out[keyword] = number;
}

function setAnnotation(out: Raw, keyword: string, value: unknown): void {
  if ((keyword === 'description' || keyword === 'title') && typeof value !== 'string') return;
  const plain = toPlainJson(value);
  if (plain !== undefined) out[keyword] = plain;
}

/** Draft 04 limits (`exclusiveMinimum: true`), tuples before 2020-12, `nullable` of OpenAPI 3.0. */
function adaptOldForms(out: Raw, raw: Raw): Raw {
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (raw[exclusive] === true && out[limit] !== undefined) {
      out[exclusive] = out[limit];
      delete out[limit];
    }
  }
  if ('additionalItems' in out) {
    if (out.prefixItems !== undefined && out.items === undefined) out.items = out.additionalItems;
    delete out.additionalItems;
  }
  if (raw.nullable === true) allowNull(out);
  return out;
}

function allowNull(out: Raw): void {
  const choices = (out.anyOf ?? out.oneOf) as readonly JsonSchema[] | undefined;
  const types = typeof out.type === 'string' ? [out.type] : (out.type as readonly string[] | undefined);
  if (types && !types.includes('null')) out.type = [...types, 'null'];
  if (Array.isArray(out.enum) && !out.enum.includes(null)) out.enum = [...out.enum, null];
  if (choices) out[out.anyOf ? 'anyOf' : 'oneOf'] = [...choices, { type: 'null' }];
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}
