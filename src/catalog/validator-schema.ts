/** The copy of a normalized schema that the validator gets: only what it checks, made safe against hostile values. */
import { NOT_JSON } from './checkable.ts';
import { setOwn } from './plain-json.ts';
import {
  ANNOTATION_KEYWORDS,
  isSchemaObject,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
} from './schema-keywords.ts';
import type { JsonSchema } from './tool.ts';

type Raw = Record<string, unknown>;

/** The validator compares every pair of items; at this length that takes 4 million comparisons, a tenth of a second. */
const MAX_UNIQUE_ITEMS = 2_000;
const FEW_ITEMS = { maxItems: MAX_UNIQUE_ITEMS };
const UNIQUE_IF_FEW = { if: FEW_ITEMS, then: { uniqueItems: true }, else: FEW_ITEMS };

const OBJECT_KEYWORDS = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
  'propertyNames',
  'minProperties',
  'maxProperties',
];
const REFUSE_NOT_JSON = { not: { type: 'object', required: [NOT_JSON] } };

/** Schemas that one check may still look at. */
let stepsLeft = 0;

/** Whoever checks says first how much it may cost: references can ask for the same part of a value in 2⁴⁰ ways. */
export function allowSteps(count: number): void {
  stepsLeft = count;
}

/** What every schema of the validator inherits: it reads this of each that it looks at. @throws RangeError after the last step */
const COUNTED: object = Object.defineProperty({}, '$recursiveAnchor', {
  get(): undefined {
    if (stepsLeft-- <= 0) throw new RangeError('too many steps');
  },
});

/** @param standIns True for values with stand-ins (checkable.ts): they pass for nothing but "anything". Costs a third more time. */
export function toValidatorSchema(schema: JsonSchema, standIns: boolean): JsonSchema {
  if (!isSchemaObject(schema)) return schema;
  // An address of our own, so that references do not depend on the page's.
  return Object.assign(convert(schema, standIns) as Raw, { $id: 'https://schema.invalid/' });
}

function convert(schema: JsonSchema, standIns: boolean): JsonSchema {
  if (!isSchemaObject(schema)) return schema;
  const out = Object.create(COUNTED) as Raw;
  for (const [keyword, value] of Object.entries(schema)) {
    if (ANNOTATION_KEYWORDS.has(keyword) || keyword.startsWith('x-')) continue;
    if (SCHEMA_MAP_KEYWORDS.has(keyword)) out[keyword] = convertMap(value as Raw, standIns);
    else if (SCHEMA_LIST_KEYWORDS.has(keyword) && Array.isArray(value))
      out[keyword] = value.map((part: JsonSchema) => convert(part, standIns));
    else if (SCHEMA_KEYWORDS.has(keyword)) out[keyword] = convert(value as JsonSchema, standIns);
    else out[keyword] = value;
  }
  return harden(out, standIns);
}

function convertMap(map: Raw, standIns: boolean): Raw {
  const out: Raw = {};
  for (const [key, value] of Object.entries(map)) setOwn(out, key, convert(value as JsonSchema, standIns));
  return out;
}

function harden(out: Raw, standIns: boolean): Raw {
  const wantsObject = out.type === 'object' || (Array.isArray(out.type) && out.type.includes('object'));
  if (standIns && (wantsObject || OBJECT_KEYWORDS.some((keyword) => keyword in out))) {
    alsoRequire(out, REFUSE_NOT_JSON);
  }
  if (out.uniqueItems === true) {
    delete out.uniqueItems;
    alsoRequire(out, UNIQUE_IF_FEW);
  }
  // The validator's expression for `url` needs exponential time: 26 letters and a `!` took 1.3 s.
  if (out.format === 'url') out.format = 'uri';
  return out;
}

function alsoRequire(out: Raw, schema: Raw): void {
  // A copy each: the validator writes an address into every schema it meets.
  out.allOf = [...((out.allOf as unknown[] | undefined) ?? []), structuredClone(schema)];
}
