/** Judges values with schemas of other libraries; the other half of standard-schema.ts. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { SchemaIssue, Validation } from './catalog.ts';
import { rebuild, toCheckable } from './checkable.ts';
import { pathText, toPointer, valueAt } from './pointers.ts';

/**
 * Validates with the library; the value it returns (defaults, transforms) is the one the handler gets. Where it wants a Date
 * and gets ISO text, or a BigInt and gets a whole number, the value is converted and judged once more.
 */
export function createStandardValidator(schema: StandardSchemaV1): (value: unknown) => Promise<Validation> {
  return async (value) => {
    try {
      const given = withoutUndefined(value);
      const result = await schema['~standard'].validate(given);
      if (!result.issues) return { ok: true, value: result.value };
      const repairs = findRepairs(result.issues, given);
      if (repairs.size === 0) return { ok: false, issues: toIssues(result.issues) };
      const second = await schema['~standard'].validate(rebuild(given, repairs));
      return second.issues ? { ok: false, issues: toIssues(second.issues) } : { ok: true, value: second.value };
    } catch {
      // A validator that throws has not accepted the value.
      return { ok: false, issues: [{ path: [], message: 'the input could not be checked: the validator of this tool failed' }] };
    }
  };
}

/** As in JSON: a field with the value `undefined` is a field left out. */
function withoutUndefined(value: unknown): unknown {
  return toCheckable(value).dropped ? rebuild(value, new Map()) : value;
}

function toIssues(issues: readonly StandardSchemaV1.Issue[]): SchemaIssue[] {
  return issues.map((issue) => {
    const path = toPath(issue);
    return { path, message: `${pathText(path)}: ${issue.message}` };
  });
}

function toPath(issue: StandardSchemaV1.Issue): (string | number)[] {
  return (issue.path ?? []).map((step) => {
    const key = typeof step === 'object' ? step.key : step;
    return typeof key === 'number' ? key : String(key);
  });
}

function findRepairs(issues: readonly StandardSchemaV1.Issue[], value: unknown): Map<string, unknown> {
  const repairs = new Map<string, unknown>();
  for (const issue of issues) {
    // zod and valibot both say what they expected.
    const expected = String((issue as { expected?: unknown }).expected ?? '').toLowerCase();
    const pointer = toPointer(toPath(issue));
    const repaired = repair(expected, valueAt(value, pointer));
    if (repaired !== undefined) repairs.set(pointer, repaired);
  }
  return repairs;
}

const ISO_DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

function repair(expected: string, value: unknown): unknown {
  if (expected === 'date' && typeof value === 'string' && ISO_DATE.test(value)) {
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? undefined : date;
  }
  if (expected !== 'bigint') return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return typeof value === 'string' && /^-?\d{1,1000}$/.test(value) ? BigInt(value) : undefined;
}
