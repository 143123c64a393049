'use client';
import { useCallback, useId, useMemo, useState } from 'react';
import type { DecisionReceipt } from '../../policy/types.ts';
import { formatOf } from '../context.ts';
import type { Labels } from '../labels.ts';
import { collapsedPaths } from '../text/collapse.ts';
import { secretPaths } from '../../journal/secrets.ts';
import { useValue } from '../use-value.ts';
import type { DialogModel, Panel } from './dialog-context.ts';
import type { Approval } from './use-approval.ts';

const NOTHING_OPEN: ReadonlySet<string> = new Set();

/** State that belongs to one question and is forgotten with it. */
interface Draft {
  readonly callId: string | undefined;
  readonly panel: Panel;
  readonly opened: ReadonlySet<string>;
}

export interface Drafts {
  readonly panel: Panel;
  readonly opened: ReadonlySet<string>;
  readonly status: string;
  setPanel(callId: string, panel: Panel): void;
  toggle(callId: string, path: string): void;
  setStatus(status: string): void;
}

/** Drafts of the dialog, kept above it because the guard needs to know the panel. */
export function useDrafts(): (callId: string | undefined) => Drafts {
  const [draft, setDraft] = useState<Draft>({ callId: undefined, panel: 'ask', opened: NOTHING_OPEN });
  const [status, setStatus] = useState('');
  return useCallback(
    (callId) => {
      const own = draft.callId === callId ? draft : { callId, panel: 'ask' as const, opened: NOTHING_OPEN };
      const change = (id: string, next: (old: Draft) => Draft): void =>
        setDraft((old) => next(old.callId === id ? old : { callId: id, panel: 'ask', opened: NOTHING_OPEN }));
      return {
        panel: own.panel,
        opened: own.opened,
        status,
        setStatus,
        setPanel: (id, panel) => change(id, (old) => ({ ...old, panel })),
        toggle: (id, path) => change(id, (old) => ({ ...old, opened: toggled(old.opened, path) })),
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

/** Everything the parts need about the current question, or `undefined` when there is none. */
export function useDialogModel(approval: Approval, drafts: Drafts, labels: Labels): DialogModel | undefined {
  const { request, session } = approval;
  const id = useId();
  const [editFooter, setEditFooter] = useState<HTMLElement | null>(null);
  const input = useValue(session, request?.approval.input);
  const tool = request?.call.tool;
  const secrets = useMemo(
    () =>
      secretPaths(
        input.status === 'ready' ? input.value : undefined,
        tool === undefined ? undefined : session?.tool?.(tool)?.inputJsonSchema,
      ),
    [input, session, tool],
  );
  const unopened = useMemo(
    () => (input.status === 'ready' ? collapsedPaths(input.value, secrets).filter((path) => !drafts.opened.has(path)).length : 0),
    [input, secrets, drafts.opened],
  );
  const { setStatus } = drafts;
  const settle = useCallback(
    async (decision: Promise<DecisionReceipt>, done: string): Promise<DecisionReceipt | undefined> => {
      try {
        const receipt = await decision;
        setStatus(receiptWords(receipt, done, labels));
        return receipt;
      } catch (error) {
        setStatus(labels.decideFailed(error instanceof Error ? error.message : String(error)));
        return undefined;
      }
    },
    [setStatus, labels],
  );
  return useMemo(() => {
    if (!request) return undefined;
    return {
      approval,
      request,
      labels,
      format: formatOf(labels),
      panel: drafts.panel,
      setPanel: (panel) => drafts.setPanel(request.call.id, panel),
      input,
      secrets,
      opened: drafts.opened,
      toggle: (path) => drafts.toggle(request.call.id, path),
      unopened,
      settle,
      status: drafts.status,
      editFooter,
      setEditFooter,
      titleId: `${id}title`,
      questionId: `${id}question`,
    };
  }, [approval, request, labels, drafts, input, secrets, unopened, settle, editFooter, id]);
}

function receiptWords(receipt: DecisionReceipt, done: string, labels: Labels): string {
  if (receipt.applied) return done;
  switch (receipt.why) {
    case 'already_decided':
      return labels.alreadyDecided;
    case 'ended':
      return labels.alreadyEnded;
    case 'expired':
      return labels.expired;
    case 'denied_by_policy':
      return labels.deniedByPolicy;
    case 'invalid_input':
      return labels.issues(Math.max(1, receipt.issues?.length ?? 1));
  }
}
