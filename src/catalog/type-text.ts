/** JSON Schema (normal form) → the text of a TypeScript type. Whatever the schema, the text parses and its size is bounded. */
import { isSchemaObject } from './schema-keywords.ts';
import { resolveLocal } from './schema-loops.ts';
import type { JsonSchema } from './tool.ts';
import { docComment, factsOf } from './type-docs.ts';

type Raw = Record<string, unknown>;

export interface TypeLimits {
  /** Characters of one tool's types; what comes after is `unknown`. */
  readonly maxChars: number;
  /** Nesting; what is deeper is `unknown`. */
  readonly maxDepth: number;
  /** Members of an enumeration; a longer one is its base type, with the first members in a comment. */
  readonly maxEnum: number;
}

/** Hands out names of types that are different within one text. */
export type TypeNamer = (wish: string) => string;

export interface TypeText {
  /** The type itself. */
  readonly type: string;
  /** Named types it needs (for references), one declaration each. */
  readonly declarations: readonly string[];
}

/**
 * @param prefix Start of the names of needed types, as `SaveTree`.
 * @param indent White space before the line the type stands in.
 */
export function typeText(schema: JsonSchema, prefix: string, namer: TypeNamer, limits: TypeLimits, indent = ''): TypeText {
  return new TypeWriter(schema, prefix, namer, limits).write(indent);
}

class TypeWriter {
  private readonly names = new Map<string, string>();
  private readonly queue: string[] = [];
  private readonly root: JsonSchema;
  private readonly prefix: string;
  private readonly namer: TypeNamer;
  private readonly limits: TypeLimits;
  private left: number;

  constructor(root: JsonSchema, prefix: string, namer: TypeNamer, limits: TypeLimits) {
    this.root = root;
    this.prefix = prefix;
    this.namer = namer;
    this.limits = limits;
    this.left = limits.maxChars;
  }

  write(indent: string): TypeText {
    const type = this.type(this.root, 0, indent);
    const declarations: string[] = [];
    for (let ref = this.queue.shift(); ref !== undefined; ref = this.queue.shift()) {
      const target = resolveLocal(this.root, ref);
      declarations.push(`type ${this.names.get(ref) ?? ''} = ${target === undefined ? 'unknown' : this.type(target, 0, '')};`);
    }
    return { type, declarations };
  }

  private type(schema: unknown, depth: number, indent: string): string {
    if (schema === false) return 'never';
    if (!isSchemaObject(schema) || depth > this.limits.maxDepth || this.left <= 0) return 'unknown';
    const parts = [
      ...(typeof schema.$ref === 'string' ? [this.reference(schema.$ref)] : []),
      this.own(schema, depth, indent),
      ...list(schema.allOf).map((part) => this.type(part, depth + 1, indent)),
      this.union(list(schema.anyOf), depth, indent),
      this.union(list(schema.oneOf), depth, indent),
    ];
    return intersect(parts);
  }

  private reference(ref: string): string {
    let name = this.names.get(ref);
    if (name === undefined) {
      name = this.namer(this.prefix + pascal(ref === '#' ? 'Input' : ref.slice('#/$defs/'.length)));
      this.names.set(ref, name);
      this.queue.push(ref);
    }
    return name;
  }

  private union(parts: readonly unknown[], depth: number, indent: string): string {
    if (parts.length === 0) return 'unknown';
    this.left -= 8 * parts.length;
    return unite(parts.map((part) => this.type(part, depth + 1, indent)));
  }

  /** What the schema says itself, without its references and combinations. */
  private own(schema: Raw, depth: number, indent: string): string {
    if ('const' in schema) return literalType(schema.const);
    if (Array.isArray(schema.enum)) return this.enumeration(schema.enum);
    const types = schema.type === undefined ? impliedTypes(schema) : ([schema.type].flat() as string[]);
    return types.length === 0 ? 'unknown' : unite(types.map((type) => this.named(type, schema, depth, indent)));
  }

  private named(type: string, schema: Raw, depth: number, indent: string): string {
    if (type === 'integer') return 'number';
    if (type === 'array') return this.array(schema, depth, indent);
    return type === 'object' ? this.object(schema, depth, indent) : type;
  }

  private enumeration(members: readonly unknown[]): string {
    if (members.length <= this.limits.maxEnum) {
      const text = unite(members.map(literalType));
      this.left -= text.length;
      return text;
    }
    const bases = [...new Set(members.map(baseType))];
    const sample = members.slice(0, 5).map((member) => JSON.stringify(member));
    return `${unite(bases)} /* one of ${members.length}: ${sample.join(', ').replaceAll('*/', '*\\/')}, … */`;
  }

  private array(schema: Raw, depth: number, indent: string): string {
    const item = schema.items === undefined ? 'unknown' : this.type(schema.items, depth + 1, indent);
    const first = list(schema.prefixItems);
    if (first.length === 0) return item === 'never' ? '[]' : `${parenthesize(item)}[]`;
    const needed = typeof schema.minItems === 'number' ? schema.minItems : 0;
    const places = first.map((part, i) => parenthesize(this.type(part, depth + 1, indent)) + (i < needed ? '' : '?'));
    return `[${[...places, ...(item === 'never' ? [] : [`...${parenthesize(item)}[]`])].join(', ')}]`;
  }

