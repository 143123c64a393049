/** The scenarios, the same for both subjects and both platforms, and how they are timed. */

import { bigResult } from './rows.ts';

export interface Opened {
  run(source: string): Promise<unknown>;
  /** The least a result can cost: milliseconds of `newString` and the guest's `JSON.parse`, in the worker itself. */
  parse?(json: string): Promise<number>;
  close(): Promise<void>;
}

/** A subject under measurement: one way to run programs. */
export interface Subject {
  readonly name: 'prototype' | 'ours';
  /** A new one; `spare` with a worker that is up already. */
  open(warm: boolean): Promise<Opened>;
}

export interface Row {
  readonly scenario: string;
  /** Median milliseconds. */
  readonly prototype: number;
  readonly ours: number;
}

export interface Settings {
  /** Rounds per row. */
  readonly rounds: number;
  /** Parts of row ids; none: all rows. */
  readonly rows: readonly string[];
}

interface Scenario {
  /** For `--rows`. */
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly expected: unknown;
  /** A new subject each time, and its start is part of the time (`cold`) or not (`spare`). */
  readonly fresh?: 'cold' | 'spare';
  /** The prototype only parses this; the whole run is compared with that. */
  readonly json?: () => string;
}

const SEQUENTIAL = 'let sum = 0; for (let i = 0; i < 1000; i++) sum += (await tools.echo({ i })).i; return sum;';
const PARALLEL =
  'const all = await Promise.all(Array.from({ length: 1000 }, (_, i) => tools.echo({ i }))); return all.reduce((sum, x) => sum + x.i, 0);';

const SCENARIOS: readonly Scenario[] = [
  { id: 'first-cold', name: 'first result, cold', source: 'return 1 + 1;', expected: 2, fresh: 'cold' },
  { id: 'first-spare', name: 'first result, warm spare', source: 'return 1 + 1;', expected: 2, fresh: 'spare' },
  { id: 'warm-run', name: 'warm run of 1 + 1', source: 'return 1 + 1;', expected: 2 },
  { id: 'calls-1', name: '1 call', source: 'return (await tools.echo({ i: 7 })).i;', expected: 7 },
  { id: 'calls-sequential', name: '1,000 calls, one after another', source: SEQUENTIAL, expected: 499_500 },
  { id: 'calls-parallel', name: '1,000 calls at once', source: PARALLEL, expected: 499_500 },
  {
    id: 'result-10mb',
    name: 'a result of 10 MB; prototype: newString and JSON.parse alone',
    source: 'return (await tools.orders({})).at(-1).id + 1 === (await tools.orders({ count: true }));',
    expected: true,
    json: () => bigResult().json,
  },
];

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function timed(work: () => Promise<unknown>, expected: unknown): Promise<number> {
  const before = performance.now();
  const value = await work();
  const ms = performance.now() - before;
  if (value !== expected) throw new Error(`A benchmark program returned ${String(value)} instead of ${String(expected)}.`);
  return ms;
}

async function freshRound(subject: Subject, scenario: Scenario): Promise<number> {
  if (scenario.fresh === 'spare') {
    const opened = await subject.open(true);
    const ms = await timed(() => opened.run(scenario.source), scenario.expected);
    await opened.close();
    return ms;
  }
  let close = async (): Promise<void> => {};
  const ms = await timed(async () => {
    const opened = await subject.open(false);
    close = opened.close;
    return opened.run(scenario.source);
  }, scenario.expected);
  await close();
  return ms;
}

/** Nothing of a start is left: spares are up, garbage of the last round is gone. Milliseconds. */
const SETTLE_MS = 150;

/** One run in a worker that has run the same program twice. */
async function warmRound(subject: Subject, { source, expected, json }: Scenario): Promise<number> {
  const opened = await subject.open(true);
  if (json && opened.parse) return parseRound(opened, opened.parse, json());
  for (let i = 0; i < 2; i++) await opened.run(source);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const ms = await timed(() => opened.run(source), expected);
  await opened.close();
  return ms;
}

async function parseRound(opened: Opened, parse: NonNullable<Opened['parse']>, json: string): Promise<number> {
  for (let i = 0; i < 2; i++) await parse(json);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const ms = await parse(json);
  await opened.close();
  return ms;
}

/** Rounds of both subjects interleaved; the first round of each only warms up. */
async function measureScenario(scenario: Scenario, subjects: readonly Subject[], rounds: number): Promise<Row> {
  const times: Record<Subject['name'], number[]> = { prototype: [], ours: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const subject of subjects) {
      const ms = await (scenario.fresh ? freshRound : warmRound)(subject, scenario);
      if (round > 0) times[subject.name].push(ms);
    }
  }
  return { scenario: scenario.name, prototype: median(times.prototype), ours: median(times.ours) };
}

export async function measure(subjects: readonly Subject[], { rounds, rows }: Settings): Promise<Row[]> {
  const wanted = SCENARIOS.filter(({ id }) => rows.length === 0 || rows.some((part) => id.includes(part)));
  const measured: Row[] = [];
  for (const scenario of wanted) measured.push(await measureScenario(scenario, subjects, rounds));
  return measured;
}
