/** Programs as models write them, with what must come out: data in `programs/`, run through the real engine. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { runOnce, TestSession, type Outcome } from './run-programs.test-kit.ts';

vi.setConfig({ testTimeout: 30_000 });

interface Expected {
  readonly value?: unknown;
  /** True: the value is `undefined`. */
  readonly valueUndefined?: boolean;
  /** True: completes without a value. */
  readonly noValue?: boolean;
  readonly logs?: readonly string[];
  /** Codes, in order. @default none */
  readonly warnings?: readonly string[];
  readonly form?: string;
  readonly typescript?: boolean;
  readonly error?: {
    readonly code?: string;
    readonly name?: string;
    readonly includes?: readonly string[];
    readonly line?: number;
    readonly column?: number;
  };
}

interface ProgramCase {
  readonly id: string;
  readonly text: string;
  readonly expect: Expected;
  /** Programs that run afterwards in the same session. */
  readonly then?: readonly { readonly text: string; readonly expect: Expected }[];
}

function check(outcome: Outcome, expected: Expected): void {
  if (expected.error) {
    const { code, name, includes = [], line, column } = expected.error;
    expect(outcome.error, `ended with ${JSON.stringify(outcome.value)}`).toBeDefined();
    if (code) expect(outcome.error!.code).toBe(code);
    if (name) expect(outcome.error!.name).toBe(name);
    for (const part of includes) expect(outcome.error!.message).toContain(part);
    if (line) expect(outcome.error!.site).toMatchObject(column ? { line, column } : { line });
  } else {
    expect(outcome.error).toBeUndefined();
    if (expected.noValue) expect(outcome.hasValue).toBe(false);
    else expect([outcome.hasValue, outcome.value]).toEqual([true, expected.valueUndefined ? undefined : expected.value]);
    expect(outcome.program!.warnings.map((warning) => warning.code)).toEqual(expected.warnings ?? []);
  }
  if (expected.logs) expect(outcome.logs).toEqual(expected.logs);
  if (expected.form) expect(outcome.program?.form).toBe(expected.form);
  if (expected.typescript !== undefined) expect(outcome.program?.typescript).toBe(expected.typescript);
}

const folder = new URL('./programs/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
let total = 0;

describe.each(files)('%s', (file) => {
  const cases = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as ProgramCase[];
  total += cases.length;
  it.each(cases.map((each) => [each.id, each] as const))('%s', (_, each) => {
    if (!each.then) return check(runOnce(each.text), each.expect);
    const session = new TestSession('session');
    check(session.run(each.text), each.expect);
    for (const next of each.then) check(session.run(next.text), next.expect);
    session.dispose();
  });
});

it('has three hundred programs with ids of their own', () => {
  const ids = files.flatMap((file) =>
    (JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as ProgramCase[]).map((each) => each.id),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(total).toBeGreaterThanOrEqual(300);
});
