/** What waits for a person, as questions in order; and which of them is on screen. Pure. */
import { callById } from '../../store/calls.ts';
import { pendingGroups } from '../../store/pending-groups.ts';
import type { ApprovalView, CallView, PendingGroup, PlanView, RunView, SessionState } from '../../store/state.ts';
import { type ApprovalUi, isInline } from './approval-ui.ts';

/** One question: the call, what is asked about it, and its run. */
export interface ApprovalRequest {
  readonly call: CallView;
  readonly approval: ApprovalView;
  readonly run: RunView;
  /** All waiting calls with the same tool and input, this one included; `undefined` once it is decided. */
  readonly group: PendingGroup | undefined;
}

/** A program that waits as a whole. */
export interface PlanRequest {
  readonly run: RunView;
  readonly plan: PlanView;
}

export interface Asked {
  /** Every call that waits, first asked first. */
  readonly calls: readonly ApprovalRequest[];
  /** One of each group: what a person counts. */
  readonly queue: readonly ApprovalRequest[];
  readonly plans: readonly PlanRequest[];
  /** What was shown before, also when it no longer waits. */
  readonly shown: ApprovalRequest | undefined;
}

/** Why a shown question is over although nobody answered it here. */
export type EndedWhy = 'ended' | 'expired';

export type Chosen =
  | { readonly kind: 'call'; readonly request: ApprovalRequest; readonly ended: EndedWhy | undefined }
  | { readonly kind: 'plan'; readonly request: PlanRequest }
  | undefined;

/** Groups of one set of waiting calls: asked for with every change of the state, and most changes are about something else. */
const grouped = new WeakMap<readonly string[], readonly PendingGroup[]>();

function groupsOf(state: SessionState): readonly PendingGroup[] {
  let groups = grouped.get(state.pending);
  if (!groups) grouped.set(state.pending, (groups = pendingGroups(state)));
  return groups;
}

/** @param shownId call that is on screen @param ofRun only questions of this run */
export function ask(state: SessionState, shownId: string | undefined, ofRun?: string): Asked {
  const byCall = new Map(groupsOf(state).flatMap((group) => group.callIds.map((id) => [id, group] as const)));
  const request = (id: string): ApprovalRequest | undefined => {
    const call = callById(state, id);
    const run = call && state.runs[call.runId];
    return call?.approval && run ? { call, approval: call.approval, run, group: byCall.get(id) } : undefined;
  };
  const isOurs = (runId: string): boolean => ofRun === undefined || runId === ofRun;
  const calls = state.pending.flatMap((id) => request(id) ?? []).filter(({ run }) => isOurs(run.id));
  return {
    calls,
    queue: calls.filter(({ call, group }) => group?.key === call.id),
    plans: state.pendingPlans
      .filter(isOurs)
      .flatMap((id): PlanRequest[] => (state.runs[id]?.plan ? [{ run: state.runs[id], plan: state.runs[id].plan }] : [])),
    shown: shownId === undefined ? undefined : request(shownId),
  };
}

/** Without what an inline surface asks, unless somebody asked the dialog for it. */
export function leftToDialog(asked: Asked, ui: ApprovalUi): Asked {
  if (ui.inlines.length === 0) return asked;
  const isOurs = (id: string, run: RunView): boolean => !isInline(ui, run.id) || ui.picked === id;
  const calls = asked.calls.filter(({ call, run }) => isOurs(call.id, run));
  const seen = new Set<string>();
  const queue = calls.filter(({ group }) => group && !seen.has(group.key) && seen.add(group.key));
  return { ...asked, calls, queue, plans: asked.plans.filter(({ run }) => isOurs(run.id, run)) };
}

/**
 * The question to show: the picked one, else the one on screen, else the first. One whose call ended by itself stays on an open
 * dialog, so that a click on its way meets nothing new.
 */
export function choose(asked: Asked, shownKey: string | undefined, ui: Pick<ApprovalUi, 'open' | 'picked'>): Chosen {
  const { calls, queue, plans, shown } = asked;
  const wanted = (id: string | undefined): Chosen => {
    if (id === undefined) return undefined;
    const request = calls.find(({ call }) => call.id === id);
    if (request) return { kind: 'call', request, ended: undefined };
    const plan = plans.find(({ run }) => run.id === id);
    return plan && { kind: 'plan', request: plan };
  };
  const same = wanted(shownKey);
  if (shown && !same && ui.open) {
    const { decision } = shown.approval;
    if (decision === undefined || decision === 'ended' || decision === 'expired')
      return { kind: 'call', request: shown, ended: decision === 'expired' ? 'expired' : 'ended' };
  }
  return wanted(ui.picked) ?? same ?? wanted(queue[0]?.call.id) ?? wanted(plans[0]?.run.id);
}

export function sameAsked(a: Asked, b: Asked): boolean {
  return (
    sameList(a.calls, b.calls, sameRequest) &&
    sameRequest(a.shown, b.shown) &&
    sameList(a.plans, b.plans, (x, y) => x.run === y?.run)
  );
}

function sameList<T>(a: readonly T[], b: readonly T[], same: (x: T, y: T | undefined) => boolean): boolean {
  return a.length === b.length && a.every((each, at) => same(each, b[at]));
}

function sameRequest(a: ApprovalRequest | undefined, b: ApprovalRequest | undefined): boolean {
  return a?.call === b?.call && a?.run === b?.run && a?.group === b?.group;
}
