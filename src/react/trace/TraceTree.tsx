'use client';
import type React from 'react';
import { memo, type NamedExoticComponent, type ReactElement, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SessionState } from '../../store/state.ts';
import { isOpen } from './nodes.ts';
import { nextKeys, type RowKeys } from './row-keys.ts';
import type { TraceRow, TraceRows } from './row-list.ts';
import { rowTitle } from './row-words.ts';
import { runAxis } from './times.ts';
import { useTraceModel } from './trace-context.ts';
import { TraceRowView } from './TraceRowView.tsx';
import type { RowWindow } from './use-row-window.ts';
import { useTreeKeys } from './use-tree-keys.ts';
import { useTreeWindow } from './use-tree-window.ts';

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

/** The rows as a tree with one tab stop; only those in sight are in the document. The past stays as it is while the present goes on. */
export const TraceTree: NamedExoticComponent<TraceTreeProps> = memo(Tree);

function Tree(props: TraceTreeProps): ReactElement {
  const { rows, runs, view, selected, moment, rowHeight, now, onSelect, onToggle } = props;
  const { labels } = useTraceModel();
  const scroller = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<Current>();
  const chosen = rows.indexOf(selected);
  const current = held ? placeOf(rows, held) : Math.max(0, chosen);
  const momentAt = rows.indexOfHolder(moment);
  const wanted = [
    { id: selected, index: chosen },
    { id: moment, index: momentAt },
  ];
  const list = useTreeWindow(scroller, rows, rowHeight, wanted, moment !== undefined);
  const indexes = indexesOf(list, rows.length, current);
  const space = useRef<HTMLDivElement>(null);
  useTreePlaces(space, rows, indexes);
  const shown = indexes.map((index) => rows.at(index)!);
  const keys = useRowKeys(
    shown.map(({ node }) => node.id),
    rows.at(current)?.node.id,
  );
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
  const onKeyDown = useTreeKeys({
    rows,
    current,
    selected: rows.at(chosen),
    moveTo,
    onSelect,
    onToggle,
    titleOf: (row) => rowTitle(row.node, labels),
  });

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
      <div className="cm-tree-space" style={{ blockSize: rows.length * rowHeight }} />
      <div
        ref={space}
        className="cm-tree-rows"
        role="presentation"
        style={{ transform: `translateY(${list.base * rowHeight}px)` }}
      >
        {shown.map((row, at) => {
          const index = indexes[at]!;
          const run = runs[row.node.runId];
          return (
            <TraceRowView
              key={keys.get(row.node.id)}
              row={row}
              index={index}
              top={(index - list.base) * rowHeight}
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

/** Keys of the rows in the document. */
function useRowKeys(ids: readonly string[], own: string | undefined): RowKeys {
  const [memory] = useState<{ keys: RowKeys; own?: string | undefined }>(() => ({ keys: new Map() }));
  const keys = nextKeys(memory.keys, ids, new Set([memory.own, own]));
  useLayoutEffect(() => void Object.assign(memory, { keys, own }));
  return keys;
}

/**
 * Tells each row in the document its place in the whole. With every new row the size of its set changes for all of them, and
 * often nothing else does: rendering them for it would cost more than all the rest.
 */
function useTreePlaces(space: React.RefObject<HTMLDivElement | null>, rows: TraceRows, indexes: readonly number[]): void {
  useLayoutEffect(() => {
    indexes.forEach((index, at) => {
      const element = space.current?.children[at];
      const row = rows.at(index);
      if (!element || !row) return;
      tell(element, 'data-index', index);
      tell(element, 'aria-posinset', row.position);
      tell(element, 'aria-setsize', row.setSize);
    });
  });
}

function tell(element: Element, name: string, value: number): void {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
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

function indexOf(target: EventTarget): number | undefined {
  const text = target instanceof Element ? target.closest('[role="treeitem"]')?.getAttribute('data-index') : null;
  return text == null ? undefined : Number(text);
}

const rowAt = (tree: HTMLElement | null, index: number): HTMLElement | null | undefined =>
  tree?.querySelector<HTMLElement>(`[data-index="${index}"]`);
