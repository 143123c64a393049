'use client';
import { useCallback, useState } from 'react';
import type { Panel } from './dialog-context.ts';
import { ONCE, type ScopeChoice } from './scopes.ts';

/** What a person has begun about one question; forgotten with it. */
interface Draft {
  readonly callId: string | undefined;
  readonly panel: Panel;
  readonly opened: ReadonlySet<string>;
  readonly scope: ScopeChoice;
}

export interface Drafts extends Omit<Draft, 'callId'> {
  readonly status: string;
  setPanel(callId: string, panel: Panel): void;
  setScope(callId: string, scope: ScopeChoice): void;
  toggle(callId: string, path: string): void;
  setStatus(status: string): void;
}

const NOTHING_OPEN: ReadonlySet<string> = new Set();
const fresh = (callId: string | undefined): Draft => ({ callId, panel: 'ask', opened: NOTHING_OPEN, scope: ONCE });

/** Drafts of a surface, kept above it because the guard needs to know the panel. */
export function useDrafts(): (callId: string | undefined) => Drafts {
  const [draft, setDraft] = useState<Draft>(() => fresh(undefined));
  const [status, setStatus] = useState('');
  return useCallback(
    (callId) => {
      const { panel, opened, scope } = draft.callId === callId ? draft : fresh(callId);
      const change = (id: string, next: (old: Draft) => Partial<Draft>): void =>
        setDraft((old) => {
          const own = old.callId === id ? old : fresh(id);
          return { ...own, ...next(own) };
        });
      return {
        panel,
        opened,
        scope,
        status,
        setStatus,
        setPanel: (id, to) => change(id, () => ({ panel: to })),
        setScope: (id, to) => change(id, () => ({ scope: to })),
        toggle: (id, path) => change(id, (old) => ({ opened: toggled(old.opened, path) })),
      };
    },
    [draft, status],
  );
}

function toggled(set: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(path)) next.add(path);
  return next;
}
