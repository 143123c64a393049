'use client';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import type { CodeMode, Session } from '../session/types.ts';
import { type CodeModeScope, ScopeContext } from './context.ts';
import type { Labels } from './labels.ts';
import { useAttachedSession } from './use-session.ts';

export interface CodeModeProviderProps {
  /** A code mode of the application, or what `useCodeMode` returned. */
  readonly value: CodeMode | { readonly codeMode: CodeMode | undefined; readonly session: Session | undefined };
  /** Session that views below show. @default 'default' for a code mode, the hook's own for a hook's result */
  readonly sessionId?: string;
  readonly labels?: Partial<Labels>;
  readonly children?: ReactNode;
}

/** Gives the views below their session and their words. Unmounting it ends nothing. */
export function CodeModeProvider({ value, sessionId, labels, children }: CodeModeProviderProps): ReactElement {
  const ready = isCodeMode(value);
  const codeMode = ready ? value : value.codeMode;
  const opened = useAttachedSession(ready || sessionId !== undefined ? codeMode : undefined, sessionId);
  const session = opened ?? (ready ? undefined : value.session);
  const scope = useMemo<CodeModeScope>(
    () => ({ ...(codeMode && { codeMode }), ...(session && { session }), ...(labels && { labels }) }),
    [codeMode, session, labels],
  );
  return <ScopeContext.Provider value={scope}>{children}</ScopeContext.Provider>;
}

function isCodeMode(value: CodeModeProviderProps['value']): value is CodeMode {
  return typeof value.session === 'function';
}
