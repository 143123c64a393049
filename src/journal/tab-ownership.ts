import { leaseOwnership } from './lease-ownership.ts';
import type { SessionOwnership } from './ownership.ts';
import { webLockOwnership } from './web-lock-ownership.ts';

/** What this page has: Web Locks, else (no HTTPS) a lease by BroadcastChannel. @param name of the database the sessions are in */
export function tabOwnership(name: string): SessionOwnership {
  const made = (): SessionOwnership =>
    typeof navigator === 'object' && navigator.locks ? webLockOwnership(name) : leaseOwnership(name);
  let chosen: SessionOwnership | undefined;
  // Chosen when first used: during server rendering there is neither.
  const ownership = (): SessionOwnership => (chosen ??= made());
  return {
    join: (sessionId) => ownership().join(sessionId),
    whileFree: (sessionId, work) => ownership().whileFree(sessionId, work),
  };
}
