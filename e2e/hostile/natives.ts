/** Built-in functions of the engine that run for very long, each as a program. Data only: tests and the benchmark read it. */

export interface NativeProgram {
  readonly name: string;
  readonly program: string;
  /** The engine asks in between whether to stop; all the others only end with their worker. */
  readonly polls?: boolean;
}

const ENDLESS = '{ length: 2 ** 53 - 1 }';
/** Takes no memory, yet has four thousand million places. */
const SPARSE = 'const a = []; a.length = 2 ** 32 - 1;';

export const NATIVES: readonly NativeProgram[] = [
  { name: 'indexOf of a list without end', program: `Array.prototype.indexOf.call(${ENDLESS}, 1)` },
  { name: 'includes', program: `Array.prototype.includes.call(${ENDLESS}, 1)` },
  { name: 'lastIndexOf', program: `Array.prototype.lastIndexOf.call(${ENDLESS}, 1)` },
  { name: 'reverse', program: `Array.prototype.reverse.call(${ENDLESS})` },
  { name: 'copyWithin', program: `Array.prototype.copyWithin.call(${ENDLESS}, 1, 0)` },
  { name: 'unshift', program: `Array.prototype.unshift.call({ length: 2 ** 53 - 2 }, 1)` },
  { name: 'splice', program: `Array.prototype.splice.call(${ENDLESS}, 0, 1)` },
  { name: 'forEach without hits', program: `Array.prototype.forEach.call(${ENDLESS}, () => {})` },
  { name: 'reduce without hits', program: `Array.prototype.reduce.call(${ENDLESS}, () => {})` },
  { name: 'join of a sparse array', program: `${SPARSE} a.join('')` },
  { name: 'sort of a sparse array', program: `${SPARSE} a.sort()` },
  { name: 'concat of a sparse array', program: `${SPARSE} a.concat([1])` },
  { name: 'flat of shared lists', program: `let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; a.flat(Infinity)` },
  { name: 'fill', program: `for (;;) new Array(1e7).fill(0)` },
  { name: 'from', program: `Array.from({ length: 5e7 })` },
  { name: 'JSON.stringify of shared lists', program: `let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; JSON.stringify(a)` },
  { name: 'JSON.parse', program: `const t = '[' + '1,'.repeat(4e6) + '1]'; for (;;) JSON.parse(t)` },
  { name: 'String.indexOf', program: `'a'.repeat(8e6).indexOf('a'.repeat(4e6) + 'b')` },
  { name: 'String.repeat', program: `const s = 'xy'.repeat(1e7); for (;;) s.repeat(1)` },
  { name: 'String.replaceAll', program: `const s = 'a'.repeat(3e6); for (;;) s.replaceAll('a', 'bb')` },
  { name: 'String.split', program: `const s = 'a'.repeat(6e6); for (;;) s.split('')` },
  { name: 'String.normalize', program: `const s = '\\u0344'.repeat(3e6); for (;;) s.normalize('NFD')` },
  { name: 'localeCompare of the host', program: `const s = 'é'.repeat(1e5); for (;;) s.localeCompare(s + 'a')` },
  { name: 'encodeURIComponent', program: `const s = 'ü'.repeat(5e6); for (;;) encodeURIComponent(s)` },
  { name: 'parseFloat', program: `const s = '1'.repeat(2e7); for (;;) parseFloat(s)` },
  { name: 'a power of BigInt', program: `(7n ** 3_000_000n) % 3n` },
  { name: 'a product of BigInt', program: `let x = 3n ** 600_000n; x * x * x * x % 7n` },
  { name: 'a source of millions of terms', program: `(0, eval)('1' + '+1'.repeat(2e6))` },
  { name: 'a function of a million parameters', program: `new Function('a' + ',a'.repeat(1e6), '')` },
  { name: 'sort with a comparator without end', program: `[3, 2, 1].sort(() => { for (;;); })`, polls: true },
  { name: 'sort of numbers', program: `const t = new Float64Array(1e5); for (;;) t.sort()` },
  { name: 'a regular expression that goes back again and again', program: `/(a+)+b/.test('a'.repeat(60))`, polls: true },
  { name: 'a regular expression that looks ahead', program: `/(?=(a*)*b)/.test('a'.repeat(1e5))`, polls: true },
  { name: 'a proxy whose keys never come', program: `Object.keys(new Proxy({}, { ownKeys() { for (;;); } }))`, polls: true },
];

/** One of each four (or so), or all of them. */
export function sampleNatives(seed: number | 'all', of = 4): readonly NativeProgram[] {
  return seed === 'all' ? NATIVES : NATIVES.filter((_, index) => (index + seed) % of === 0);
}
