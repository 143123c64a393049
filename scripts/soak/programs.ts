/** The runs of a soak: what conversations do in a day, and a tenth that has to be ended. */
import type { RunOutcome } from 'react-code-mode/core';

/** How a run of this kind must end: a status and, where it failed, the codes that are right. */
export interface Expected {
  readonly status: RunOutcome['status'];
  readonly codes?: readonly string[];
  readonly value?: unknown;
}

export interface Program {
  readonly name: string;
  /** Out of 1000. */
  readonly weight: number;
  /** Ended together with its worker. */
  readonly killed?: true;
  /** Runs under a short `timeoutMs`, and out of time it must end; everything else has all the time a busy machine needs. */
  readonly hurried?: true;
  /** From outside, once its `mark` call has come. */
  readonly cancel?: 'run' | 'signal' | 'session';
  source(n: number): string;
  expected(n: number): Expected;
}

const completes = (value: unknown): Expected => ({ status: 'completed', value });
const fails = (...codes: string[]): Expected => ({ status: 'failed', codes });
const cancelled: Expected = { status: 'cancelled' };

const VALUES: readonly Program[] = [
  { name: 'number', weight: 120, source: (n) => `return ${n} + 1;`, expected: (n) => completes(n + 1) },
  {
    name: 'text of 20 kB',
    weight: 60,
    source: (n) => `return 'x'.repeat(20000 + ${n % 7}).length;`,
    expected: (n) => completes(20_000 + (n % 7)),
  },
  {
    name: 'list, map and date',
    weight: 60,
    source: (n) => `const m = new Map([[1, new Date(0)], [2, [${n}]]]); return (() => m)();`,
    expected: () => ({ status: 'completed' }),
  },
  {
    name: 'console output',
    weight: 60,
    source: (n) => `for (let i = 0; i < 20; i++) console.log('line', i, { n: ${n} }); return 1;`,
    expected: () => completes(1),
  },
  { name: 'TypeScript', weight: 30, source: (n) => `const n: number = ${n}; return n as number;`, expected: (n) => completes(n) },
];

const CALLS: readonly Program[] = [
  {
    name: 'three calls in order',
    weight: 130,
    source: (n) => `let sum = 0; for (let i = 0; i < 3; i++) sum += (await tools.echo({ i: ${n} + i })).i; return sum;`,
    expected: (n) => completes(3 * n + 3),
  },
  {
    name: 'twelve calls at once',
    weight: 90,
    source: () =>
      'const all = await Promise.all(Array.from({ length: 12 }, (_, i) => tools.echo({ i }))); return all.reduce((s, x) => s + x.i, 0);',
    expected: () => completes(66),
  },
  {
    name: 'a result of 60 kB',
    weight: 40,
    source: () => 'return (await tools.rows({ count: 1000 })).length;',
    expected: () => completes(1000),
  },
  {
    name: 'timers beside calls',
    weight: 40,
    source: (n) =>
      `const t = new Promise((r) => setTimeout(() => r(1), 3)); const c = tools.echo({ i: ${n} }); return (await t) + (await c).i;`,
    expected: (n) => completes(n + 1),
  },
];

const APPROVALS: readonly Program[] = [
  {
    name: 'an approval, allowed',
    weight: 70,
    source: (n) => `return (await tools.pay({ amount: ${2 * n} })).paid;`,
    expected: (n) => completes(2 * n),
  },
  {
    name: 'an approval, denied and caught',
    weight: 40,
    source: (n) => `try { await tools.pay({ amount: ${2 * n + 1} }); return 'paid'; } catch (e) { return 'denied'; }`,
    expected: () => completes('denied'),
  },
  {
    name: 'three approvals at once',
    weight: 20,
    source: (n) => `const all = await Promise.all([2, 4, 6].map((k) => tools.pay({ amount: ${2 * n} + k }))); return all.length;`,
    expected: () => completes(3),
  },
];

const FAILURES: readonly Program[] = [
  {
    name: 'a program that throws',
    weight: 30,
    source: (n) => `throw new Error('no ${n}');`,
    expected: () => fails('program_error'),
  },
  { name: 'no program', weight: 15, source: () => 'return ((;', expected: () => fails('syntax_error') },
  {
    name: 'a tool that throws',
    weight: 25,
    source: () => 'await tools.broken({}); return 1;',
    expected: () => fails('tool_error'),
  },
  {
    name: 'a wrong input',
    weight: 15,
    source: () => "const i = () => 'text'; await tools.echo({ i: i() }); return 1;",
    expected: () => fails('invalid_input'),
  },
  { name: 'a deadlock', weight: 15, source: () => 'await new Promise(() => {}); return 1;', expected: () => fails('deadlock') },
];

const CANCELS: readonly Program[] = [
  {
    name: 'cancelled while it waits for a tool',
    weight: 20,
    cancel: 'run',
    source: () => 'await tools.mark({}); await tools.never({}); return 1;',
    expected: () => cancelled,
  },
  {
    name: 'aborted by its signal while it waits for a timer',
    weight: 20,
    cancel: 'signal',
    source: () => 'await tools.mark({}); await new Promise((r) => setTimeout(r, 1e6)); return 1;',
    expected: () => cancelled,
  },
];

const LOOP = 'for (;;);';
const NATIVE = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);';

const KILLED: readonly Program[] = [
  {
    name: 'killed: a loop, cancelled',
    weight: 25,
    cancel: 'run',
    source: () => `await tools.mark({}); ${LOOP}`,
    expected: () => cancelled,
  },
  {
    name: 'killed: a native that never returns, cancelled',
    weight: 25,
    cancel: 'run',
    source: () => `await tools.mark({}); ${NATIVE}`,
    expected: () => cancelled,
  },
  {
    name: 'killed: its session ends while it computes',
    weight: 5,
    cancel: 'session',
    source: () => `await tools.mark({}); ${LOOP}`,
    expected: () => cancelled,
  },
  {
    name: 'killed: memory',
    weight: 25,
    source: () => "const kept = []; for (;;) kept.push('x'.repeat(65536) + kept.length);",
    expected: () => fails('memory_limit'),
  },
  {
    name: 'killed: endless recursion',
    weight: 14,
    source: () => 'const f = () => f() + 1; return f();',
    expected: () => fails('stack_overflow'),
  },
  { name: 'killed: a loop, out of time', weight: 3, hurried: true, source: () => LOOP, expected: () => fails('timeout') },
  { name: 'killed: a native, out of time', weight: 3, hurried: true, source: () => NATIVE, expected: () => fails('timeout') },
];

/** All of them; the killed ones are a tenth. */
export const PROGRAMS: readonly Program[] = [
  ...VALUES,
  ...CALLS,
  ...APPROVALS,
  ...FAILURES,
  ...CANCELS,
  ...KILLED.map((program) => ({ ...program, killed: true as const })),
];
