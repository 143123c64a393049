'use client';
import { type ReactElement, useDeferredValue, useMemo } from 'react';
import type { RunView } from '../../store/state.ts';
import { GrantList } from '../approval/GrantList.tsx';
import { exportRun, saveJson } from './export-run.ts';
import { countFailures, failuresOf, toolsOf } from './failures.ts';
import { activeLines, linesWithRows, nextFailure, nextOfLine } from './find-rows.ts';
import { lineOfEvent, rowOfEvent } from './moments.ts';
import { lineOf } from './nodes.ts';
import { NO_FILTER } from './row-filter.ts';
import { buildRows, headerRun } from './rows.ts';
import { TimeBar } from './TimeBar.tsx';
import { useTraceModel } from './trace-context.ts';
import { TraceDetails } from './TraceDetails.tsx';
import { TraceHeader } from './TraceHeader.tsx';
import { TraceProgram } from './TraceProgram.tsx';
import { TraceToolbar } from './TraceToolbar.tsx';
import { TraceTree } from './TraceTree.tsx';
import { TraceUndo } from './TraceUndo.tsx';
import type { PanelState } from './use-panel-state.ts';
import type { Standpoint } from './use-standpoint.ts';

export interface TraceRunsProps {
  /** At least one. */
  readonly runIds: readonly string[];
  /** The run asked for, where not all are. */
  readonly run: string | undefined;
  readonly standpoint: Standpoint;
  readonly panel: PanelState;
  readonly isRecording: boolean;
  readonly program: boolean;
  readonly rowHeight: number;
  /** Epoch ms: of the clock, or of the moment shown. */
  readonly now: number;
}

/** Head, rows, details and program of a trace that has something to show. */
export function TraceRuns(props: TraceRunsProps): ReactElement | null {
  const { runIds, standpoint, panel, isRecording, program, rowHeight, now } = props;
  const { state } = standpoint;
  const { toggled, selected } = panel;
  const { session } = useTraceModel();
  // Typing goes first: the rows follow as soon as there is time.
  const filter = useDeferredValue(panel.filter);
  const rows = useMemo(() => buildRows(state, { runIds, toggled, filter }), [state, runIds, toggled, filter]);
  const node = rows.at(rows.indexOf(selected))?.node;
  const run = headerRun(state, runIds, node?.runId);
  const failures = useMemo(() => countFailures(state, runIds), [state, runIds]);
  const lines = useMemo(() => linesWithRows(rows, run?.id), [rows, run?.id]);
  const moment = panel.stepping ? standpoint.event : undefined;
  const active = useMemo(() => {
    if (!run) return [];
    const line = moment && lineOfEvent(moment, state);
    return line === undefined ? activeLines(run) : [...activeLines(run), line];
  }, [run, moment, state]);
  if (!run) return null;
  const side = program || node !== undefined;
  return (
    <>
      <TraceTop
        {...props}
        run={run}
        failures={failures}
        onNextFailure={() => {
          const next = nextFailure(failuresOf(state, runIds), rows, selected);
          if (next) panel.reveal(next);
        }}
      />
      {panel.stepping && <TimeBar run={props.run} standpoint={standpoint} canBeLive={!isRecording} />}
      {session && <Acts run={run.id} hasGrants={state.grants.length > 0} />}
      <div className="cm-trace-body" data-side={side || undefined}>
        <div className="cm-trace-main">
          <TraceTree
            rows={rows}
            runs={state.runs}
            view={panel.view}
            selected={selected}
            moment={moment && rowOfEvent(moment)}
            rowHeight={rowHeight}
            now={now}
            onSelect={panel.pick}
            onToggle={panel.toggle}
          />
          {rows.length === 0 && <NothingFound onClear={() => panel.setFilter(NO_FILTER)} />}
        </div>
        {side && (
          <div className="cm-trace-side">
            {node && (
              <TraceDetails
                key={node.id}
                node={node}
                run={state.runs[node.runId]}
                grants={state.grants}
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
                onPick={(line) => panel.select(nextOfLine(rows, run.id, line, selected))}
              />
            )}
          </div>
        )}
      </div>
    </>
  );
}

interface TopProps extends Omit<TraceRunsProps, 'run'> {
  readonly run: RunView;
  readonly failures: number;
  readonly onNextFailure: () => void;
}

function TraceTop(props: TopProps): ReactElement {
  const { run, runIds, now, panel, standpoint, failures, isRecording, onNextFailure } = props;
  const { source } = useTraceModel();
  const { state } = standpoint;
  const tools = useMemo(() => toolsOf(state, runIds), [state, runIds]);
  const step = (open: boolean): void => {
    panel.setStepping(open);
    if (!open) standpoint.stopAfter(undefined);
  };
  return (
    <div className="cm-trace-top">
      <TraceHeader run={run} now={now} />
      <TraceToolbar
        view={panel.view}
        onView={panel.setView}
        filter={panel.filter}
        onFilter={panel.setFilter}
        tools={tools}
        failures={failures}
        onNextFailure={onNextFailure}
        stepping={panel.stepping}
        onStepping={isRecording ? undefined : step}
        onExport={source && (() => void exportRun(source, run.id).then((file) => saveJson(`run-${run.id}.json`, file)))}
      />
    </div>
  );
}

/** What can be done about a run, in the present only. */
function Acts({ run, hasGrants }: { readonly run: string; readonly hasGrants: boolean }): ReactElement {
  const { session, labels } = useTraceModel();
  return (
    <>
      <TraceUndo key={run} runId={run} />
      {hasGrants && <GrantList session={session} labels={labels} />}
    </>
  );
}

function NothingFound({ onClear }: { readonly onClear: () => void }): ReactElement {
  const { labels } = useTraceModel();
  return (
    <p className="cm-empty-line">
      {labels.nothingFound}{' '}
      <button type="button" className="cm-link" onClick={onClear}>
        {labels.clearSearch}
      </button>
    </p>
  );
}
