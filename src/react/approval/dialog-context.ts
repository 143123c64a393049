'use client';
import { type Context, createContext, useContext } from 'react';
import type { DecisionReceipt } from '../../policy/types.ts';
import type { Labels } from '../labels.ts';
import type { Format } from '../text/format.ts';
import type { SecretPaths } from '../../journal/secrets.ts';
import type { ReadState } from '../use-value.ts';
import type { ApprovalRequest } from './asked.ts';
import type { ScopeChoice } from './scopes.ts';
import type { Approval } from './use-approval.ts';

/** Which set of buttons the dialog shows. */
export type Panel = 'ask' | 'deny' | 'edit' | 'queue';

/** What the parts of a dialog share about the question on screen. */
export interface DialogModel {
  readonly approval: Approval;
  readonly request: ApprovalRequest;
  readonly labels: Labels;
  readonly format: Format;
  readonly panel: Panel;
  setPanel(panel: Panel): void;
  /** The input that will run, decoded. */
  readonly input: ReadState;
  readonly secrets: SecretPaths;
  readonly opened: ReadonlySet<string>;
  toggle(path: string): void;
  /** Collapsed places that nobody has opened yet. */
  readonly unopened: number;
  /** Applies a decision and tells how it went. */
  settle(decision: Promise<DecisionReceipt>, done: string): Promise<DecisionReceipt | undefined>;
  readonly status: string;
  readonly scope: ScopeChoice;
  setScope(scope: ScopeChoice): void;
  /** Place in the pinned footer for the editor's buttons. */
  readonly editFooter: HTMLElement | null;
  setEditFooter(element: HTMLElement | null): void;
  readonly titleId: string;
  readonly questionId: string;
}

export const DialogContext: Context<DialogModel | undefined> = createContext<DialogModel | undefined>(undefined);

/** @throws Error outside of an `ApprovalDialog` */
export function useDialog(): DialogModel {
  const model = useContext(DialogContext);
  if (!model)
    throw new Error('This part of the approval dialog stands outside of <ApprovalDialog>. Put it inside, or use useApproval().');
  return model;
}
