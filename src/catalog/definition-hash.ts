/**
 * Identity of a tool's definition: what a person allowed once must not silently become something else.
 *
 * Decided: SHA-256 of a library instead of `crypto.subtle`, because a bad tool set is refused in the same turn it is given
 * (`subtle` only answers later), and because pages without HTTPS have no `subtle`, so one tool would have two identities.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { canonicalJson } from './plain-json.ts';

/** Hash of plain JSON as 64 hex digits; the order of fields does not matter. */
export function hashJson(value: unknown): string {
  const digest = sha256(new TextEncoder().encode(canonicalJson(value)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
