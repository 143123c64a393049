import type { DecisionReceipt } from '../policy/types.ts';
import type { Session } from '../session/types.ts';
import { callById } from '../store/calls.ts';

/** Allows a waiting call once, with the input it was asked about. */
export function approve(session: Session, callId: string): Promise<DecisionReceipt> {
  const inputDigest = callById(session.store.getState(), callId)?.approval?.inputDigest;
  return session.decide(callId, { kind: 'allow', scope: 'once', ...(inputDigest !== undefined && { inputDigest }) });
}

/** Denies a waiting call. */
export function deny(session: Session, callId: string, reason?: string): Promise<DecisionReceipt> {
  return session.decide(callId, { kind: 'deny', ...(reason !== undefined && { reason }) });
}

/**
 * Id of the first call that waits for a person, as soon as there is one.
 * @throws Error after `timeoutMs` (5000) without one
 */
export function nextApproval(session: Session, timeoutMs = 5_000): Promise<string> {
  const { promise, resolve, reject } = withResolvers<string>();
  const look = (): void => {
    const first = session.store.getState().pending[0];
    if (first !== undefined) resolve(first);
  };
  const timer = setTimeout(
    () => reject(new Error(`No call of the session ${session.id} waited for approval within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  const stop = session.store.subscribe(look);
  look();
  return promise.finally(() => {
    stop();
    clearTimeout(timer);
  });
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: Error) => void } {
  let resolve!: (value: T) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
