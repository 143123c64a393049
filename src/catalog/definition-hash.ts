/**
 * Identity of a tool's definition: what a person allowed once must not silently become something else.
 *
 * Decided: SHA-256 computed here, instead of `crypto.subtle`, because a bad tool set is refused in the same turn it is given
 * (`subtle` only answers later), and because pages without HTTPS have no `subtle`, so one tool would have two identities.
 */
import { canonicalJson } from './plain-json.ts';

const encoder = new TextEncoder();

/** Hash of plain JSON as 64 hex digits; the order of fields does not matter. */
export function hashJson(value: unknown): string {
  return sha256(encoder.encode(canonicalJson(value)));
}

/** First 32 bits of the fractional parts of roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
function rootBits(prime: number, root: number): number {
  return ((prime ** (1 / root) % 1) * 0x1_0000_0000) | 0;
}

const PRIMES = firstPrimes(64);
const ROUND = Int32Array.from(PRIMES, (prime) => rootBits(prime, 3));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => rootBits(prime, 2));

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

/** SHA-256 (FIPS 180-4) as 64 hex digits. */
export function sha256(message: Uint8Array): string {
  const padded = pad(message);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let offset = 0; offset < padded.byteLength; offset += 64) compress(state, words, padded, offset);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** A one bit, zeros, and the length in bits as 64 bits at the end of the last block of 64 bytes. */
function pad(message: Uint8Array): DataView {
  const bytes = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 0x2000_0000));
  view.setUint32(bytes.length - 4, message.length << 3);
  return view;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function compress(state: Int32Array, w: Int32Array, block: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = block.getInt32(offset + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] as number) + (w[i] as number)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const sums = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = ((state[i] as number) + (sums[i] as number)) | 0;
}