  private object(schema: Raw, depth: number, indent: string): string {
    const properties = isSchemaObject(schema.properties) ? schema.properties : {};
    const required = new Set(list(schema.required) as string[]);
    const names = [...new Set([...Object.keys(properties), ...required])];
    const inner = `${indent}  `;
    const fields = names.map((name) =>
      this.field(name, Object.hasOwn(properties, name) ? properties[name] : true, required.has(name), depth, inner),
    );
    const rest = this.rest(schema, names.length > 0, depth, inner);
    if (rest !== undefined) fields.push({ doc: '', text: `[key: string]: ${rest}` });
    return layOut(fields, indent);
  }

  private field(name: string, schema: unknown, required: boolean, depth: number, indent: string): Field {
    if (this.left <= 0) return { doc: '', text: `${propertyName(name)}${required ? '' : '?'}: unknown` };
    const described = isSchemaObject(schema)
      ? [typeof schema.description === 'string' ? schema.description : '', factsOf(schema)]
      : [];
    const doc = docComment([described.filter((part) => part !== '').join(' ')], indent);
    this.left -= indent.length + doc.length + name.length + 8;
    const text = `${propertyName(name)}${required ? '' : '?'}: ${this.type(schema, depth + 1, indent)}`;
    return { doc, text };
  }

  /** Type of fields that are not listed; undefined when there are none. */
  private rest(schema: Raw, hasFields: boolean, depth: number, indent: string): string | undefined {
    const patterns = isSchemaObject(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
    const other = schema.additionalProperties ?? schema.unevaluatedProperties;
    const open = other === true || isSchemaObject(other) || (!hasFields && other === undefined && patterns.length === 0);
    if (patterns.length === 0 && !open) return hasFields ? undefined : 'never';
    // TypeScript wants every listed field to fit here, too.
    if (hasFields) return 'unknown';
    return unite([...patterns, ...(open ? [other ?? true] : [])].map((part) => this.type(part, depth + 1, indent)));
  }
}

interface Field {
  readonly doc: string;
  readonly text: string;
}

const ONE_LINE = 100;

function layOut(fields: readonly Field[], indent: string): string {
  const line = `{ ${fields.map(({ text }) => text).join('; ')} }`;
  if (fields.every(({ doc }) => doc === '') && line.length <= ONE_LINE && !line.includes('\n'))
    return fields.length === 0 ? '{}' : line;
  return `{\n${fields.map(({ doc, text }) => `${doc}${indent}  ${text};`).join('\n')}\n${indent}}`;
}

/** Keywords that only make sense for one type say which is meant. */
function impliedTypes(schema: Raw): string[] {
  if (
    'properties' in schema ||
    'required' in schema ||
    'patternProperties' in schema ||
    isSchemaObject(schema.additionalProperties)
  )
    return ['object'];
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : [];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `A | B` without repetitions; `unknown` takes everything. */
function unite(types: readonly string[]): string {
  const members = [...new Set(types)].filter((type) => type !== 'never');
  if (members.includes('unknown')) return 'unknown';
  if (members.includes('boolean')) return members.filter((type) => type !== 'true' && type !== 'false').join(' | ');
  return members.length === 0 ? 'never' : members.join(' | ');
}

const ANY_OBJECT = '{ [key: string]: unknown }';

/** `A & B`; parts that say nothing are left out. */
function intersect(types: readonly string[]): string {
  const members = [...new Set(types)].filter((type) => type !== 'unknown');
  const telling = members.length > 1 ? members.filter((type) => type !== ANY_OBJECT) : members;
  if (telling.length < 2) return telling[0] ?? members[0] ?? 'unknown';
  return telling.map(parenthesize).join(' & ');
}

function parenthesize(type: string): string {
  return /^[\w$.]+$/.test(type) || isOneGroup(type) ? type : `(${type})`;
}

/** True for `{ … }` and `[ … ]` that close only at the end. */
function isOneGroup(type: string): boolean {
  if (!/^[{[]/.test(type)) return false;
  const bare = type.replace(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\//g, (text) => '_'.repeat(text.length));
  let depth = 0;
  for (let i = 0; i < bare.length; i++) {
    if (/[{[(]/.test(bare[i] as string)) depth++;
    if (/[}\])]/.test(bare[i] as string) && --depth === 0) return i === bare.length - 1;
  }
  return false;
}

/** A JSON value as a type that only it fits. */
function literalType(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalType).join(', ')}]`;
  if (isSchemaObject(value))
    return `{ ${Object.entries(value)
      .map(([key, field]) => `${propertyName(key)}: ${literalType(field)}`)
      .join('; ')} }`;
  return quote(value);
}

function baseType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'unknown[]';
  return typeof value === 'object' ? ANY_OBJECT : typeof value;
}

/** A property name as TypeScript writes it. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** JSON text that is also safe in JavaScript source and in comments. */
export function quote(value: unknown): string {
  return (JSON.stringify(value) ?? 'unknown')
    .replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`)
    .replaceAll('*/', '*\\/');
}

/** `save_tree` → `SaveTree`. */
export function pascal(name: string): string {
  const text = name
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return /^\p{L}/u.test(text) ? text : `T${text}`;
}
