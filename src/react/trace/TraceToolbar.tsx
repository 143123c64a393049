'use client';
import type { ReactElement } from 'react';
import type { CallStatus } from '../../store/state.ts';
import { Icon } from '../Icon.tsx';
import { visibleText } from '../text/visible-text.ts';
import type { RowFilter } from './row-filter.ts';
import { useTraceModel } from './trace-context.ts';

export interface TraceToolbarProps {
  readonly view: 'tree' | 'timeline';
  readonly onView: (view: 'tree' | 'timeline') => void;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  /** Tools to choose from; one alone is no choice. */
  readonly tools: readonly string[];
  readonly failures: number;
  readonly onNextFailure: () => void;
  readonly stepping: boolean;
  /** Opens and closes the bar that steps through events; absent where it is always open. */
  readonly onStepping: ((open: boolean) => void) | undefined;
  readonly onExport: (() => void) | undefined;
}

const STATUSES: readonly CallStatus[] = [
  'requested',
  'waiting_approval',
  'running',
  'succeeded',
  'failed',
  'denied',
  'cancelled',
  'interrupted',
  'replayed',
];

/** View, search, filters, next failure, time travel, export. */
export function TraceToolbar(props: TraceToolbarProps): ReactElement {
  const { view, onView, filter, onFilter, tools, failures, onNextFailure, stepping, onStepping, onExport } = props;
  const { labels } = useTraceModel();
  return (
    <div className="cm-toolbar" data-part="toolbar">
      <div className="cm-segmented" role="group" aria-label={labels.viewAs}>
        {(['tree', 'timeline'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={view === each} onClick={() => onView(each)}>
            {labels[each]}
          </button>
        ))}
      </div>
      <label className="cm-search">
        <Icon name="search" />
        <span className="cm-hidden">{labels.search}</span>
        <input
          type="search"
          placeholder={labels.search}
          value={filter.text}
          onChange={(event) => onFilter({ ...filter, text: event.target.value })}
        />
      </label>
      <select
        className="cm-select"
        aria-label={labels.filter}
        value={filter.status}
        onChange={(event) => onFilter({ ...filter, status: event.target.value as RowFilter['status'] })}
      >
        <option value="all">{labels.allStatuses}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {labels.callStatus[status]}
          </option>
        ))}
      </select>
      {(tools.length > 1 || filter.tool !== '') && (
        <select
          className="cm-select"
          aria-label={labels.toolFilter}
          value={filter.tool}
          onChange={(event) => onFilter({ ...filter, tool: event.target.value })}
        >
          <option value="">{labels.allTools}</option>
          {tools.map((tool) => (
            <option key={tool} value={tool}>
              {visibleText(tool)}
            </option>
          ))}
        </select>
      )}
      {failures > 0 && (
        <button type="button" className="cm-button" data-kind="plain" onClick={onNextFailure}>
          <Icon name="next" />
          {labels.nextFailure(failures)}
        </button>
      )}
      {onStepping && (
        <button
          type="button"
          className="cm-button cm-icon-button"
          data-kind="plain"
          data-action="time-travel"
          aria-pressed={stepping}
          title={labels.timeTravel}
          aria-label={labels.timeTravel}
          onClick={() => onStepping(!stepping)}
        >
          <Icon name="travel" />
        </button>
      )}
      {onExport && (
        <button
          type="button"
          className="cm-button cm-icon-button"
          data-kind="plain"
          title={labels.exportRun}
          aria-label={labels.exportRun}
          onClick={onExport}
        >
          <Icon name="export" />
        </button>
      )}
    </div>
  );
}
