'use client';
import type React from 'react';
import { type ReactElement, useMemo, useState } from 'react';
import { createStore } from 'zustand/vanilla';
import type { JournalEvent } from '../../journal/events.ts';
import type { RecordedRun } from '../../journal/run-file.ts';
import type { Session } from '../../session/types.ts';
import { useCanReview } from '../approval/use-approval-ui.ts';
import { formatOf, useLabels } from '../context.ts';
import type { Labels } from '../labels.ts';
import { usePerformanceMeasures } from '../use-performance-measures.ts';
import { useSession } from '../use-session.ts';
import { seqOfMoment } from '../use-time-travel.ts';
import { momentIndex, momentsOf } from './moments.ts';
import { runIdsOf } from './rows.ts';
import { type Linked, TraceContext, type TraceModel } from './trace-context.ts';
import { TraceNotes } from './TraceNotes.tsx';
import { TraceRuns } from './TraceRuns.tsx';
import { recordingSource, type TraceSource } from './trace-source.ts';
import { useNow } from './use-now.ts';
import { usePanelState } from './use-panel-state.ts';
import { type Standpoint, usePreparedHistory, useStandpoint } from './use-standpoint.ts';

export interface TracePanelProps {
  /** Id of the run to show. @default all runs of the session */
  readonly run?: string;
  /** @default the provider's session */
  readonly session?: Session;
  /** A run that was loaded from a file (`importRunFile`), instead of a session: to look at, event by event. Nothing of it is executed. */
  readonly recording?: RecordedRun;
  readonly labels?: Partial<Labels>;
  /** @default 'tree' */
  readonly defaultView?: 'tree' | 'timeline';
  /** Show the program beside the rows. @default true */
  readonly program?: boolean;
  /** Height of a row in px; the skin's rows are 28. @default 28 */
  readonly rowHeight?: number;
  readonly className?: string;
}

/** All that a trace panel shows; loaded when the first panel is on the page. */
export function TraceView(props: TracePanelProps): ReactElement {
  const { recording, run: onlyRun = recording?.runId, className = '' } = props;
  const session = useSession(props.session);
  const source = recording ? recordingSource(recording) : session;
  const labels = useLabels(props.labels);
  const panel = usePanelState(props.defaultView ?? 'tree', recording !== undefined);
  const standpoint = useStandpoint(source, onlyRun);
  usePreparedHistory(source, panel.stepping);
  usePerformanceMeasures(recording ? undefined : session);

  const { state } = standpoint;
  const runIds = useMemo(() => runIdsOf(state, onlyRun), [state, onlyRun]);
  const isPresent = standpoint.isLive && !recording;
  const ticking = useNow(isPresent && runIds.some((id) => state.runs[id]?.endedAt === undefined));
  const model = useTraceModelOf(source, isPresent ? session : undefined, labels);
  return (
    <TraceContext.Provider value={model}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the parts inside, as they come up */}
      <section
        className={`cm-root cm-trace ${className}`}
        aria-label={recording ? labels.recording : labels.trace}
        data-view={panel.view}
        data-past={!isPresent || undefined}
        data-empty={runIds.length === 0 || undefined}
        onKeyDown={
          panel.stepping && source
            ? (event) => stepByKey(event, momentsOf(source.journal.events, onlyRun), standpoint)
            : undefined
        }
      >
        <TraceNotes state={state} recording={recording} />
        {runIds.length > 0 ? (
          <TraceRuns
            runIds={runIds}
            run={onlyRun}
            standpoint={standpoint}
            panel={panel}
            isRecording={recording !== undefined}
            program={props.program ?? true}
            rowHeight={props.rowHeight ?? 28}
            now={isPresent ? ticking : (standpoint.event?.time ?? 0)}
          />
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

/** Shift with an arrow goes one event on or back, with Home and End to the first and the last; mirrored right to left. */
function stepByKey(
  event: React.KeyboardEvent<HTMLElement>,
  moments: readonly JournalEvent[],
  { seq, stopAfter }: Standpoint,
): void {
  if (!event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target instanceof Element && event.target.matches('input, textarea, select')) return;
  const at = seq === undefined ? moments.length : momentIndex(moments, seq) + 1;
  const mirrored = getComputedStyle(event.currentTarget).direction === 'rtl';
  const steps: Readonly<Record<string, number>> = {
    [mirrored ? 'ArrowLeft' : 'ArrowRight']: at + 1,
    [mirrored ? 'ArrowRight' : 'ArrowLeft']: at - 1,
    Home: 1,
    End: moments.length,
  };
  const to = steps[event.key];
  if (to === undefined) return;
  event.preventDefault();
  stopAfter(seqOfMoment(moments, Math.max(1, to)));
}

function useTraceModelOf(source: TraceSource | undefined, session: Session | undefined, labels: Labels): TraceModel {
  const canReview = useCanReview(session);
  const [links] = useState(() => createStore<Linked>(() => ({ line: undefined })));
  return useMemo(
    () => ({ source, session, labels, format: formatOf(labels), canReview, links }),
    [source, session, labels, canReview, links],
  );
}
