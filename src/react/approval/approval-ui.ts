import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Session } from '../../session/types.ts';

/** What the views of one session agree on about the asking itself. The questions live in the session's store. */
export interface ApprovalUi {
  /** The person said "later": the bar shows until they ask to review. */
  readonly later: boolean;
  /** The dialog is open and stays so while something waits. */
  readonly open: boolean;
  /** Call, or run of a plan, that the person picked; first in the queue otherwise. */
  readonly picked?: string;
  /** Mounted dialogs, first one shows. Without one nobody can review. */
  readonly dialogs: readonly symbol[];
  /** Mounted inline surfaces: the dialog leaves their questions alone until somebody asks it to review. */
  readonly inlines: readonly InlineSurface[];
}

/** A place in the page's flow that asks. */
export interface InlineSurface {
  readonly id: symbol;
  /** Run it asks for; absent: all of the session. */
  readonly runId?: string;
}

export const NO_UI: ApprovalUi = { later: false, open: false, dialogs: [], inlines: [] };

const stores = new WeakMap<Session, StoreApi<ApprovalUi>>();

export function approvalUi(session: Session): StoreApi<ApprovalUi> {
  let store = stores.get(session);
  if (!store) stores.set(session, (store = createStore<ApprovalUi>(() => NO_UI)));
  return store;
}

/** Shrinks the dialog to the bar; every call stays pending. */
export function postpone(session: Session): void {
  approvalUi(session).setState({ later: true, open: false, picked: undefined });
}

/** Opens the dialog at that call (or run that waits as a whole), or at the first. */
export function review(session: Session, id?: string): void {
  approvalUi(session).setState({ later: false, open: true, picked: id });
}

/** Registers a dialog; the returned function takes it away. */
export function addDialog(session: Session, id: symbol): () => void {
  const store = approvalUi(session);
  store.setState(({ dialogs }) => ({ dialogs: [...dialogs, id] }));
  return () => store.setState(({ dialogs }) => ({ dialogs: dialogs.filter((other) => other !== id) }));
}

/** Registers an inline surface; the returned function takes it away. */
export function addInline(session: Session, surface: InlineSurface): () => void {
  const store = approvalUi(session);
  store.setState(({ inlines }) => ({ inlines: [...inlines, surface] }));
  return () => store.setState(({ inlines }) => ({ inlines: inlines.filter((other) => other !== surface) }));
}

/** Whether an inline surface asks the questions of that run. */
export function isInline(ui: ApprovalUi, runId: string): boolean {
  return ui.inlines.some((surface) => surface.runId === undefined || surface.runId === runId);
}
