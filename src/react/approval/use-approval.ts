'use client';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Session } from '../../session/types.ts';
import type { SessionState } from '../../store/state.ts';
import { useSelected } from '../use-selected.ts';
import { useSession } from '../use-session.ts';
import { type ApprovalUi, approvalUi, postpone, review as reviewCall } from './approval-ui.ts';
import {
  type ApprovalRequest,
  ask,
  type Asked,
  choose,
  type EndedWhy,
  leftToDialog,
  type PlanRequest,
  sameAsked,
} from './asked.ts';
import { type Decisions, decisionsOf } from './decide.ts';
import type { GuardPolicy } from './guard.ts';
import { isTyping, watchTyping } from './typing.ts';
import { useApprovalUi } from './use-approval-ui.ts';
import { type Guard, useGuard } from './use-guard.ts';

export interface ApprovalOptions {
  /** @default the provider's session */
  readonly session?: Session;
  /** Quiet period before anything decides, ms. @default 500 */
  readonly guardMs?: number;
  /** Only for component tests; see the testing entry. */
  readonly guard?: GuardPolicy;
  /** Distinguishes sets of buttons of one question; a change begins a new period. */
  readonly panel?: string;
  /** Only questions of this run. @default all of the session */
  readonly runId?: string;
  /** In the flow of the page: never a modal or a bar, never moves the focus. @default false */
  readonly inline?: boolean;
}

/** Everything an approval surface needs; the default skin uses nothing else. */
export interface Approval extends Decisions {
  readonly session: Session | undefined;
  /** Call to show. Stays after the run ended under it, with `ended`, until `dismiss`. */
  readonly request: ApprovalRequest | undefined;
  /** Program to show, when no call is. */
  readonly plan: PlanRequest | undefined;
  /** Calls that wait, one of each group of equal ones. */
  readonly queue: readonly ApprovalRequest[];
  /** "1 of 3": groups and programs. */
  readonly position: { readonly at: number; readonly total: number };
  /** Calls and programs that wait, equal ones counted each. */
  readonly waiting: number;
  /** Where to show it: as a modal, as a one-line bar (person typing or "later"), in the page, or not at all. */
  readonly mode: 'closed' | 'modal' | 'bar' | 'inline';
  readonly barReason: 'later' | 'typing' | undefined;
  /** Why the shown question is over although nobody answered it here. */
  readonly ended: EndedWhy | undefined;
  readonly deciding: boolean;
  readonly guard: Guard;
  later(): void;
  /** Opens the dialog at a call, at a run that waits as a whole, or at the first. */
  review(id?: string): void;
  dismiss(): void;
}

/** The logic of an approval surface without its looks. Several may be mounted; a decision counts once. */
export function useApproval(options: ApprovalOptions = {}): Approval {
  const { inline = false, runId } = options;
  const session = useSession(options.session);
  const ui = useApprovalUi(session);
  const [shownId, setShownId] = useState<string>();
  const [deciding, setDeciding] = useState(false);
  const all = useSelected(
    session,
    useCallback((state: SessionState): Asked => ask(state, shownId, runId), [shownId, runId]),
    sameAsked,
  );
  const asked = useMemo(() => (inline ? all : leftToDialog(all, ui)), [all, ui, inline]);
  const typing = useSyncExternalStore(watchTyping, isTyping, () => false);

  const chosen = choose(asked, shownId, inline ? NOT_OPEN : ui);
  const request = chosen?.kind === 'call' ? chosen.request : undefined;
  const plan = chosen?.kind === 'plan' ? chosen.request : undefined;
  const ended = chosen?.kind === 'call' ? chosen.ended : undefined;
  const nextId = request?.call.id ?? plan?.run.id;
  if (nextId !== shownId) setShownId(nextId);
  const mode = chosen ? modeOf(inline, ui, typing) : 'closed';
  const waiting = asked.calls.length + asked.plans.length;
  useUiState(inline ? undefined : session, ui, mode, waiting);
  // Buttons that answer several calls answer those that were looked at: another one among them begins a new period.
  const looked = options.panel === 'queue' ? asked.calls : (request?.group?.callIds ?? []);
  const sight = looked.map((each) => (typeof each === 'string' ? each : each.call.id)).join(' ');
  const isAsking = (mode === 'modal' || mode === 'inline') && !ended;
  const guard = useGuard(isAsking ? `${nextId}/${options.panel ?? ''}/${sight}` : undefined, {
    periodMs: options.guardMs ?? options.guard?.periodMs,
    acceptsUntrusted: options.guard?.acceptsUntrusted,
  });

  return useMemo(() => {
    const { queue, plans } = asked;
    const at = request ? queue.findIndex(({ group }) => group?.key === request.group?.key) : queue.length + plans.indexOf(plan!);
    return {
      ...decisionsOf(session, request, plan, asked, setDeciding),
      session,
      request,
      plan,
      queue,
      position: { at: 1 + Math.max(0, at), total: queue.length + plans.length },
      waiting,
      mode,
      barReason: mode !== 'bar' ? undefined : ui.later ? 'later' : 'typing',
      ended,
      deciding,
      guard,
      later: () => session && postpone(session),
      review: (id) => session && reviewCall(session, id),
      dismiss: () => setShownId(undefined),
    } satisfies Approval;
  }, [session, request, plan, asked, waiting, mode, ui.later, ended, deciding, guard]);
}

const NOT_OPEN = { open: false } as const;

function modeOf(inline: boolean, ui: ApprovalUi, typing: boolean): 'modal' | 'bar' | 'inline' {
  if (inline) return 'inline';
  return ui.open || !(ui.later || typing) ? 'modal' : 'bar';
}

/** Keeps the session-wide marks in step: an open dialog stays open, an empty queue forgets "later". */
function useUiState(session: Session | undefined, ui: ApprovalUi, mode: Approval['mode'], waiting: number): void {
  useEffect(() => {
    if (!session) return;
    if (mode === 'modal' && !ui.open) approvalUi(session).setState({ open: true });
    if (mode === 'closed' && waiting === 0 && (ui.open || ui.later || ui.picked !== undefined))
      approvalUi(session).setState({ open: false, later: false, picked: undefined });
  }, [session, ui, mode, waiting]);
}
