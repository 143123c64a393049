/** The things of a run that a person can reason about, and what can be asked of each. Pure. */
import type { RunError, StoredValue } from '../../journal/events.ts';
import type { Warning } from '../../protocol/wire.ts';
import type { CallView, PlanView, RunView } from '../../store/state.ts';
import type { Output } from './blocks.ts';

export type TraceNode = {
  readonly id: string;
  readonly runId: string;
  readonly children: readonly TraceNode[];
  readonly startsOpen: boolean;
} & (
  | { readonly kind: 'run'; readonly run: RunView }
  | { readonly kind: 'plan'; readonly plan: PlanView }
  | { readonly kind: 'dropped'; readonly count: number }
  | { readonly kind: 'group'; readonly calls: readonly CallView[] }
  | { readonly kind: 'fold'; readonly calls: readonly CallView[] }
  | { readonly kind: 'call'; readonly call: CallView }
  | { readonly kind: 'console'; readonly item: Output<'console'> }
  | { readonly kind: 'emit'; readonly item: Output<'emit'> }
  | { readonly kind: 'warning'; readonly warning: Warning }
  | { readonly kind: 'error'; readonly error: RunError }
  | { readonly kind: 'cancelled'; readonly reason: string }
  | { readonly kind: 'result'; readonly value: StoredValue }
);

const BAD = new Set<CallView['status']>(['failed', 'denied', 'interrupted']);

/** It did not do what the program asked. */
export const isBad = (call: CallView): boolean => BAD.has(call.status);

/** Calls that did not do what the program asked. */
export function failuresIn(node: TraceNode): number {
  switch (node.kind) {
    case 'call':
      return isBad(node.call) ? 1 : 0;
    case 'group':
    case 'fold':
      return node.calls.reduce((sum, call) => sum + (isBad(call) ? 1 : 0), 0);
    case 'error':
      return 1;
    default:
      return 0;
  }
}

/** Line of the program a node belongs to. */
export function lineOf(node: TraceNode): number | undefined {
  switch (node.kind) {
    case 'call':
      return node.call.site?.line;
    case 'group':
    case 'fold':
      return node.calls[0]?.site?.line;
    case 'console':
    case 'emit':
      return node.item.site?.line;
    case 'warning':
      return node.warning.site?.line;
    case 'error':
      return node.error.site?.line;
    default:
      return undefined;
  }
}

/** Still going on: its time moves. */
export function isOpen(node: TraceNode): boolean {
  switch (node.kind) {
    case 'run':
      return node.run.endedAt === undefined;
    case 'plan':
      return node.plan.decision === undefined;
    case 'call':
      return node.call.endedAt === undefined;
    case 'group':
    case 'fold':
      return node.calls.some((call) => call.endedAt === undefined);
    default:
      return false;
  }
}

/** True when two nodes show the same facts, whatever tree they were built for. */
export function sameNode(a: TraceNode, b: TraceNode): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.id !== b.id) return false;
  if (a.kind === 'run' && b.kind === 'run') return a.run === b.run;
  if (a.kind === 'call' && b.kind === 'call') return a.call === b.call;
  if ('calls' in a && 'calls' in b) return a.calls.length === b.calls.length && a.calls.every((call, at) => call === b.calls[at]);
  if ('item' in a && 'item' in b) return a.item === b.item;
  if (a.kind === 'plan' && b.kind === 'plan') return a.plan === b.plan;
  if (a.kind === 'dropped' && b.kind === 'dropped') return a.count === b.count;
  if (a.kind === 'result' && b.kind === 'result') return a.value === b.value;
  return false;
}

/** Whether the node of that id is somewhere below these. */
export const isInside = (nodes: readonly TraceNode[], id: string): boolean =>
  nodes.some((node) => node.id === id || isInside(node.children, id));
