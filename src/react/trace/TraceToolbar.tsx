'use client';
import type { ReactElement } from 'react';
import type { CallStatus } from '../../store/state.ts';
import { Icon } from '../Icon.tsx';
import type { RowFilter } from './rows.ts';
import { useTraceModel } from './trace-context.ts';

export interface TraceToolbarProps {
  readonly view: 'tree' | 'timeline';
  readonly onView: (view: 'tree' | 'timeline') => void;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  readonly failures: number;
  readonly onNextFailure: () => void;
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

/** View, search, filter, next failure, export. */
export function TraceToolbar(props: TraceToolbarProps): ReactElement {
  const { view, onView, filter, onFilter, failures, onNextFailure, onExport } = props;
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
      {failures > 0 && (
        <button type="button" className="cm-button" data-kind="plain" onClick={onNextFailure}>
          <Icon name="next" />
          {labels.nextFailure(failures)}
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
