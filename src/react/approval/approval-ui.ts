import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Session } from '../../session/types.ts';

/** What the views of one session agree on about the asking itself. The questions live in the session's store. */
export interface ApprovalUi {
  /** The person said "later": the bar shows until they ask to review. */
  readonly later: boolean;
  /** The dialog is open and stays so while calls wait. */
  readonly open: boolean;
  /** Call the person picked; first in the queue otherwise. */
  readonly picked?: string;
  /** Mounted dialogs, first one shows. Without one nobody can review. */
  readonly dialogs: readonly symbol[];
}

const stores = new WeakMap<Session, StoreApi<ApprovalUi>>();

export function approvalUi(session: Session): StoreApi<ApprovalUi> {
  let store = stores.get(session);
  if (!store) stores.set(session, (store = createStore<ApprovalUi>(() => ({ later: false, open: false, dialogs: [] }))));
  return store;
}

/** Shrinks the dialog to the bar; every call stays pending. */
export function postpone(session: Session): void {
  approvalUi(session).setState({ later: true, open: false });
}

/** Opens the dialog at that call, or at the first. */
export function review(session: Session, callId?: string): void {
  approvalUi(session).setState({ later: false, open: true, picked: callId });
}

/** Registers a dialog; the returned function takes it away. */
export function addDialog(session: Session, id: symbol): () => void {
  const store = approvalUi(session);
  store.setState(({ dialogs }) => ({ dialogs: [...dialogs, id] }));
  return () => store.setState(({ dialogs }) => ({ dialogs: dialogs.filter((other) => other !== id) }));
}
