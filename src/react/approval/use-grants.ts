'use client';
import { useCallback, useMemo } from 'react';
import type { GrantView, SessionState } from '../../store/state.ts';
import { useSelected } from '../use-selected.ts';
import { useSession } from '../use-session.ts';
import type { SessionChoice } from '../use-trace.ts';

/** The permissions in force. */
export interface Grants {
  /** Oldest first. */
  readonly list: readonly GrantView[];
  /** Takes one back. Rejects when the application could not forget it; it is out of force all the same. */
  revoke(grantId: string): Promise<boolean>;
}

const grantsOf = (state: SessionState): readonly GrantView[] => state.grants;

/** Permissions that people gave in this session, and the way to take them back. */
export function useGrants(options: SessionChoice = {}): Grants {
  const session = useSession(options.session);
  const list = useSelected(session, grantsOf, Object.is);
  const revoke = useCallback(async (grantId: string) => (session ? session.grants.revoke(grantId) : false), [session]);
  return useMemo(() => ({ list, revoke }), [list, revoke]);
}
