'use client';
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { createStore } from 'zustand/vanilla';
import type { Session } from '../../session/types.ts';
import type { RunView, SessionState } from '../../store/state.ts';
import { GrantList } from '../approval/GrantList.tsx';
import { useCanReview } from '../approval/use-approval-ui.ts';
import { formatOf, useLabels } from '../context.ts';
import type { Labels } from '../labels.ts';
import { usePerformanceMeasures } from '../use-performance-measures.ts';
import { useSelected } from '../use-selected.ts';
import { useSession } from '../use-session.ts';
import { exportRun, saveJson } from './export-run.ts';
import { failuresIn, lineOf, type TraceNode } from './nodes.ts';
import { buildRows, headerRun, NO_FILTER, type RowFilter, runIdsOf, type TraceRow } from './rows.ts';
import { type Linked, TraceContext, type TraceModel } from './trace-context.ts';
import { TraceDetails } from './TraceDetails.tsx';
import { TraceHeader } from './TraceHeader.tsx';
import { TraceProgram } from './TraceProgram.tsx';
import { TraceToolbar } from './TraceToolbar.tsx';
import { TraceTree } from './TraceTree.tsx';
import { TraceUndo } from './TraceUndo.tsx';
import { useNow } from './use-now.ts';

export interface TracePanelProps {
  /** Id of the run to show. @default all runs of the session */
  readonly run?: string;
  /** @default the provider's session */
  readonly session?: Session;
  readonly labels?: Partial<Labels>;
  /** @default 'tree' */
  readonly defaultView?: 'tree' | 'timeline';
  /** Show the program beside the rows. @default true */
  readonly program?: boolean;
  /** Height of a row in px; the skin's rows are 28. @default 28 */
  readonly rowHeight?: number;
  readonly className?: string;
}

const whole = (state: SessionState): SessionState => state;

/** All that a trace panel shows; loaded when the first panel is on the page. */
export function TraceView(props: TracePanelProps): ReactElement {
  const { run: onlyRun, program = true, rowHeight = 28, className = '' } = props;
  const session = useSession(props.session);
  const labels = useLabels(props.labels);
  const state = useSelected(session, whole, Object.is);
  const panel = usePanelState(props.defaultView ?? 'tree');
  const { toggled, filter, selected, view } = panel;
  usePerformanceMeasures(session);

  const runIds = useMemo(() => runIdsOf(state, onlyRun), [state, onlyRun]);
  const rows = useMemo(() => buildRows(state, { runIds, toggled, filter }), [state, runIds, toggled, filter]);
  const node = rows.find((row) => row.node.id === selected)?.node;
  const run = headerRun(state, runIds, node?.runId);
  const now = useNow(runIds.some((id) => state.runs[id]?.endedAt === undefined));
  const model = useTraceModelOf(session, labels);
  const failing = useMemo(() => rows.filter((row) => !row.expandable && failuresIn(row.node) > 0), [rows]);
  const lines = useMemo(() => linesWithRows(rows, run?.id), [rows, run?.id]);
  const active = useMemo(() => (run ? activeLines(run) : []), [run]);

  return (
    <TraceContext.Provider value={model}>
      <section
        className={`cm-root cm-trace ${className}`}
        aria-label={labels.trace}
        data-view={view}
        data-empty={runIds.length === 0 || undefined}
      >
        {run ? (
          <>
            <div className="cm-trace-top">
              <TraceHeader run={run} now={now} />
              <TraceToolbar
                view={view}
                onView={panel.setView}
                filter={filter}
                onFilter={panel.setFilter}
                failures={failing.length}
                onNextFailure={() => panel.select(nextAfter(failing, rows, selected))}
                onExport={session && (() => void exportRun(session, run.id).then((data) => saveJson(`run-${run.id}.json`, data)))}
              />
            </div>
            <TraceUndo key={run.id} runId={run.id} />
            {state.grants.length > 0 && <GrantList session={session} labels={labels} />}
            <div className="cm-trace-body" data-side={program || node !== undefined || undefined}>
              <div className="cm-trace-main">
                <TraceTree
                  rows={rows}
                  view={view}
                  selected={selected}
                  rowHeight={rowHeight}
                  now={now}
                  onSelect={panel.pick}
                  onToggle={panel.toggle}
                />
                {rows.length === 0 && (
                  <p className="cm-empty-line">
                    {labels.nothingFound}{' '}
                    <button type="button" className="cm-link" onClick={() => panel.setFilter(NO_FILTER)}>
                      {labels.clearSearch}
                    </button>
                  </p>
                )}
              </div>
              {(program || node) && (
                <div className="cm-trace-side">
                  {node && (
                    <TraceDetails
                      key={node.id}
                      node={node}
                      run={state.runs[node.runId]}
                      now={now}
                      onClose={() => panel.select(undefined)}
                    />
                  )}
                  {program && (
                    <TraceProgram
                      key={run.id}
                      run={run}
                      active={active}
                      lines={lines}
                      focusLine={node && node.runId === run.id ? lineOf(node) : undefined}
                      onPick={(line) =>
                        panel.select(
                          rows.find((row) => row.node.runId === run.id && !row.expandable && lineOf(row.node) === line)?.node.id,
                        )
                      }
                    />
                  )}
                </div>
              )}
            </div>
          </>
        ) : (
          <div className="cm-empty" data-part="empty">
            <p className="cm-empty-title">{labels.traceEmpty}</p>
            <p className="cm-muted">{labels.traceEmptyHint}</p>
          </div>
        )}
      </section>
    </TraceContext.Provider>
  );
}

