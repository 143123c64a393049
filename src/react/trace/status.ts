import type { CallStatus, CallView, RunStatus } from '../../store/state.ts';
import type { IconName } from '../Icon.tsx';
import type { TraceNode } from './nodes.ts';

/** Icon of a status; colour alone never says it. */
export const CALL_ICONS: Readonly<Record<CallStatus, IconName>> = {
  requested: 'queued',
  waiting_approval: 'waiting',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  denied: 'denied',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  replayed: 'replayed',
};

export const RUN_ICONS: Readonly<Record<RunStatus, IconName>> = {
  queued: 'queued',
  running: 'running',
  waiting: 'waiting',
  interrupted: 'interrupted',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Statuses of a program that was put before a person, in the words of calls. */
const PLAN_STATUS = {
  waiting: 'waiting_approval',
  allow: 'succeeded',
  call_by_call: 'succeeded',
  deny: 'denied',
  expired: 'denied',
  ended: 'cancelled',
} as const satisfies Record<string, CallStatus>;

/** `data-status` of a row: a call's or a run's status, or the kind of row. */
export function statusOf(node: TraceNode): string {
  switch (node.kind) {
    case 'run':
      return node.run.status;
    case 'call':
      return node.call.status;
    case 'group':
    case 'fold':
      return groupStatus(node.calls);
    case 'plan':
      return PLAN_STATUS[node.plan.decision ?? 'waiting'];
    case 'console':
      return node.item.level === 'warn' || node.item.level === 'error' ? node.item.level : 'console';
    default:
      return node.kind;
  }
}

const WORST_FIRST = ['waiting_approval', 'running', 'requested', 'failed', 'denied', 'interrupted', 'cancelled'] as const;

function groupStatus(calls: readonly CallView[]): CallStatus {
  const all = new Set(calls.map((call) => call.status));
  return WORST_FIRST.find((status) => all.has(status)) ?? 'succeeded';
}

export function iconOf(node: TraceNode): IconName {
  switch (node.kind) {
    case 'run':
      return RUN_ICONS[node.run.status];
    case 'call':
      return CALL_ICONS[node.call.status];
    case 'group':
    case 'fold':
      return CALL_ICONS[groupStatus(node.calls)];
    case 'plan':
      return CALL_ICONS[PLAN_STATUS[node.plan.decision ?? 'waiting']];
    case 'dropped':
      return 'cut';
    case 'console':
      return node.item.level === 'warn' ? 'warning' : node.item.level === 'error' ? 'failed' : 'console';
    case 'emit':
      return 'emit';
    case 'warning':
      return 'warning';
    case 'error':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    case 'result':
      return 'result';
  }
}
