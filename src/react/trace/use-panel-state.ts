'use client';
import { useCallback, useState } from 'react';
import type { Failure } from './failures.ts';
import type { TraceNode } from './nodes.ts';
import { isFiltering, NO_FILTER, type RowFilter } from './row-filter.ts';
import type { TraceRow } from './row-list.ts';

/** What a person has set in a panel. */
export interface PanelState {
  readonly view: 'tree' | 'timeline';
  readonly filter: RowFilter;
  /** Rows whose open state differs from how they start. */
  readonly toggled: ReadonlySet<string>;
  readonly selected: string | undefined;
  /** The bar that steps through events is open. */
  readonly stepping: boolean;
  setView(view: 'tree' | 'timeline'): void;
  setFilter(filter: RowFilter): void;
  setStepping(open: boolean): void;
  select(id: string | undefined): void;
  /** Selects a row, or nothing when it was selected. */
  pick(row: TraceRow): void;
  toggle(ids: readonly string[]): void;
  /** Selects a row wherever it is: opens what it is in and drops the filter. */
  reveal(failure: Failure): void;
}

const NONE: ReadonlySet<string> = new Set();

const flipped = (old: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> => {
  const next = new Set(old);
  for (const id of ids) if (!next.delete(id)) next.add(id);
  return next;
};

export function usePanelState(defaultView: 'tree' | 'timeline', startsStepping: boolean): PanelState {
  const [view, setView] = useState(defaultView);
  const [filter, setFilter] = useState(NO_FILTER);
  const [stepping, setStepping] = useState(startsStepping);
  const [toggled, setToggled] = useState(NONE);
  const [selected, select] = useState<string>();
  const toggle = useCallback((ids: readonly string[]): void => setToggled((old) => flipped(old, ids)), []);
  const pick = useCallback((row: TraceRow): void => select((old) => (old === row.node.id ? undefined : row.node.id)), []);
  const reveal = useCallback(({ id, inside }: Failure): void => {
    const closed = (old: ReadonlySet<string>) => (node: TraceNode) => node.startsOpen === old.has(node.id);
    setToggled((old) =>
      flipped(
        old,
        inside.filter(closed(old)).map((node) => node.id),
      ),
    );
    setFilter((old) => (isFiltering(old) ? NO_FILTER : old));
    select(id);
  }, []);
  return { view, filter, toggled, selected, stepping, setView, setFilter, setStepping, select, pick, toggle, reveal };
}
