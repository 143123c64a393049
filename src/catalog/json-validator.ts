/** Checks values against a normalized JSON Schema, without `eval`, and says what is wrong in words for a model. */
import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import type { SchemaIssue, Validation } from './catalog.ts';
import { type Checkable, rebuild, toCheckable } from './checkable.ts';
import { explainErrors } from './json-issues.ts';
import { lookUp } from './pointers.ts';
import type { JsonSchema } from './tool.ts';
import { allowSteps, toValidatorSchema } from './validator-schema.ts';

/** Values with more parts than this get the first problem only: a list of all takes the page 5 ms for a thousand. */
const DETAILED_PARTS = 1_000;
/** Schemas that may be looked at for each part of a value: far more than alternatives in alternatives of honest tools ask for. */
const STEPS_PER_PART = 50;
/** The same for a value however small; takes a quarter of a second. */
const STEPS = 100_000;

/**
 * Judges values. A valid value comes back as it is, except that fields with the value `undefined` are left out, a Date becomes
 * ISO text where the schema wants a text, and a BigInt a number where it wants a number. Defaults are not filled in: what a
 * person is asked about is what the program wrote.
 */
export function createJsonValidator(schema: JsonSchema): (value: unknown) => Validation {
  const plain = once(() => compile(schema, false));
  const withStandIns = once(() => compile(schema, true));

  function judge(value: unknown, mayRepair: boolean): Validation {
    const checkable = toCheckable(value);
    const { root, lookup } = checkable.odd.size > 0 ? withStandIns() : plain();
    const errorsOf = (first: boolean) => {
      allowSteps(STEPS + STEPS_PER_PART * checkable.parts);
      return validate(checkable.json, root, '2020-12', lookup, first).errors.map(decodeLocations);
    };
    let errors = errorsOf(true);
    if (errors.length === 0) return { ok: true, value: checkable.dropped ? rebuild(value, new Map()) : value };
    if (checkable.parts <= DETAILED_PARTS) errors = errorsOf(false);
    const repairs = mayRepair ? findRepairs(errors, root, checkable) : new Map<string, unknown>();
    if (repairs.size > 0) return judge(rebuild(value, repairs), false);
    return { ok: false, issues: explainErrors(errors, root as JsonSchema, checkable) };
  }

  return (value) => {
    try {
      return judge(value, true);
    } catch {
      // Too deep or too large for the validator: what cannot be checked is not accepted.
      return { ok: false, issues: [UNCHECKABLE] };
    }
  };
}

interface Compiled {
  readonly root: Schema | boolean;
  readonly lookup: Record<string, Schema | boolean>;
}

function compile(schema: JsonSchema, standIns: boolean): Compiled {
  const root = toValidatorSchema(schema, standIns) as Schema | boolean;
  return { root, lookup: dereference(root) };
}

/** Most tools of a large catalogue are never called. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** The validator writes its pointers as parts of addresses. */
function decodeLocations(error: OutputUnit): OutputUnit {
  return { ...error, instanceLocation: decodeURI(error.instanceLocation), keywordLocation: decodeURI(error.keywordLocation) };
}

const UNCHECKABLE: SchemaIssue = {
  path: [],
  message:
    'the input cannot be checked: it is too large, too deeply nested, takes too many steps or holds broken text; send less at once',
};

/** Values that only need JSON's form: by JSON pointer. */
function findRepairs(errors: readonly OutputUnit[], schema: Schema | boolean, checkable: Checkable): Map<string, unknown> {
  const repairs = new Map<string, unknown>();
  if (checkable.odd.size === 0) return repairs;
  for (const error of errors) {
    if (error.keyword !== 'type') continue;
    const pointer = error.instanceLocation.slice(1);
    const odd = checkable.odd.get(pointer)?.value;
    const wanted = [lookUp(schema as JsonSchema, error.keywordLocation)].flat();
    const repaired = repair(odd, wanted);
    if (repaired !== undefined) repairs.set(pointer, repaired);
  }
  return repairs;
}

function repair(odd: unknown, wanted: readonly unknown[]): unknown {
  if (odd instanceof Date && wanted.includes('string') && !Number.isNaN(odd.getTime())) return odd.toISOString();
  const number = typeof odd === 'bigint' ? Number(odd) : Number.NaN;
  return (wanted.includes('integer') || wanted.includes('number')) && Number.isSafeInteger(number) ? number : undefined;
}
