'use client';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Session } from '../../session/types.ts';
import { type ApprovalUi, approvalUi, NO_UI } from './approval-ui.ts';

const IDLE = createStore<ApprovalUi>(() => NO_UI);

/** Marks of the asking that all views of a session share. */
export function useApprovalUi(session: Session | undefined): ApprovalUi {
  return useStore(session ? approvalUi(session) : IDLE);
}

/** Whether a dialog is mounted that `review` can open. */
export function useCanReview(session: Session | undefined): boolean {
  return useApprovalUi(session).dialogs.length > 0;
}
