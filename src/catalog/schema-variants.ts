/** A schema with branches and references as the plain schemas it may stand for. */
import { isSchemaObject } from './schema-keywords.ts';

type Raw = Record<string, unknown>;

export interface Variant {
  /** Without `$ref`, `allOf`, `anyOf`, `oneOf`, `if`. */
  readonly schema: Raw;
  /** Parts that were gone into for it. */
  readonly names: readonly string[];
}

/** More ways than this are not tried. */
const MAX_VARIANTS = 200;
/** References and branches inside of each other. */
const MAX_NESTING = 40;

/** The plain schemas in the order of the branches; those that go round in the `open` parts come last. */
export function variantsOf(schema: Raw, defs: Raw, open: ReadonlySet<string>): readonly Variant[] {
  const all = expand(schema, defs, 0);
  const isRound = ({ names }: Variant): boolean => names.some((name) => open.has(name));
  return [...all.filter((each) => !isRound(each)), ...all.filter(isRound)];
}

function expand(schema: Raw, defs: Raw, depth: number): readonly Variant[] {
  if (depth > MAX_NESTING) return [];
  const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...plain } = schema;
  let found: readonly Variant[] = [{ schema: plain, names: [] }];
  const cross = (options: readonly Variant[]): void => {
    found = found
      .flatMap((a) => options.map((b) => ({ schema: merge(a.schema, b.schema), names: [...a.names, ...b.names] })))
      .slice(0, MAX_VARIANTS);
  };
  const inside = (value: unknown): readonly Variant[] => {
    if (value === true || value === undefined) return [{ schema: {}, names: [] }];
    return isSchemaObject(value) ? expand(value, defs, depth + 1) : [];
  };
  if (typeof $ref === 'string') {
    const name = $ref.replace(/^#\/\$defs\//, '');
    cross(inside(Object.hasOwn(defs, name) ? defs[name] : false).map((each) => ({ ...each, names: [name, ...each.names] })));
  }
  for (const each of listOf(allOf)) cross(inside(each));
  for (const branches of [anyOf, oneOf]) if (Array.isArray(branches)) cross(branches.flatMap(inside));
  if (condition !== undefined) cross([...inside(combine([condition, then])), ...inside(otherwise)]);
  return found;
}

/** One schema that asks for all of them. */
export function combine(schemas: readonly unknown[]): unknown {
  const asked = schemas.filter((each) => each !== undefined && each !== true);
  if (asked.length === 0) return true;
  return asked.length === 1 ? asked[0] : { allOf: asked };
}

/** Both, as far as guesses need it; whether a guess fits is checked against the whole. */
function merge(a: Raw, b: Raw): Raw {
  const out: Raw = { ...a };
  for (const [keyword, value] of Object.entries(b)) out[keyword] = keyword in a ? both(keyword, a[keyword], value) : value;
  return out;
}

const HIGHER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']);
const LOWER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']);
const SCHEMAS = new Set(['items', 'additionalProperties', 'contains', 'propertyNames', 'unevaluatedProperties']);

function both(keyword: string, a: unknown, b: unknown): unknown {
  if (HIGHER.has(keyword)) return Math.max(a as number, b as number);
  if (LOWER.has(keyword)) return Math.min(a as number, b as number);
  if (SCHEMAS.has(keyword)) return combine([a, b]);
  if (keyword === 'required') return [...new Set([...listOf(a), ...listOf(b)])];
  if (keyword === 'type') return sharedTypes(a, b);
  if (keyword === 'enum') return listOf(a).filter((each) => listOf(b).some((other) => isSame(each, other)));
  if (keyword === 'properties' || keyword === 'patternProperties') return mergeFields(a as Raw, b as Raw);
  if (keyword === 'multipleOf')
    return isMultiple(a as number, b as number) ? a : isMultiple(b as number, a as number) ? b : (a as number) * (b as number);
  return b;
}

function mergeFields(a: Raw, b: Raw): Raw {
  const out: Raw = { ...a };
  for (const [name, value] of Object.entries(b)) out[name] = Object.hasOwn(a, name) ? combine([a[name], value]) : value;
  return out;
}

function sharedTypes(a: unknown, b: unknown): unknown {
  const [left, right] = [a, b].map((each) => (Array.isArray(each) ? (each as string[]) : [each as string])) as [
    string[],
    string[],
  ];
  const has = (types: readonly string[], type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return [...new Set([...left.filter((type) => has(right, type)), ...right.filter((type) => has(left, type))])];
}

function isMultiple(of: number, step: number): boolean {
  return Number.isInteger(of / step);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
