/** A run as a tree of things a person can reason about. Pure; made anew from the read model. */
import type { RunError, StoredValue } from '../../journal/events.ts';
import type { Warning } from '../../protocol/wire.ts';
import type { CallView, RunItem, RunView } from '../../store/state.ts';

/** Calls of one tool in a row, all well, from this many on become one row. */
export const FOLD_FROM = 4;
/** Parallel groups above this start closed. */
export const OPEN_GROUP_UP_TO = 12;

type Output<K extends RunItem['kind']> = Extract<RunItem, { kind: K }>;

export type TraceNode = {
  readonly id: string;
  readonly runId: string;
  readonly children: readonly TraceNode[];
  readonly startsOpen: boolean;
} & (
  | { readonly kind: 'run'; readonly run: RunView }
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

/** What happened inside a run, in order: calls grouped by drain, then console lines, result, error and warnings. */
export function runChildren(run: RunView): TraceNode[] {
  const nodes: TraceNode[] = [];
  const { items, calls } = run;
  for (let at = 0; at < items.length; ) {
    const item = items[at]!;
    if (item.kind !== 'call') {
      nodes.push(outputNode(run.id, item));
      at += 1;
      continue;
    }
    const together = sameGroup(items, at, calls);
    if (together.length > 1) nodes.push(groupNode(run.id, together));
    else if (together[0]) nodes.push(callNode(together[0]));
    at += Math.max(1, together.length);
  }
  return [...fold(nodes), ...endNodes(run)];
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

function callNode(call: CallView): TraceNode {
  return { kind: 'call', id: `call:${call.id}`, runId: call.runId, call, children: NONE, startsOpen: false };
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
  const base = { id: `out:${runId}:${item.seq}`, runId, children: NONE, startsOpen: false };
  return item.kind === 'console' ? { kind: 'console', ...base, item } : { kind: 'emit', ...base, item };
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
const foldable = (node: TraceNode | undefined): node is TraceNode & { kind: 'call' } =>
  node?.kind === 'call' && (node.call.status === 'succeeded' || node.call.status === 'replayed');

function fold(nodes: readonly TraceNode[]): TraceNode[] {
  const out: TraceNode[] = [];
  for (let at = 0; at < nodes.length; ) {
    const first = nodes[at]!;
    let end = at + 1;
    if (foldable(first)) {
      for (let next = nodes[end]; foldable(next) && next.call.tool === first.call.tool; next = nodes[end]) end += 1;
    }
    const same = nodes.slice(at, end);
    if (same.length >= FOLD_FROM && foldable(first)) out.push(foldNode(same as (TraceNode & { kind: 'call' })[]));
    else out.push(...same);
    at = end;
  }
  return out;
}

function foldNode(children: readonly (TraceNode & { kind: 'call' })[]): TraceNode {
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

/** Calls that did not do what the program asked. */
export function failuresIn(node: TraceNode): number {
  switch (node.kind) {
    case 'call':
      return BAD.has(node.call.status) ? 1 : 0;
    case 'group':
    case 'fold':
      return node.calls.filter((call) => BAD.has(call.status)).length;
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
  if (a.kind === 'result' && b.kind === 'result') return a.value === b.value;
  return false;
}
