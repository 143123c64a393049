import type { Seat, SessionOwnership } from './ownership.ts';
import { openTabChannel } from './tab-channel.ts';

/** A page that is being reloaded lets go of its locks a moment after the new one starts. Milliseconds. */
const HANDOVER_MS = 200;

/** One owner by Web Locks: the browser gives the session to the next page when the owner's is gone, however it went. */
export function webLockOwnership(name: string): SessionOwnership {
  const lockOf = (sessionId: string): string => `react-code-mode/${name}/${sessionId}`;
  return {
    join: (sessionId) => join(name, sessionId, lockOf(sessionId)),
    whileFree: (sessionId, work) =>
      navigator.locks.request(lockOf(sessionId), { ifAvailable: true }, async (lock) => {
        if (lock) await work();
        return lock !== null;
      }),
  };
}

async function join(name: string, sessionId: string, lock: string): Promise<Seat> {
  const channel = openTabChannel(name, sessionId);
  const leaving = new AbortController();
  let role: Seat['role'] = 'viewer';
  let changed: (role: Seat['role']) => void = () => undefined;
  let letGo: () => void = () => undefined;

  const granted = new Promise<void>((resolve, reject) => {
    const hold = async (): Promise<void> => {
      if (leaving.signal.aborted) return;
      role = 'owner';
      channel.setOwner(true);
      resolve();
      changed(role);
      await new Promise<void>((release) => {
        letGo = release;
      });
    };
    navigator.locks.request(lock, { signal: leaving.signal }, hold).catch(reject);
  });
  granted.catch(() => undefined); // left before it was granted
  await Promise.race([granted, new Promise((resolve) => setTimeout(resolve, HANDOVER_MS))]);

  return {
    get role() {
      return role;
    },
    onRole(listener) {
      changed = listener;
    },
    publish: channel.publish,
    onEvents: channel.onEvents,
    ask: channel.ask,
    onAsk: channel.onAsk,
    leave() {
      leaving.abort();
      letGo();
      channel.close();
    },
  };
}
