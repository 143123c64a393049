/** The rows: which program is timed from which state on. Every subject plays the same text. */
import { ORDERS } from './data.ts';

/**
 * `cold`: a new process or page, its start included. `module`: a new worker where the WebAssembly is compiled already.
 * `spare`: a first program after everything was started. `kill`: right after an endless program was ended. `warm`: the
 * third run of a program. `cancel`: from the wish to its fulfilment. `many`: sixteen sessions at once.
 */
export type Kind = 'cold' | 'module' | 'spare' | 'kill' | 'warm' | 'cancel' | 'many';

/** What the issue asks of ours: at most so many times another subject, or so many milliseconds. */
export type Target = { readonly times: number; readonly subject: 'prototype' | 'platform' } | { readonly ms: number };

export interface Row {
  /** For `--rows`. */
  readonly id: string;
  readonly title: string;
  readonly kind: Kind;
  readonly source: string;
  readonly expected?: unknown;
  /** CPU time of the process instead of the clock, and the least of all rounds instead of the median. */
  readonly cpu?: true;
  readonly target?: Target;
  /** Only there; absent: on both platforms. */
  readonly platform?: 'node' | 'chromium';
  /** The journal beside it; only ours has one. */
  readonly storage?: 'indexeddb';
}

/** Sessions at once in the row of that name. */
export const SESSIONS = 16;

const ADD = 'return 1 + 1;';
const SEQUENTIAL = 'let sum = 0; for (let i = 0; i < 1000; i++) sum += (await tools.echo({ i })).i; return sum;';
const PARALLEL =
  'const all = await Promise.all(Array.from({ length: 1000 }, (_, i) => tools.echo({ i }))); return all.reduce((sum, x) => sum + x.i, 0);';
const SESSION =
  'let sum = 0; for (let i = 0; i < 20; i++) { sum += (await tools.echo({ i })).i; for (let k = 0; k < 20000; k++) sum += k % 2; } return sum;';
const ORDER_ROWS = (megabytes: 1 | 10): string => `return (await tools.orders({ megabytes: ${megabytes} })).length;`;

const FIB = 'const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); return fib(31);';
const JSON_TEXT =
  'let chars = 0; const rows = Array.from({ length: 20000 }, (_, i) => ({ id: i, name: "Customer " + i, tags: ["a", "b"], total: i / 7 })); for (let i = 0; i < 4; i++) { const text = JSON.stringify(rows); chars = text.length; JSON.parse(text); } return chars;';
const SORT =
  'let seed = 1; const next = () => (seed = (seed * 48271) % 2147483647); const list = Array.from({ length: 200000 }, next); list.sort((a, b) => a - b); return list[0] <= list[1];';
const REGEX =
  'const text = Array.from({ length: 60000 }, (_, i) => "order-" + i + " total=" + (i % 977) + ".50 EUR;").join(" "); let hits = 0; for (const m of text.matchAll(/order-(\\d+) total=(\\d+)\\.(\\d\\d)/g)) hits += m[2].length > 2 ? 1 : 0; return hits > 0;';

const cpu = (name: string, source: string, expected: unknown): Row => ({
  id: `cpu-${name}`,
  title: `CPU: ${name}`,
  kind: 'warm',
  source,
  expected,
  cpu: true,
  target: { times: 1.1, subject: 'platform' },
});

/** The call says that the program has come so far; what follows never returns. */
const endless = (id: string, what: string): Row => ({
  id: `cancel-${id}`,
  title: `cancel → settled: ${id.replaceAll('-', ' ')}`,
  kind: 'cancel',
  source: `await tools.echo({ i: 0 }); ${what}; return 1;`,
  target: { ms: 100 },
});

/** In the order of the table. */
export const ROWS: readonly Row[] = [
  {
    id: 'first-cold',
    title: 'first result in a new process, the package not imported yet',
    kind: 'cold',
    source: ADD,
    expected: 2,
    platform: 'node',
  },
  {
    id: 'first-module',
    title: 'first result, new worker with a compiled module',
    kind: 'module',
    source: ADD,
    expected: 2,
    target: { times: 1.2, subject: 'prototype' },
  },
  { id: 'first-spare', title: 'first result, with a spare', kind: 'spare', source: ADD, expected: 2, target: { ms: 3 } },
  { id: 'first-kill', title: 'first result after a kill', kind: 'kill', source: ADD, expected: 2 },
  {
    id: 'warm-run',
    title: 'warm run of 1 + 1',
    kind: 'warm',
    source: ADD,
    expected: 2,
    target: { times: 2, subject: 'platform' },
  },
  { id: 'calls-1', title: '1 call', kind: 'warm', source: 'return (await tools.echo({ i: 7 })).i;', expected: 7 },
  {
    id: 'calls-sequential',
    title: '1,000 calls, one after another',
    kind: 'warm',
    source: SEQUENTIAL,
    expected: 499_500,
    target: { times: 1.5, subject: 'prototype' },
  },
  {
    id: 'calls-parallel',
    title: '1,000 calls at once',
    kind: 'warm',
    source: PARALLEL,
    expected: 499_500,
    target: { times: 2, subject: 'prototype' },
  },
  {
    id: 'calls-sequential-stored',
    title: '1,000 calls, one after another, journal in IndexedDB',
    kind: 'warm',
    source: SEQUENTIAL,
    expected: 499_500,
    storage: 'indexeddb',
    platform: 'chromium',
  },
  {
    id: 'calls-parallel-stored',
    title: '1,000 calls at once, journal in IndexedDB',
    kind: 'warm',
    source: PARALLEL,
    expected: 499_500,
    storage: 'indexeddb',
    platform: 'chromium',
  },
  { id: 'result-1mb', title: 'a result of 1 MB', kind: 'warm', source: ORDER_ROWS(1), expected: ORDERS[1] },
  { id: 'result-10mb', title: 'a result of 10 MB', kind: 'warm', source: ORDER_ROWS(10), expected: ORDERS[10] },
  { id: 'sessions-16', title: '16 sessions at once, 20 calls each', kind: 'many', source: SESSION, expected: 200_190 },
  endless('computing-loop', 'for (;;);'),
  endless('indexOf-of-a-huge-list', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'),
  endless('includes-of-a-huge-list', 'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)'),
  endless('reverse-of-a-huge-list', 'Array.prototype.reverse.call({ length: 2 ** 53 - 1 })'),
  endless('join-of-a-sparse-list', 'const list = []; list[4e9] = 1; list.join("")'),
  endless('sort-of-a-sparse-list', 'const list = []; list[4e9] = 1; list.sort()'),
  endless('forEach-without-hits', 'Array.prototype.forEach.call({ length: 2 ** 53 - 1 }, () => {})'),
  endless(
    'stringify-of-a-shared-graph',
    'let node = {}; for (let i = 0; i < 40; i++) node = { a: node, b: node }; JSON.stringify(node)',
  ),
  endless('quadratic-indexOf', '("a".repeat(5e6) + "b").indexOf("a".repeat(2e6) + "c")'),
  cpu('fib', FIB, 1_346_269),
  cpu('JSON', JSON_TEXT, undefined),
  cpu('sort', SORT, true),
  cpu('regex', REGEX, true),
];
