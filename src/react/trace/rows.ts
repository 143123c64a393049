import type { CallStatus, RunView, SessionState } from '../../store/state.ts';
import { failuresIn, isBad, runChildren, runNode, type TraceNode } from './nodes.ts';

/** A node on screen: its place in the tree and whether it is open. */
export interface TraceRow {
  readonly node: TraceNode;
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
  readonly parent: string | undefined;
  readonly failures: number;
}

export interface RowFilter {
  readonly text: string;
  readonly status: CallStatus | 'all';
  /** Calls of this tool only; empty: of any. */
  readonly tool: string;
}

export const NO_FILTER: RowFilter = { text: '', status: 'all', tool: '' };

export const isFiltering = ({ text, status, tool }: RowFilter): boolean => text !== '' || status !== 'all' || tool !== '';

export interface RowOptions {
  readonly runIds: readonly string[];
  /** Rows whose open state differs from how they start. */
  readonly toggled: ReadonlySet<string>;
  readonly filter: RowFilter;
}

/** The rows to show, top to bottom. What is closed is not looked into, so old runs cost one row each. */
export function buildRows(state: SessionState, { runIds, toggled, filter }: RowOptions): TraceRow[] {
  const rows: TraceRow[] = [];
  const matches = isFiltering(filter) ? matcher(filter) : undefined;
  runIds.forEach((id, at) => {
    const run = state.runs[id];
    if (!run) return;
    const node = runNode(run, at === runIds.length - 1 || run.endedAt === undefined);
    const open = matches !== undefined || node.startsOpen !== toggled.has(node.id);
    const children = open ? (matches ? matching(runChildren(run), matches) : runChildren(run)) : [];
    if (matches && children.length === 0 && !matches(node)) return;
    rows.push({
      node,
      level: 1,
      position: at + 1,
      setSize: runIds.length,
      expandable: true,
      expanded: open,
      parent: undefined,
      failures: run.status === 'failed' ? 1 : children.reduce((sum, child) => sum + failuresIn(child), 0),
    });
    addRows(rows, children, 2, node.id, toggled, matches !== undefined);
  });
  return rows;
}

function addRows(
  rows: TraceRow[],
  nodes: readonly TraceNode[],
  level: number,
  parent: string,
  toggled: ReadonlySet<string>,
  filtering: boolean,
): void {
  nodes.forEach((node, at) => {
    const expandable = node.children.length > 0;
    const expanded = expandable && (filtering || node.startsOpen !== toggled.has(node.id));
    rows.push({ node, level, position: at + 1, setSize: nodes.length, expandable, expanded, parent, failures: failuresIn(node) });
    if (expanded) addRows(rows, node.children, level + 1, node.id, toggled, filtering);
  });
}

/** A row that did not do what it should, and the rows that must be open to see it. */
export interface Failure {
  readonly id: string;
  /** Outermost first. */
  readonly inside: readonly TraceNode[];
}

/** How many there are, without looking for their rows. */
export function countFailures(state: SessionState, runIds: readonly string[]): number {
  let count = 0;
  for (const id of runIds) {
    const run = state.runs[id];
    if (run?.error) count += 1;
    for (const call of run?.calls ?? []) if (isBad(call)) count += 1;
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

type Matcher = (node: TraceNode) => boolean;

function matching(nodes: readonly TraceNode[], matches: Matcher): readonly TraceNode[] {
  return nodes.flatMap((node): readonly TraceNode[] | TraceNode => {
    if (node.children.length === 0) return matches(node) ? node : [];
    const children = matching(node.children, matches);
    return children.length > 0 ? { ...node, children } : [];
  });
}

interface Remembered {
  readonly filter: RowFilter;
  readonly matches: Matcher;
}

let last: Remembered | undefined;

/** Answers are remembered per node, so that a filtered trace that grows is searched once. */
function matcher(filter: RowFilter): Matcher {
  if (last?.filter === filter) return last.matches;
  const { text, status, tool } = filter;
  const hits = text === '' ? () => true : finder(text);
  const known = new WeakMap<TraceNode, boolean>();
  const matches: Matcher = (node) => {
    let answer = known.get(node);
    if (answer === undefined) {
      const call = node.kind === 'call' ? node.call : undefined;
      answer = (status === 'all' || call?.status === status) && (tool === '' || call?.tool === tool) && hits(node);
      known.set(node, answer);
    }
    return answer;
  };
  last = { filter, matches };
  return matches;
}

/** How much of one long text is searched: ten thousand rows of large values must not stop the page. */
const SEARCHED_CHARS = 4_096;

function finder(text: string): Matcher {
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu');
  return (node) =>
    searchTexts(node).some(
      (part) => part !== undefined && pattern.test(part.length > SEARCHED_CHARS ? part.slice(0, SEARCHED_CHARS) : part),
    );
}

/** What a search looks into: names, words, and the stored text of values in place. */
function searchTexts(node: TraceNode): readonly (string | undefined)[] {
  switch (node.kind) {
    case 'run':
      return [node.run.title];
    case 'call': {
      const { tool, title, input, output, error, intent } = node.call;
      return [tool, title, stored(input), stored(output), error?.message, intent];
    }
    case 'console':
      return [node.item.text];
    case 'emit':
      return [stored(node.item.value)];
    case 'warning':
      return [node.warning.message];
    case 'error':
      return [node.error.code, node.error.message];
    case 'cancelled':
      return [node.reason];
    case 'result':
      return [stored(node.value)];
    default:
      return [];
  }
}

function stored(value: { readonly inline: string } | { readonly preview: string } | undefined): string | undefined {
  return value === undefined ? undefined : 'inline' in value ? value.inline : value.preview;
}

/** Tools that the shown runs called, by name. */
export function toolsOf(state: SessionState, runIds: readonly string[]): readonly string[] {
  const tools = new Set<string>();
  for (const id of runIds) for (const call of state.runs[id]?.calls ?? []) tools.add(call.tool);
  return [...tools].sort();
}

/** Runs of a panel: the one asked for, or all. */
export function runIdsOf(state: SessionState, run: string | undefined): readonly string[] {
  if (run === undefined) return state.runOrder;
  return state.runs[run] ? [run] : [];
}

/** The run a header is about: the one shown, the selected row's, or the last. */
export function headerRun(state: SessionState, runIds: readonly string[], selected: string | undefined): RunView | undefined {
  const id = selected !== undefined && runIds.includes(selected) ? selected : runIds.at(-1);
  return id === undefined ? undefined : state.runs[id];
}
