'use client';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Decision, DecisionReceipt } from '../../policy/types.ts';
import type { Session } from '../../session/types.ts';
import type { ApprovalView, CallView, RunView, SessionState } from '../../store/state.ts';
import { useSelected } from '../use-selected.ts';
import { useSession } from '../use-session.ts';
import { type ApprovalUi, approvalUi, postpone, review as reviewCall } from './approval-ui.ts';
import type { GuardPolicy } from './guard.ts';
import { isTyping, watchTyping } from './typing.ts';
import { useApprovalUi } from './use-approval-ui.ts';
import { type Guard, useGuard } from './use-guard.ts';
import { callById } from '../../store/calls.ts';

/** One question: the call, what is asked about it, and its run. */
export interface ApprovalRequest {
  readonly call: CallView;
  readonly approval: ApprovalView;
  readonly run: RunView;
  /** Waiting calls with the same tool and input, this one included. */
  readonly same: number;
}

/** Longest input, in characters of its text, that stands whole in the list of all that waits. */
const QUEUE_INPUT_CHARS = 300;

/** True when the list shows, as plain JSON, all that would run: only such calls can be allowed together, and never a `danger` one. */
export function isShownInQueue({ approval: { risk, input } }: ApprovalRequest): boolean {
  return risk !== 'danger' && 'inline' in input && input.inline.length <= QUEUE_INPUT_CHARS && !input.inline.includes('"$t"');
}

export type AllowOptions = { readonly scope?: 'once' | 'run' | 'session'; readonly match?: 'input' | 'tool' };

export interface ApprovalOptions {
  readonly session?: Session;
  /** Quiet period before anything decides, ms. @default 500 */
  readonly guardMs?: number;
  /** Only for component tests; see the testing entry. */
  readonly guard?: GuardPolicy;
  /** Distinguishes sets of buttons of one question; a change begins a new period. */
  readonly panel?: string;
}

export interface Approval {
  readonly session: Session | undefined;
  /** Question to show. Stays after the run ended under it, with `ended`, until `dismiss`. */
  readonly request: ApprovalRequest | undefined;
  readonly queue: readonly ApprovalRequest[];
  /** "1 of 3". */
  readonly position: { readonly at: number; readonly total: number };
  /** Where to show it: as a modal, as a one-line bar (person typing or "later"), or not at all. */
  readonly mode: 'closed' | 'modal' | 'bar';
  readonly barReason: 'later' | 'typing' | undefined;
  /** Why the shown question is over although nobody answered it here. */
  readonly ended: 'ended' | 'expired' | undefined;
  readonly deciding: boolean;
  readonly guard: Guard;
  allow(options?: AllowOptions): Promise<DecisionReceipt>;
  allowEdited(input: unknown): Promise<DecisionReceipt>;
  deny(reason?: string): Promise<DecisionReceipt>;
  answer(output: unknown, reason?: string): Promise<DecisionReceipt>;
  cancelRun(reason?: string): Promise<DecisionReceipt>;
  /** Each as shown, once; calls marked danger are left out. */
  allowAll(): Promise<readonly DecisionReceipt[]>;
  denyAll(reason?: string): Promise<readonly DecisionReceipt[]>;
  later(): void;
  review(callId?: string): void;
  dismiss(): void;
}

interface Asked {
  readonly queue: readonly ApprovalRequest[];
  readonly shown: ApprovalRequest | undefined;
}

const ENDED: DecisionReceipt = { applied: false, why: 'ended' };

