'use client';
import type React from 'react';
import { type ReactElement, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SessionState } from '../../store/state.ts';
import { isOpen } from './nodes.ts';
import type { TraceRow, TraceRows } from './row-list.ts';
import { rowTitle } from './row-words.ts';
import { runAxis } from './times.ts';
import { useTraceModel } from './trace-context.ts';
import { TraceRowView } from './TraceRowView.tsx';
import { useKeptPlace } from './use-kept-place.ts';
import { type RowWindow, useRowWindow } from './use-row-window.ts';
import { useTreeKeys } from './use-tree-keys.ts';

export interface TraceTreeProps {
  readonly rows: TraceRows;
  readonly view: 'tree' | 'timeline';
  readonly runs: SessionState['runs'];
  readonly selected: string | undefined;
  /** Row of the event that a person has stepped to. */
  readonly moment: string | undefined;
  readonly rowHeight: number;
  readonly now: number;
  readonly onSelect: (row: TraceRow) => void;
  readonly onToggle: (ids: readonly string[]) => void;
}

/** The row that holds the tab stop, and where it was last seen. */
interface Current {
  readonly id: string;
  readonly index: number;
}

/** The rows as a tree with one tab stop; only those in sight are in the document. */
export function TraceTree(props: TraceTreeProps): ReactElement {
  const { rows, runs, view, selected, moment, rowHeight, now, onSelect, onToggle } = props;
  const { labels } = useTraceModel();
  const scroller = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<Current>();
  const chosen = rows.indexOf(selected);
  const current = held ? placeOf(rows, held) : Math.max(0, chosen);
  const list = useRowWindow(scroller, rows.length, rowHeight, true);
  useSetSizes(scroller, rows);
  const momentAt = rows.indexOfHolder(moment);
  useKeptPlace(scroller, list, rows, rowHeight, moment !== undefined);
  useInSight(list, selected, chosen);
  useInSight(list, moment, momentAt);
  const note = useKeptFocus(scroller, current);

  const moveTo = (index: number): void => {
    const row = rows.at(index);
    if (!row) return;
    // The row must be in the document before it can have the focus.
    flushSync(() => {
      setHeld({ id: row.node.id, index });
      list.show(index);
    });
    rowAt(scroller.current, index)?.focus({ preventScroll: true });
  };
  const onKeyDown = useTreeKeys({ rows, current, moveTo, onSelect, onToggle, titleOf: (row) => rowTitle(row.node, labels) });

  return (
    <div
      ref={scroller}
      className="cm-tree"
      role="tree"
      tabIndex={-1}
      aria-label={labels.trace}
      data-view={view}
      onKeyDown={onKeyDown}
      onBlur={() => note(null)}
      onFocus={(event: React.FocusEvent) => {
        note(event.target);
        const index = indexOf(event.target);
        const row = index === undefined ? undefined : rows.at(index);
        if (row && index !== undefined) setHeld({ id: row.node.id, index });
      }}
    >
      <div className="cm-tree-space" role="presentation" style={{ blockSize: rows.length * rowHeight }}>
        {indexesOf(list, rows.length, current).map((index) => {
          const row = rows.at(index)!;
          const run = runs[row.node.runId];
          return (
            <TraceRowView
              key={row.node.id}
              row={row}
              index={index}
              top={index * rowHeight}
              height={rowHeight}
              selected={row.node.id === selected}
              isMoment={index === momentAt}
              current={index === current}
              now={isOpen(row.node) ? now : 0}
              axis={view === 'timeline' && run ? runAxis(run, now) : undefined}
              onSelect={onSelect}
              onToggle={onToggle}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Where the row with the tab stop is now: in its place, in a closed row, or gone and its neighbour instead. */
function placeOf(rows: TraceRows, { id, index }: Current): number {
  const found = rows.indexOfHolder(id);
  return found >= 0 ? found : Math.max(0, Math.min(index, rows.length - 1));
}

/** Those in the window, and the row with the tab stop: it stays, so that the focus never falls out of the tree. */
function indexesOf({ from, to }: RowWindow, count: number, current: number): readonly number[] {
  const indexes = Array.from({ length: to - from }, (_, at) => from + at);
  if (current >= count || (current >= from && current < to)) return indexes;
  return current < from ? [current, ...indexes] : [...indexes, current];
}

/**
 * Tells each row in sight how many siblings it has. With every new row that number changes for all of them, and nothing
 * else does: rendering them for it would cost more than all the rest.
 */
function useSetSizes(scroller: React.RefObject<HTMLDivElement | null>, rows: TraceRows): void {
  useLayoutEffect(() => {
    for (const element of scroller.current?.querySelectorAll('[role="treeitem"]') ?? []) {
      const size = String(rows.at(Number(element.getAttribute('data-index')))?.setSize ?? '');
      if (size !== '' && element.getAttribute('aria-setsize') !== size) element.setAttribute('aria-setsize', size);
    }
  });
}

/**
 * A row that had the focus may give way to another: folded into one, filtered out, dropped. Then the other has it.
 * @returns to be told what has the focus
 */
function useKeptFocus(scroller: React.RefObject<HTMLDivElement | null>, current: number): (focused: Element | null) => void {
  const last = useRef<Element>(null);
  useLayoutEffect(() => {
    if (last.current && !last.current.isConnected && document.activeElement === document.body)
      rowAt(scroller.current, current)?.focus({ preventScroll: true });
  });
  return useCallback((focused) => {
    last.current = focused;
  }, []);
}

/** Scrolls to a row when another one is meant; scrolling by hand afterwards stays as it is. */
function useInSight(list: RowWindow, id: string | undefined, at: number): void {
  useEffect(() => {
    if (id !== undefined && at >= 0) list.show(at);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id]);
}

function indexOf(target: EventTarget): number | undefined {
  const text = target instanceof Element ? target.closest('[role="treeitem"]')?.getAttribute('data-index') : null;
  return text == null ? undefined : Number(text);
}

const rowAt = (tree: HTMLElement | null, index: number): HTMLElement | null | undefined =>
  tree?.querySelector<HTMLElement>(`[data-index="${index}"]`);
