/** The rows of a trace: what is open, and wanted, of its runs. Pure; a part of a run that did not change is not looked into again. */
import type { RunView, SessionState } from '../../store/state.ts';
import { failuresIn, type TraceNode } from './nodes.ts';
import { isFiltering, type Matcher, matcherOf, matching, type RowFilter } from './row-filter.ts';
import { type RowPart, siblingsIn, type TraceRow, TraceRows } from './row-list.ts';
import { runNode, runParts } from './run-nodes.ts';

export interface RowOptions {
  readonly runIds: readonly string[];
  /** Rows whose open state differs from how they start. */
  readonly toggled: ReadonlySet<string>;
  readonly filter: RowFilter;
}

/** The rows to show, top to bottom. What is closed is not looked into, so old runs cost one row each. */
export function buildRows(state: SessionState, { runIds, toggled, filter }: RowOptions): TraceRows {
  const view = viewOf(toggled, filter);
  return new TraceRows(
    view,
    runIds.flatMap((id, at) => {
      const run = state.runs[id];
      if (!run) return [];
      const node = runNode(run, at === runIds.length - 1 || run.endedAt === undefined);
      const expanded = view.matches !== undefined || node.startsOpen !== toggled.has(node.id);
      const parts = expanded ? runParts(run).map((nodes) => partOf(run.id, nodes, view)) : [];
      const setSize = parts.reduce((sum, part) => sum + siblingsIn(part), 0);
      if (view.matches && setSize === 0 && !view.matches(node)) return [];
      const failures = run.status === 'failed' ? 1 : parts.reduce((sum, part) => sum + failuresOfPart(part), 0);
      const row = { node, level: 1, position: 1, setSize: 0, expandable: true, expanded, parent: undefined, failures };
      const head = { parts: [{ runId: id, level: 1, rows: [row] }], before: at, setSize: runIds.length };
      return [head, { parts, before: 0, setSize }];
    }),
  );
}

/** What decides which rows a part has, with the parts made for it so far. */
interface View {
  readonly toggled: ReadonlySet<string>;
  /** Only these nodes, and all of them open. */
  readonly matches: Matcher | undefined;
  readonly parts: WeakMap<readonly TraceNode[], RowPart>;
}

const views = new WeakMap<RowFilter | ReadonlySet<string>, View>();

/** While a filter is set everything is open, so that alone decides. */
function viewOf(toggled: ReadonlySet<string>, filter: RowFilter): View {
  const filtering = isFiltering(filter);
  const key = filtering ? filter : toggled;
  let view = views.get(key);
  if (!view) {
    view = { toggled, matches: filtering ? matcherOf(filter) : undefined, parts: new WeakMap() };
    views.set(key, view);
  }
  return view;
}

function partOf(runId: string, nodes: readonly TraceNode[], view: View): RowPart {
  let part = view.parts.get(nodes);
  if (!part) {
    const rows: TraceRow[] = [];
    addRows(rows, view.matches ? matching(nodes, view.matches) : nodes, 2, `run:${runId}`, view);
    part = { runId, level: 2, rows };
    view.parts.set(nodes, part);
  }
  return part;
}

function addRows(rows: TraceRow[], nodes: readonly TraceNode[], level: number, parent: string, view: View): void {
  nodes.forEach((node, at) => {
    const expandable = node.children.length > 0;
    const expanded = expandable && (view.matches !== undefined || node.startsOpen !== view.toggled.has(node.id));
    rows.push({ node, level, position: at + 1, setSize: nodes.length, expandable, expanded, parent, failures: failuresIn(node) });
    if (expanded) addRows(rows, node.children, level + 1, node.id, view);
  });
}

const failuresOfParts = new WeakMap<RowPart, number>();

function failuresOfPart(part: RowPart): number {
  let sum = failuresOfParts.get(part);
  if (sum === undefined) {
    sum = part.rows.reduce((all, { level, failures }) => all + (level === part.level ? failures : 0), 0);
    failuresOfParts.set(part, sum);
  }
  return sum;
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
