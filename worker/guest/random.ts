/** `Math.random` and `crypto` from a seeded generator (xoshiro128**): the same seed gives the same program run. */
import { apply, charCode, define, getOwnPropertyDescriptor, getPrototypeOf, NativeTypeError } from './primordials.ts';

let a = 1;
let b = 2;
let c = 3;
let d = 4;

/** All zero would stay zero: one bit is set then. */
export function seed(words: readonly [number, number, number, number]): void {
  a = words[0] | 0;
  b = words[1] | 0;
  c = words[2] | 0;
  d = words[3] | 0;
  if ((a | b | c | d) === 0) a = 1;
}

const { imul } = Math;

/** 32 random bits, unsigned. */
function next(): number {
  let result = imul(b, 5);
  result = imul((result << 7) | (result >>> 25), 9);
  const t = b << 9;
  c ^= a;
  d ^= b;
  b ^= c;
  a ^= d;
  c ^= t;
  d = (d << 11) | (d >>> 21);
  return result >>> 0;
}

const HEX = '0123456789abcdef';

function uuid(): string {
  let text = '';
  for (let i = 0; i < 36; i++) {
    if (i === 8 || i === 13 || i === 18 || i === 23) text += '-';
    else if (i === 14) text += '4';
    else text += HEX[i === 19 ? 8 + (next() >>> 30) : next() >>> 28]!;
  }
  return text;
}

const typedPrototype = getPrototypeOf(Uint8Array.prototype) as object;
const kindOf = getOwnPropertyDescriptor(typedPrototype, Symbol.toStringTag)!.get!;
const bufferOf = getOwnPropertyDescriptor(typedPrototype, 'buffer')!.get!;
const offsetOf = getOwnPropertyDescriptor(typedPrototype, 'byteOffset')!.get!;
const bytesOf = getOwnPropertyDescriptor(typedPrototype, 'byteLength')!.get!;
const Bytes = Uint8Array;
const MAX_BYTES = 65_536;

function fill<T extends object>(target: T): T {
  const kind = apply(kindOf, target, []) as string | undefined;
  // Integer arrays only, as in browsers: 'F' is Float16Array and its kin.
  if (kind === undefined || charCode(kind, 0) === 70)
    throw new NativeTypeError('crypto.getRandomValues takes an integer typed array');
  const length = apply(bytesOf, target, []) as number;
  if (length > MAX_BYTES) throw new NativeTypeError(`crypto.getRandomValues fills at most ${MAX_BYTES} bytes at once`);
  const bytes = new Bytes(apply(bufferOf, target, []), apply(offsetOf, target, []), length);
  for (let i = 0; i < length; i++) bytes[i] = next();
  return target;
}

export function installRandom(): void {
  define(Math, 'random', () => ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992);
  define(globalThis, 'crypto', { getRandomValues: fill, randomUUID: () => uuid() });
}
