'use client';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Session } from '../../session/types.ts';
import { type ApprovalUi, approvalUi } from './approval-ui.ts';

const NO_UI = createStore<ApprovalUi>(() => ({ later: false, open: false, dialogs: [] }));

/** Marks of the asking that all views of a session share. */
export function useApprovalUi(session: Session | undefined): ApprovalUi {
  return useStore(session ? approvalUi(session) : NO_UI);
}

/** Whether a dialog is mounted that `review` can open. */
export function useCanReview(session: Session | undefined): boolean {
  return useApprovalUi(session).dialogs.length > 0;
}
