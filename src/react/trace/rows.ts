import type { CallStatus, RunView, SessionState } from '../../store/state.ts';
import { failuresIn, runChildren, runNode, type TraceNode } from './nodes.ts';

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
}

export const NO_FILTER: RowFilter = { text: '', status: 'all' };

export interface RowOptions {
  readonly runIds: readonly string[];
  /** Rows whose open state differs from how they start. */
  readonly toggled: ReadonlySet<string>;
  readonly filter: RowFilter;
}

/** The rows to show, top to bottom. What is closed is not looked into, so old runs cost one row each. */
export function buildRows(state: SessionState, { runIds, toggled, filter }: RowOptions): TraceRow[] {
  const rows: TraceRow[] = [];
  const filtering = filter.text !== '' || filter.status !== 'all';
  runIds.forEach((id, at) => {
    const run = state.runs[id];
    if (!run) return;
    const node = runNode(run, at === runIds.length - 1 || run.endedAt === undefined);
    const open = filtering || node.startsOpen !== toggled.has(node.id);
    const children = open ? matching(runChildren(run), filter) : [];
    if (filtering && children.length === 0 && !matches(node, filter)) return;
    const failures = run.status === 'failed' ? 1 : children.reduce((sum, child) => sum + failuresIn(child), 0);
    rows.push({
      node,
      level: 1,
      position: at + 1,
      setSize: runIds.length,
      expandable: true,
      expanded: open,
      parent: undefined,
      failures,
    });
    addRows(rows, children, 2, node.id, toggled, filtering);
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

function matching(nodes: readonly TraceNode[], filter: RowFilter): readonly TraceNode[] {
  if (filter.text === '' && filter.status === 'all') return nodes;
  return nodes.flatMap((node): TraceNode[] => {
    const children = matching(node.children, filter);
    if (node.children.length > 0) return children.length > 0 ? [{ ...node, children }] : [];
    return matches(node, filter) ? [node] : [];
  });
}

function matches(node: TraceNode, { text, status }: RowFilter): boolean {
  if (status !== 'all' && !(node.kind === 'call' && node.call.status === status)) return false;
  return text === '' || searchText(node).toLowerCase().includes(text.toLowerCase());
}

/** What a search looks into: names, words, and the stored text of values in place. */
export function searchText(node: TraceNode): string {
  switch (node.kind) {
    case 'run':
      return node.run.title ?? '';
    case 'call': {
      const { tool, title, input, output, error, intent } = node.call;
      return [tool, title, stored(input), stored(output), error?.message, intent].filter(Boolean).join(' ');
    }
    case 'console':
      return node.item.text;
    case 'emit':
      return stored(node.item.value);
    case 'warning':
      return node.warning.message;
    case 'error':
      return `${node.error.code} ${node.error.message}`;
    case 'cancelled':
      return node.reason;
    case 'result':
      return stored(node.value);
    default:
      return '';
  }
}

function stored(value: { readonly inline: string } | { readonly preview: string } | undefined): string {
  return value === undefined ? '' : 'inline' in value ? value.inline : value.preview;
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
