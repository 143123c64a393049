import type { EventOf } from '../journal/events.ts';
import type { Draft, DraftRun } from './draft.ts';

/** A program is put before a person as a whole. */
export function planned(draft: Draft, { runId, time, data }: EventOf<'plan.requested'>): void {
  const known = draft.peekRun(runId);
  const run = known?.endedAt === undefined ? draft.run(runId) : undefined;
  if (!run) return;
  run.plan = { ...data, requestedAt: time };
  run.status = 'waiting';
  draft.pendingPlans.push(run.id);
}

export function planDecided(draft: Draft, { runId, time, data }: EventOf<'plan.decided'>): void {
  const known = draft.peekRun(runId);
  const run = known?.plan && known.endedAt === undefined ? draft.run(runId) : undefined;
  if (!run?.plan) return;
  const { decision, reason } = data;
  run.plan = { ...run.plan, decision, decidedAt: time, ...(reason !== undefined && { decisionReason: reason }) };
  run.status = 'queued';
  draft.unplan(run.id);
}

/** The run ended while its program waited. */
export function planOver(draft: Draft, run: DraftRun, time: number): void {
  if (run.plan && run.plan.decision === undefined) run.plan = { ...run.plan, decision: 'ended', decidedAt: time };
  draft.unplan(run.id);
}
