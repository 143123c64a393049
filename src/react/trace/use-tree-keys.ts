'use client';
import type React from 'react';
import { useRef } from 'react';
import type { TraceRow, TraceRows } from './row-list.ts';

export interface TreeKeys {
  readonly rows: TraceRows;
  readonly current: number;
  /** The row whose details are open. */
  readonly selected: TraceRow | undefined;
  moveTo(index: number): void;
  /** Opens the details of a row, or closes them. */
  onSelect(row: TraceRow): void;
  /** Opens what is closed and closes what is open, by id. */
  onToggle(ids: readonly string[]): void;
  titleOf(row: TraceRow): string;
}

/** Pause after which a new type-ahead begins, ms. */
const TYPE_AHEAD_MS = 700;
const PAGE = 10;

/** Keys of the tree pattern: arrows (mirrored right to left), Home, End, page, `*`, Enter, space, Escape, type-ahead. */
export function useTreeKeys(keys: TreeKeys): (event: React.KeyboardEvent<HTMLElement>) => void {
  const typed = useRef({ text: '', at: 0 });
  return (event) => {
    const { rows, current } = keys;
    const row = rows.at(current);
    if (!row || event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    // With shift the arrows, Home and End step through time, not through rows.
    if (event.shiftKey && event.key.length > 1) return;
    // Keys of a button inside a row are the button's.
    if (event.target instanceof Element && event.target.getAttribute('role') !== 'treeitem') return;
    const action = actionOf(event, keys, row);
    if (action) {
      event.preventDefault();
      if (event.key === 'Escape') event.stopPropagation();
      action();
      return;
    }
    if (event.key.length !== 1 || event.key === ' ') return;
    const now = event.timeStamp;
    const fresh = now - typed.current.at > TYPE_AHEAD_MS;
    typed.current = { text: (fresh ? '' : typed.current.text) + event.key.toLowerCase(), at: now };
    const found = typeAhead(keys, typed.current.text, fresh);
    if (found === undefined) return;
    event.preventDefault();
    keys.moveTo(found);
  };
}

function actionOf(event: React.KeyboardEvent<HTMLElement>, keys: TreeKeys, row: TraceRow): (() => void) | undefined {
  const { rows, current, selected, moveTo, onSelect, onToggle } = keys;
  const mirrored = getComputedStyle(event.currentTarget).direction === 'rtl';
  const last = rows.length - 1;
  switch (event.key) {
    case 'ArrowDown':
      return () => moveTo(Math.min(last, current + 1));
    case 'ArrowUp':
      return () => moveTo(Math.max(0, current - 1));
    case 'PageDown':
      return () => moveTo(Math.min(last, current + PAGE));
    case 'PageUp':
      return () => moveTo(Math.max(0, current - PAGE));
    case 'Home':
      return () => moveTo(0);
    case 'End':
      return () => moveTo(last);
    case mirrored ? 'ArrowLeft' : 'ArrowRight':
      return () => (row.expandable && !row.expanded ? onToggle([row.node.id]) : row.expanded && moveTo(current + 1));
    case mirrored ? 'ArrowRight' : 'ArrowLeft':
      return () => (row.expanded ? onToggle([row.node.id]) : moveTo(parentIndex(rows, current)));
    case '*':
      return () => onToggle(closedSiblings(rows, row));
    case 'Escape':
      return selected && (() => onSelect(selected));
    case 'Enter':
    case ' ':
      return () => onSelect(row);
    default:
      return undefined;
  }
}

function closedSiblings(rows: TraceRows, row: TraceRow): string[] {
  return [...rows].filter((each) => each.parent === row.parent && each.expandable && !each.expanded).map((each) => each.node.id);
}

function parentIndex(rows: TraceRows, index: number): number {
  const at = rows.indexOf(rows.at(index)?.parent);
  return at >= 0 ? at : index;
}

function typeAhead({ rows, current, titleOf }: TreeKeys, text: string, fresh: boolean): number | undefined {
  for (let step = fresh ? 1 : 0; step <= rows.length; step += 1) {
    const at = (current + step) % rows.length;
    if (titleOf(rows.at(at)!).toLowerCase().startsWith(text)) return at;
  }
  return undefined;
}
