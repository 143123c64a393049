'use client';
import { useContext, useSyncExternalStore } from 'react';
import type { CodeMode, Session } from '../session/types.ts';
import { ScopeContext } from './context.ts';

/** Id of the session that views without a `sessionId` share inside one provider. */
export const DEFAULT_SESSION_ID = 'default';

const never = (): (() => void) => () => {};
const nothing = (): undefined => undefined;

/**
 * Opens the session of that id, or returns the open one. Nothing on a server. Unmounting ends nothing: the code mode
 * owns its sessions.
 */
export function useAttachedSession(codeMode: CodeMode | undefined, sessionId: string = DEFAULT_SESSION_ID): Session | undefined {
  // `codeMode.session` is a look-up by id: calling it twice gives the same object.
  return useSyncExternalStore<Session | undefined>(never, () => codeMode?.session({ id: sessionId }), nothing);
}

/** The session of a view: its own `session`, else the provider's. `undefined` on a server and before the hook's effect. */
export function useSession(own?: Session): Session | undefined {
  const scope = useContext(ScopeContext);
  return own ?? scope.session;
}