interface PanelState {
  readonly view: 'tree' | 'timeline';
  readonly filter: RowFilter;
  readonly toggled: ReadonlySet<string>;
  readonly selected: string | undefined;
  setView(view: 'tree' | 'timeline'): void;
  setFilter(filter: RowFilter): void;
  select(id: string | undefined): void;
  /** Selects a row, or nothing when it was selected. */
  pick(row: TraceRow): void;
  toggle(ids: readonly string[]): void;
}

const NONE: ReadonlySet<string> = new Set();

function usePanelState(defaultView: 'tree' | 'timeline'): PanelState {
  const [view, setView] = useState(defaultView);
  const [filter, setFilter] = useState(NO_FILTER);
  const [toggled, setToggled] = useState(NONE);
  const [selected, select] = useState<string>();
  const toggle = useCallback(
    (ids: readonly string[]): void =>
      setToggled((old) => {
        const next = new Set(old);
        for (const id of ids) if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  const pick = useCallback((row: TraceRow): void => select((old) => (old === row.node.id ? undefined : row.node.id)), []);
  return { view, filter, toggled, selected, setView, setFilter, select, pick, toggle };
}

function useTraceModelOf(session: Session | undefined, labels: Labels): TraceModel {
  const canReview = useCanReview(session);
  const [links] = useState(() => createStore<Linked>(() => ({ line: undefined })));
  return useMemo(() => ({ session, labels, format: formatOf(labels), canReview, links }), [session, labels, canReview, links]);
}

/** Lines of calls that are open: where the program is. */
function activeLines(run: RunView): number[] {
  if (run.endedAt !== undefined) return [];
  const lines = run.calls.flatMap((call) => (call.site && call.endedAt === undefined ? call.site.line : []));
  return [...new Set(lines)];
}

function linesWithRows(rows: readonly TraceRow[], runId: string | undefined): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const { node, expandable } of rows) {
    const line = node.runId === runId && !expandable ? lineOf(node) : undefined;
    if (line !== undefined) lines.add(line);
  }
  return lines;
}

/** The next failing row below the selected one, from the top again after the last. */
function nextAfter(failing: readonly TraceRow[], rows: readonly TraceRow[], selected: string | undefined): string | undefined {
  const at = rows.findIndex((row) => row.node.id === selected);
  const next = failing.find((row) => rows.indexOf(row) > at) ?? failing[0];
  return (next?.node as TraceNode | undefined)?.id;
}
