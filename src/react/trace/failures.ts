/** Calls and runs that did not do what they should. Pure. */
import type { SessionState } from '../../store/state.ts';
import { blocksOf, isCall, perBlock } from './blocks.ts';
import { failuresIn, isBad, type TraceNode } from './nodes.ts';
import { runChildren, runNode } from './run-nodes.ts';

/** A row that did not do what it should, and the rows that must be open to see it. */
export interface Failure {
  readonly id: string;
  /** Outermost first. */
  readonly inside: readonly TraceNode[];
}

const badIn = perBlock(({ entries }) => entries.reduce((sum, entry) => sum + (isCall(entry) && isBad(entry) ? 1 : 0), 0));

/** How many there are, without looking for their rows. */
export function countFailures(state: SessionState, runIds: readonly string[]): number {
  let count = 0;
  for (const id of runIds) {
    const run = state.runs[id];
    if (run?.error) count += 1;
    if (run) for (const block of blocksOf(run)) count += badIn(block);
  }
  return count;
}

/** All of them, top to bottom, open or not. */
export function failuresOf(state: SessionState, runIds: readonly string[]): Failure[] {
  const found: Failure[] = [];
  const visit = (nodes: readonly TraceNode[], inside: readonly TraceNode[]): void => {
    for (const node of nodes) {
      if (failuresIn(node) === 0) continue;
      if (node.children.length === 0) found.push({ id: node.id, inside });
      else visit(node.children, [...inside, node]);
    }
  };
  runIds.forEach((id, at) => {
    const run = state.runs[id];
    if (run) visit(runChildren(run), [runNode(run, at === runIds.length - 1 || run.endedAt === undefined)]);
  });
  return found;
}

const toolsIn = perBlock(({ entries }) => new Set(entries.filter(isCall).map((call) => call.tool)));

/** Tools that the shown runs called, by name. */
export function toolsOf(state: SessionState, runIds: readonly string[]): readonly string[] {
  const tools = new Set<string>();
  for (const id of runIds) {
    const run = state.runs[id];
    if (run) for (const block of blocksOf(run)) for (const tool of toolsIn(block)) tools.add(tool);
  }
  return [...tools].sort();
}
