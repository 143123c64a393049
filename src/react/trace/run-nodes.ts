/** A run as a tree of nodes: calls of one drain in groups, calls of one tool that went well folded. Pure; made per block. */
import type { CallView, RunView } from '../../store/state.ts';
import { type Block, type Entry, isCall, type Output, perBlock, shownBlocks } from './blocks.ts';
import type { TraceNode } from './nodes.ts';

/** Calls of one tool in a row, all well, from this many on become one row. */
const FOLD_FROM = 4;
/** Parallel groups above this start closed. */
const OPEN_GROUP_UP_TO = 12;

const NONE: readonly TraceNode[] = [];

/** The run's own row, without what happened inside. */
export function runNode(run: RunView, startsOpen: boolean): TraceNode & { kind: 'run' } {
  return { kind: 'run', id: `run:${run.id}`, runId: run.id, run, children: NONE, startsOpen };
}

/**
 * What happened inside a run, in order: its plan, calls grouped by drain and console lines, then warnings, error and
 * result. In parts; one of which nothing changed is the same as before.
 */
export function runParts(run: RunView): readonly (readonly TraceNode[])[] {
  const { dropped, blocks } = shownBlocks(run);
  return [beginNodes(run, dropped), ...blocks.map(blockNodes), endNodes(run)];
}

/** `runParts` as one list. */
export const runChildren = (run: RunView): readonly TraceNode[] => runParts(run).flat();

function beginNodes(run: RunView, dropped: number): readonly TraceNode[] {
  const base = { runId: run.id, children: NONE, startsOpen: false };
  const nodes: TraceNode[] = [];
  if (run.plan) nodes.push({ kind: 'plan', id: `plan:${run.id}`, ...base, plan: run.plan });
  if (dropped > 0) nodes.push({ kind: 'dropped', id: `dropped:${run.id}`, ...base, count: dropped });
  return nodes;
}

function endNodes(run: RunView): readonly TraceNode[] {
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

const blockNodes = perBlock(nodesOf);

/** The nodes of one block. */
export function nodesOf({ runId, entries }: Block): readonly TraceNode[] {
  const nodes: TraceNode[] = [];
  for (let at = 0; at < entries.length; ) {
    const entry = entries[at]!;
    const calls = isCall(entry) ? sameGroup(entries, at, entry.group) : [];
    if (calls.length > 1) nodes.push(groupNode(runId, calls));
    else nodes.push(isCall(entry) ? callNode(entry) : outputNode(runId, entry));
    at += Math.max(1, calls.length);
  }
  return fold(nodes);
}

function sameGroup(entries: readonly Entry[], from: number, group: number): CallView[] {
  const found: CallView[] = [];
  for (let at = from; at < entries.length; at += 1) {
    const entry = entries[at]!;
    if (!isCall(entry) || entry.group !== group) break;
    found.push(entry);
  }
  return found;
}

type CallNode = TraceNode & { readonly kind: 'call' };

const ofCalls = new WeakMap<CallView, CallNode>();

/** The same for the same call: a long fold that grows by one call makes one node, and is searched for one. */
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
    id: `group:${calls[0]!.id}`,
    runId,
    calls,
    children,
    startsOpen: children.length <= OPEN_GROUP_UP_TO,
  };
}

function outputNode(runId: string, item: Output): TraceNode {
  const base = { id: `out:${runId}:${item.seq}`, runId, children: NONE, startsOpen: false };
  return item.kind === 'console' ? { kind: 'console', ...base, item } : { kind: 'emit', ...base, item };
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
