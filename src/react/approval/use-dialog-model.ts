'use client';
import { useCallback, useId, useMemo, useState } from 'react';
import type { DecisionReceipt } from '../../policy/types.ts';
import { formatOf } from '../context.ts';
import type { Labels } from '../labels.ts';
import { collapsedPaths } from '../text/collapse.ts';
import { secretPaths } from '../../journal/secrets.ts';
import { visibleText } from '../text/visible-text.ts';
import { useValue } from '../use-value.ts';
import type { DialogModel } from './dialog-context.ts';
import { permissionOf } from './scopes.ts';
import type { Approval } from './use-approval.ts';
import type { Drafts } from './use-drafts.ts';

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
  const settle = useSettle(drafts.setStatus, labels);
  return useMemo(() => {
    if (!request) return undefined;
    const { id: callId } = request.call;
    return {
      approval,
      request,
      labels,
      format: formatOf(labels),
      panel: drafts.panel,
      setPanel: (panel) => drafts.setPanel(callId, panel),
      input,
      secrets,
      opened: drafts.opened,
      toggle: (path) => drafts.toggle(callId, path),
      unopened,
      settle: async (decision, done) => {
        const receipt = await settle(decision, done);
        const permission = permissionOf(drafts.scope);
        if (!receipt?.applied || !permission) return receipt;
        if (receipt.grant) {
          const words = labels.permission(visibleText(request.call.tool), permission.match, permission.scope);
          drafts.setStatus(labels.remembered(words));
        } else if (receipt.notRemembered !== undefined) drafts.setStatus(labels.notRemembered);
        return receipt;
      },
      status: drafts.status,
      scope: drafts.scope,
      setScope: (scope) => drafts.setScope(callId, scope),
      editFooter,
      setEditFooter,
      titleId: `${id}title`,
      questionId: `${id}question`,
    };
  }, [approval, request, labels, drafts, input, secrets, unopened, settle, editFooter, id]);
}

/** Applies a decision and tells how it went. */
export function useSettle(setStatus: (words: string) => void, labels: Labels): DialogModel['settle'] {
  return useCallback(
    async (decision, done) => {
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
