/** Length of a digest in hexadecimal digits. */
export const DIGEST_LENGTH = 32;

/**
 * A stable 128-bit fingerprint of a text as 32 hexadecimal digits. Fast and well mixed, not cryptographic: it tells texts
 * apart, it does not stop somebody who builds two texts with one digest. The whole text matters, unit by unit, so NUL, lone
 * surrogates and trailing spaces count.
 */
export function digest(text: string): string {
  // Four words that feed each other in a ring: a changed unit reaches all of them within four steps.
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let d = 0x13198a2e;
  const even = text.length & ~1;
  for (let i = 0; i < even; i += 2) {
    const unit = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16);
    a = Math.imul(a ^ unit, 0x85ebca6b) ^ b;
    b = Math.imul(((b << 13) | (b >>> 19)) ^ unit, 0xc2b2ae35) + c;
    c = Math.imul(c ^ a, 0x27d4eb2f) ^ d;
    d = Math.imul(((d << 17) | (d >>> 15)) ^ b, 0x165667b1) + a;
  }
  if (even < text.length) a = Math.imul(a ^ text.charCodeAt(even), 0x85ebca6b) ^ b;
  // The length last, so that "a" and "a\0" differ; three rounds spread it.
  a ^= text.length;
  for (let round = 0; round < 3; round++) {
    a = finish(a + d);
    b = finish(b ^ a);
    c = finish(c + b);
    d = finish(d ^ c);
  }
  return hex(a) + hex(b) + hex(c) + hex(d);
}

/** Avalanche of one word: shifts and odd multipliers, a bijection. */
function finish(word: number): number {
  let h = word ^ (word >>> 16);
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return h ^ (h >>> 16);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
