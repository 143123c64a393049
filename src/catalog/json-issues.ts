/** Turns the validator's list of failed keywords into a few sentences, the deepest first, without its wrapper messages. */
import type { OutputUnit } from '@cfworker/json-schema';
import type { SchemaIssue } from './catalog.ts';
import { type Checkable, NOT_JSON } from './checkable.ts';
import { describeFailure } from './issue-words.ts';
import { lookUp, pathAt, pathText, valueAt } from './pointers.ts';
import { isSchemaObject } from './schema-keywords.ts';
import type { JsonSchema } from './tool.ts';

/** A model repairs a handful at a time; more only hides the first. */
const MAX_ISSUES = 8;

const WRAPPERS = new Set([
  '$ref',
  'allOf',
  'dependentSchemas',
  'if',
  'items',
  'patternProperties',
  'prefixItems',
  'properties',
  'unevaluatedItems',
]);

interface Context {
  readonly schema: JsonSchema;
  readonly checkable: Checkable;
}

export function explainErrors(errors: readonly OutputUnit[], schema: JsonSchema, checkable: Checkable): readonly SchemaIssue[] {
  const context = { schema, checkable };
  const issues = leaves(locate(errors), context).map((leaf) => toIssue(leaf, context));
  const unique = [...new Map(issues.map((issue) => [issue.message, issue])).values()];
  unique.sort((a, b) => b.path.length - a.path.length);
  const rest = unique.length - MAX_ISSUES;
  return rest > 0 ? [...unique.slice(0, MAX_ISSUES), { path: [], message: `and ${rest} more problems` }] : unique;
}

/** The validator gives a failed `false` schema no location; it is inside of the keyword before it. */
function locate(errors: readonly OutputUnit[]): OutputUnit[] {
  return errors.map((error, i) =>
    error.keyword === 'false' ? { ...error, keywordLocation: `${errors[i - 1]?.keywordLocation ?? '#'}/false` } : error,
  );
}

function leaves(errors: readonly OutputUnit[], context: Context): OutputUnit[] {
  const found: OutputUnit[] = [];
  for (let i = 0; i < errors.length; i++) {
    const error = errors[i] as OutputUnit;
    if (WRAPPERS.has(error.keyword)) continue;
    const inner = ownErrors(errors, i);
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      found.push(...bestBranch(error, inner, context));
      i += inner.length;
    } else if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
      // A schema instead of `false`: its own failures say more.
      if (inner[0]?.keyword !== 'false') continue;
      found.push({ ...error, instanceLocation: (inner[0] as OutputUnit).instanceLocation });
      i += 1;
    } else {
      found.push(error);
      if (error.keyword === 'contains' || error.keyword === 'propertyNames') i += inner.length;
    }
  }
  return found;
}

/** The failures inside of the keyword at `position`, which follow it. */
function ownErrors(errors: readonly OutputUnit[], position: number): OutputUnit[] {
  const { keywordLocation, instanceLocation } = errors[position] as OutputUnit;
  let end = position + 1;
  while (end < errors.length) {
    const next = errors[end] as OutputUnit;
    const inside =
      next.keywordLocation === keywordLocation
        ? next.instanceLocation !== instanceLocation
        : next.keywordLocation.startsWith(`${keywordLocation}/`);
    if (!inside || (next.keyword === (errors[position] as OutputUnit).keyword && next.instanceLocation === instanceLocation))
      break;
    end++;
  }
  return errors.slice(position + 1, end);
}

