/**
 * A run as a tree of things a person can reason about. Pure. What did not change keeps its identity: a run of ten thousand
 * rows that grows by a few costs the few, and a row in sight renders when its own facts change.
 */
import type { RunError, StoredValue } from '../../journal/events.ts';
import type { Warning } from '../../protocol/wire.ts';
import type { CallView, PlanView, RunItem, RunView } from '../../store/state.ts';

/** Calls of one tool in a row, all well, from this many on become one row. */
export const FOLD_FROM = 4;
/** Parallel groups above this start closed. */
export const OPEN_GROUP_UP_TO = 12;
/** Of a run with more calls and lines than this, the oldest are not shown. */
export const MAX_ITEMS = 10_000;

type Output<K extends RunItem['kind']> = Extract<RunItem, { kind: K }>;

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

const NONE: readonly TraceNode[] = [];

/** The run's own row, without what happened inside. */
export function runNode(run: RunView, startsOpen: boolean): TraceNode & { kind: 'run' } {
  return { kind: 'run', id: `run:${run.id}`, runId: run.id, run, children: NONE, startsOpen };
}

const children = new WeakMap<RunView, readonly TraceNode[]>();

/** What happened inside a run, in order: its plan, calls grouped by drain and console lines, then warnings, error and result. */
export function runChildren(run: RunView): readonly TraceNode[] {
  let found = children.get(run);
  if (!found) children.set(run, (found = [...beginNodes(run), ...fold(itemNodes(run)), ...endNodes(run)]));
  return found;
}

function beginNodes(run: RunView): TraceNode[] {
  const base = { runId: run.id, children: NONE, startsOpen: false };
  const nodes: TraceNode[] = [];
  if (run.plan) nodes.push({ kind: 'plan', id: `plan:${run.id}`, ...base, plan: run.plan });
  const count = run.items.length - MAX_ITEMS;
  if (count > 0) nodes.push({ kind: 'dropped', id: `dropped:${run.id}`, ...base, count });
  return nodes;
}

function itemNodes(run: RunView): TraceNode[] {
  const nodes: TraceNode[] = [];
  const { items, calls } = run;
  for (let at = Math.max(0, items.length - MAX_ITEMS); at < items.length; ) {
    const item = items[at]!;
    if (item.kind !== 'call') {
      nodes.push(outputNode(run.id, item));
      at += 1;
      continue;
    }
    const call = calls[item.index];
    const next = items[at + 1];
    if (call && (next?.kind !== 'call' || calls[next.index]?.group !== call.group)) {
      nodes.push(callNode(call));
      at += 1;
      continue;
    }
    const together = sameGroup(items, at, calls);
    if (together.length > 1) nodes.push(groupNode(run.id, together));
    else if (together[0]) nodes.push(callNode(together[0]));
    at += Math.max(1, together.length);
  }
  return nodes;
}

function sameGroup(items: readonly RunItem[], from: number, calls: readonly CallView[]): CallView[] {
  const found: CallView[] = [];
  for (let at = from; at < items.length; at += 1) {
    const item = items[at]!;
    const call = item.kind === 'call' ? calls[item.index] : undefined;
    if (!call || (found[0] && call.group !== found[0].group)) break;
    found.push(call);
  }
  return found;
}

type CallNode = TraceNode & { readonly kind: 'call' };

const ofCalls = new WeakMap<CallView, CallNode>();
const ofOutput = new WeakMap<RunItem, TraceNode>();

function callNode(call: CallView): CallNode {
  let node = ofCalls.get(call);
  if (!node) {
    node = { kind: 'call', id: `call:${call.id}`, runId: call.runId, call, children: NONE, startsOpen: false };
    ofCalls.set(call, node);
  }
  return node;
}

function groupNode(runId: string, calls: readonly CallView[]): TraceNode {
  const children = fold(calls.map(callNode));
  return {
    kind: 'group',
    id: `group:${runId}:${calls[0]!.group}`,
    runId,
    calls,
    children,
    startsOpen: children.length <= OPEN_GROUP_UP_TO,
  };
}

function outputNode(runId: string, item: Output<'console'> | Output<'emit'>): TraceNode {
  let node = ofOutput.get(item);
  if (!node) {
    const base = { id: `out:${runId}:${item.seq}`, runId, children: NONE, startsOpen: false };
    node = item.kind === 'console' ? { kind: 'console', ...base, item } : { kind: 'emit', ...base, item };
    ofOutput.set(item, node);
  }
  return node;
}

function endNodes(run: RunView): TraceNode[] {
  const base = { runId: run.id, children: NONE, startsOpen: false };
  const nodes: TraceNode[] = run.warnings.map((warning, at) => ({
    kind: 'warning',
    id: `warning:${run.id}:${at}`,
    ...base,
    warning,
  }));
  if (run.error) nodes.push({ kind: 'error', id: `error:${run.id}`, ...base, error: run.error });
  if (run.status === 'cancelled' && run.cancelReason)
    nodes.push({ kind: 'cancelled', id: `cancelled:${run.id}`, ...base, reason: run.cancelReason });
  if (run.value) nodes.push({ kind: 'result', id: `result:${run.id}`, ...base, value: run.value });
  return nodes;
}

/** Only calls that went well fold: whatever waits, runs or failed stays in sight. */
const foldable = (node: TraceNode | undefined): node is CallNode =>
  node?.kind === 'call' && (node.call.status === 'succeeded' || node.call.status === 'replayed');

function fold(nodes: readonly TraceNode[]): TraceNode[] {
  const out: TraceNode[] = [];
  for (let at = 0; at < nodes.length; ) {
    const first = nodes[at]!;
    let end = at + 1;
    if (foldable(first)) {
      for (let next = nodes[end]; foldable(next) && next.call.tool === first.call.tool; next = nodes[end]) end += 1;
    }
    if (end - at >= FOLD_FROM && foldable(first)) out.push(foldNode(nodes.slice(at, end) as CallNode[]));
    else for (let each = at; each < end; each += 1) out.push(nodes[each]!);
    at = end;
  }
  return out;
}

function foldNode(children: readonly CallNode[]): TraceNode {
  const first = children[0]!;
  return {
    kind: 'fold',
    id: `fold:${first.call.id}`,
    runId: first.runId,
    calls: children.map((node) => node.call),
    children,
    startsOpen: false,
  };
}

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