/** The logic of an approval dialog without its looks. Mount it once per session; several views may read `usePending`. */
export function useApproval(options: ApprovalOptions = {}): Approval {
  const session = useSession(options.session);
  const ui = useApprovalUi(session);
  const [shownId, setShownId] = useState<string>();
  const [deciding, setDeciding] = useState(false);
  const asked = useSelected(
    session,
    useCallback((state: SessionState): Asked => ask(state, shownId), [shownId]),
    sameAsked,
  );
  const typing = useSyncExternalStore(watchTyping, isTyping, () => false);

  const { request, ended } = choose(asked, ui);
  const nextId = request?.call.id;
  if (nextId !== shownId) setShownId(nextId);
  const mode = !request ? 'closed' : ui.open ? 'modal' : ui.later || typing ? 'bar' : 'modal';
  useUiState(session, ui, mode, asked.queue.length);
  // Buttons that answer the whole queue answer the queue that was looked at: another call in it begins a new period.
  const looked = options.panel === 'queue' ? asked.queue.map((each) => each.call.id).join(' ') : '';
  const question = mode === 'modal' && !ended ? `${nextId}/${options.panel ?? ''}/${looked}` : undefined;
  const guard = useGuard(question, {
    periodMs: options.guardMs ?? options.guard?.periodMs,
    acceptsUntrusted: options.guard?.acceptsUntrusted,
  });

  const decide = useCallback(
    async (decision: Decision): Promise<DecisionReceipt> => {
      if (!session || !request) return ENDED;
      setDeciding(true);
      try {
        return await session.decide(request.call.id, decision);
      } finally {
        setDeciding(false);
      }
    },
    [session, request],
  );
  const decideAll = useCallback(
    (requests: readonly ApprovalRequest[], decision: (request: ApprovalRequest) => Decision) =>
      Promise.all(requests.map(async (each) => (session ? session.decide(each.call.id, decision(each)) : ENDED))),
    [session],
  );

  return useMemo(() => {
    const digest = request?.approval.inputDigest;
    return {
      session,
      request,
      queue: asked.queue,
      position: {
        at:
          1 +
          Math.max(
            0,
            asked.queue.findIndex((each) => each.call.id === nextId),
          ),
        total: asked.queue.length,
      },
      mode,
      barReason: mode !== 'bar' ? undefined : ui.later ? 'later' : 'typing',
      ended,
      deciding,
      guard,
      allow: (o = {}) => decide({ kind: 'allow', scope: o.scope ?? 'once', match: o.match, inputDigest: digest }),
      allowEdited: (input) => decide({ kind: 'allow', scope: 'once', input, inputDigest: digest }),
      deny: (reason) => decide({ kind: 'deny', reason }),
      answer: (output, reason) => decide({ kind: 'answer', output, reason }),
      cancelRun: (reason) => decide({ kind: 'cancelRun', reason }),
      allowAll: () =>
        decideAll(asked.queue.filter(isShownInQueue), (each) => ({
          kind: 'allow',
          scope: 'once',
          inputDigest: each.approval.inputDigest,
        })),
      denyAll: (reason) => decideAll(asked.queue, () => ({ kind: 'deny', reason })),
      later: () => session && postpone(session),
      review: (callId) => session && reviewCall(session, callId),
      dismiss: () => setShownId(undefined),
    } satisfies Approval;
  }, [session, request, asked.queue, nextId, mode, ui.later, ended, deciding, guard, decide, decideAll]);
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

function ask(state: SessionState, shownId: string | undefined): Asked {
  const waiting = state.pending.flatMap((id) => toRequest(state, id) ?? []);
  const counts = new Map<string, number>();
  const key = (each: ApprovalRequest): string => `${each.call.tool} ${each.approval.inputDigest}`;
  for (const each of waiting) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
  return {
    queue: waiting.map((each) => ({ ...each, same: counts.get(key(each))! })),
    shown: shownId === undefined ? undefined : toRequest(state, shownId),
  };
}

function toRequest(state: SessionState, id: string): ApprovalRequest | undefined {
  const call = callById(state, id);
  const run = call && state.runs[call.runId];
  return call?.approval && run ? { call, approval: call.approval, run, same: 1 } : undefined;
}

/** A question stays on screen when its call ended by itself, so that a click on its way meets nothing new. */
function choose(asked: Asked, ui: ApprovalUi): { request: ApprovalRequest | undefined; ended: Approval['ended'] } {
  const { queue, shown } = asked;
  const picked = ui.picked === undefined ? undefined : queue.find((each) => each.call.id === ui.picked);
  const same = shown && queue.find((each) => each.call.id === shown.call.id);
  if (shown && !same && ui.open) {
    const { decision } = shown.approval;
    if (decision === undefined || decision === 'ended' || decision === 'expired')
      return { request: shown, ended: decision === 'expired' ? 'expired' : 'ended' };
  }
  return { request: picked ?? same ?? queue[0], ended: undefined };
}

function sameAsked(a: Asked, b: Asked): boolean {
  if (a.queue.length !== b.queue.length || !sameRequest(a.shown, b.shown)) return false;
  return a.queue.every((each, at) => sameRequest(each, b.queue[at]));
}

function sameRequest(a: ApprovalRequest | undefined, b: ApprovalRequest | undefined): boolean {
  return a?.call === b?.call && a?.run === b?.run && a?.same === b?.same;
}