/** Of several allowed forms, the failures of the one that was most likely meant. */
function bestBranch(error: OutputUnit, inner: readonly OutputUnit[], context: Context): OutputUnit[] {
  const tooMany = /\((\d+) matches\)/.exec(error.error);
  if (error.keyword === 'oneOf' && tooMany !== null && tooMany[1] !== '0') return [error];
  const branches = groupByBranch(error, inner);
  const wrongType = branches.filter((branch) => branch.some((one) => isTypeAt(one, error.instanceLocation)));
  if (branches.length > 0 && wrongType.length === branches.length) return [error];
  const candidates = branches.filter((branch) => !wrongType.includes(branch)).map((branch) => leaves(branch, context));
  const tagged = candidates.filter((branch) => !branch.some((leaf) => isTag(leaf, error.instanceLocation)));
  const pool = tagged.length > 0 ? tagged : candidates;
  if (tagged.length === 0 && candidates.length > 1) return [sharedTag(candidates, error.instanceLocation) ?? error];
  return pool.reduce((best, branch) => (weight(branch) < weight(best) ? branch : best), pool[0] ?? [error]);
}

function groupByBranch(error: OutputUnit, inner: readonly OutputUnit[]): OutputUnit[][] {
  const groups = new Map<string, OutputUnit[]>();
  for (const one of inner) {
    const branch = one.keywordLocation.slice(error.keywordLocation.length + 1).split('/', 1)[0] ?? '';
    const group = groups.get(branch) ?? [];
    groups.set(branch, group);
    group.push(one);
  }
  return [...groups.values()];
}

function isTypeAt(error: OutputUnit, instanceLocation: string): boolean {
  return error.instanceLocation === instanceLocation && error.keyword === 'type';
}

/** A failed constant one step down says: this form was not meant. */
function isTag(leaf: OutputUnit, instanceLocation: string): boolean {
  const isConstant = leaf.keyword === 'const' || leaf.keyword === 'enum';
  return (
    isConstant &&
    leaf.instanceLocation.startsWith(`${instanceLocation}/`) &&
    !leaf.instanceLocation.slice(instanceLocation.length + 1).includes('/')
  );
}

/** One failure for a tag that fits no form: `kind must be "card" or "transfer"`. */
function sharedTag(candidates: readonly OutputUnit[][], instanceLocation: string): OutputUnit | undefined {
  const tags = candidates.map((branch) => branch.find((leaf) => isTag(leaf, instanceLocation)));
  const first = tags[0];
  if (first === undefined || tags.some((tag) => tag?.instanceLocation !== first.instanceLocation)) return undefined;
  return { ...first, keyword: 'tag', error: JSON.stringify(tags.map((tag) => tag?.keywordLocation)) };
}

function weight(branch: readonly OutputUnit[]): number {
  return branch.length;
}

function toIssue(leaf: OutputUnit, { schema, checkable }: Context): SchemaIssue {
  const pointer = leaf.instanceLocation.slice(1);
  const path = pathAt(checkable.json, pointer);
  const odd = checkable.odd.get(pointer)?.word;
  const value = valueAt(checkable.json, pointer);
  const parent = leaf.keywordLocation.slice(0, leaf.keywordLocation.lastIndexOf('/'));
  const { words, step } = describeFailure({
    keyword: isNotJson(leaf, schema) ? 'notJson' : leaf.keyword,
    expected: leaf.keyword === 'tag' ? tagValues(leaf, schema) : lookUp(schema, leaf.keywordLocation),
    schema: lookUp(schema, parent),
    root: schema,
    value,
    got: odd ?? nameOfValue(value),
    text: leaf.error,
  });
  const whole = step === undefined ? path : [...path, step];
  return { path: whole, message: `${pathText(whole)} ${words}` };
}

function isNotJson(leaf: OutputUnit, schema: JsonSchema): boolean {
  if (leaf.keyword !== 'not') return false;
  const not = lookUp(schema, leaf.keywordLocation);
  return isSchemaObject(not) && Array.isArray(not.required) && not.required[0] === NOT_JSON;
}

function tagValues(leaf: OutputUnit, schema: JsonSchema): unknown[] {
  const locations = JSON.parse(leaf.error) as string[];
  return locations.flatMap((location) => lookUp(schema, location));
}

function nameOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
