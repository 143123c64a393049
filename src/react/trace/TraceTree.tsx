'use client';
import type React from 'react';
import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactElement, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { SessionState } from '../../store/state.ts';
import { observeMeasured, UNMEASURED } from './measured-rect.ts';
import { rowTitle } from './row-words.ts';
import type { TraceRow } from './rows.ts';
import { runAxis } from './times.ts';
import { useTraceModel } from './trace-context.ts';
import { TraceRowView } from './TraceRowView.tsx';
import { isOpen, type TraceNode } from './nodes.ts';
import { useTreeKeys } from './use-tree-keys.ts';

export interface TraceTreeProps {
  readonly rows: readonly TraceRow[];
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

type RowVirtualizer = Virtualizer<HTMLDivElement, Element>;

/** The rows as a tree with one tab stop; only those in sight are in the document. */
export function TraceTree(props: TraceTreeProps): ReactElement {
  const { rows, runs, view, selected, moment, rowHeight, now, onSelect, onToggle } = props;
  const { labels } = useTraceModel();
  const scroller = useRef<HTMLDivElement>(null);
  const [currentId, setCurrentId] = useState<string>();
  const kept = usePlace(rows, currentId);
  const chosen = usePlace(rows, selected);
  const current = kept >= 0 ? kept : Math.max(0, chosen);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    initialRect: UNMEASURED,
    observeElementRect: observeMeasured,
    // The row with the tab stop stays, so that the focus never falls out of the tree.
    rangeExtractor: (range) => {
      const inSight = defaultRangeExtractor(range);
      return inSight.includes(current) || current >= rows.length ? inSight : [...inSight, current].sort((a, b) => a - b);
    },
  });
  useSetSizes(scroller, rows);
  const momentAt = moment === undefined ? -1 : indexOfRow(rows, moment);
  useStickToEnd(scroller, virtual, rows.length, rowHeight, moment !== undefined);
  useInSight(virtual, selected, () => chosen);
  useInSight(virtual, moment, () => momentAt);

  const moveTo = (index: number): void => {
    const row = rows[index];
    if (!row) return;
    setCurrentId(row.node.id);
    virtual.scrollToIndex(index);
    focusSoon(scroller.current, index);
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
      onFocus={(event: React.FocusEvent) => {
        const at = indexOf(event.target);
        const row = at === undefined ? undefined : rows[at];
        if (row) setCurrentId(row.node.id);
      }}
    >
      <div className="cm-tree-space" role="presentation" style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const run = runs[row.node.runId];
          return (
            <TraceRowView
              key={row.node.id}
              row={row}
              index={index}
              top={start}
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

/** Place of a row; -1 where it is not shown. */
const usePlace = (rows: readonly TraceRow[], id: string | undefined): number =>
  useMemo(() => (id === undefined ? -1 : rows.findIndex((row) => row.node.id === id)), [rows, id]);

/** Place of the row, or of the closed one that it is in; -1 where it is not shown. */
function indexOfRow(rows: readonly TraceRow[], id: string): number {
  const exact = rows.findIndex((row) => row.node.id === id);
  return exact >= 0 ? exact : rows.findIndex(({ node, expanded }) => !expanded && isInside(node.children, id));
}

const isInside = (nodes: readonly TraceNode[], id: string): boolean =>
  nodes.some((node) => node.id === id || isInside(node.children, id));

/**
 * Tells each row in sight how many siblings it has. With every new row that number changes for all of them, and nothing
 * else does: rendering them for it would cost more than all the rest.
 */
function useSetSizes(scroller: React.RefObject<HTMLDivElement | null>, rows: readonly TraceRow[]): void {
  useLayoutEffect(() => {
    for (const element of scroller.current?.querySelectorAll('[role="treeitem"]') ?? []) {
      const size = rows[Number(element.getAttribute('data-index'))]?.setSize;
      if (size !== undefined) element.setAttribute('aria-setsize', String(size));
    }
  });
}

/** Scrolls to a row when another one is meant; scrolling by hand afterwards stays as it is. */
function useInSight(virtual: RowVirtualizer, id: string | undefined, find: () => number): void {
  useEffect(() => {
    const at = id === undefined ? -1 : find();
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id, virtual]);
}

function indexOf(target: EventTarget): number | undefined {
  const text = target instanceof Element ? target.closest('[role="treeitem"]')?.getAttribute('data-index') : null;
  return text == null ? undefined : Number(text);
}

/** The row may come into the document with the next render only. */
function focusSoon(tree: HTMLElement | null, index: number): void {
  const find = (): HTMLElement | null => tree?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;
  const row = find();
  if (row) row.focus({ preventScroll: true });
  else requestAnimationFrame(() => find()?.focus({ preventScroll: true }));
}

/** Follows the end while the person is there and does not work in the tree. */
function useStickToEnd(
  scroller: React.RefObject<HTMLDivElement | null>,
  virtual: RowVirtualizer,
  count: number,
  rowHeight: number,
  /** A person looks at one moment: what comes after does not pull them away. */
  held: boolean,
): void {
  const before = useRef(0);
  useEffect(() => {
    const element = scroller.current;
    const end = before.current * rowHeight;
    before.current = count;
    if (held || !element || element.contains(document.activeElement)) return;
    const shown = (virtual.scrollOffset ?? 0) + (virtual.scrollRect?.height ?? 0);
    if (shown >= end - 8) element.scrollTo({ top: count * rowHeight });
  }, [scroller, virtual, count, rowHeight, held]);
}
