/**
 * A run in blocks of some dozen calls and lines that keep their identity while nothing in them changes. Whatever is made
 * of a run is made per block and remembered, so a run of ten thousand calls that goes on costs the last of its blocks. Pure.
 */
import type { CallView, RunItem, RunView } from '../../store/state.ts';

/** What a run did or said, in order. */
export type Output<K extends RunItem['kind'] = 'console' | 'emit'> = Extract<RunItem, { kind: K }>;
export type Entry = CallView | Output;

export interface Block {
  readonly runId: string;
  /** Place of its first entry in the run. */
  readonly from: number;
  readonly entries: readonly Entry[];
}

/** Least entries of a block that is not the last: comparing and joining blocks should cost about as much as making one. */
export const BLOCK_SIZE = 64;
/** Of a run with more calls and lines than this, the oldest are not shown. */
export const MAX_ITEMS = 10_000;
/** So many give way together: rows that moved with every new line could not be read, and each would have to be drawn anew. */
export const DROP_STEP = 512;

export const isCall = (entry: Entry): entry is CallView => !('kind' in entry);

const NONE: readonly Block[] = [];
const ofRun = new WeakMap<RunView, readonly Block[]>();
/** The first item of a run is the same object in every later state of it. */
const latest = new WeakMap<RunItem, readonly Block[]>();

/** All blocks of a run, those that are as they were last time being the same. */
export function blocksOf(run: RunView): readonly Block[] {
  const first = run.items[0];
  if (!first) return NONE;
  let blocks = ofRun.get(run);
  if (!blocks) {
    const known = latest.get(first) ?? NONE;
    blocks = cut(run, known);
    ofRun.set(run, blocks);
    // Those of a later moment stay known: who steps back through a run will go on again.
    latest.set(first, [...blocks, ...known.filter(({ from }) => from >= run.items.length)]);
  }
  return blocks;
}

function cut(run: RunView, known: readonly Block[]): readonly Block[] {
  const blocks: Block[] = [];
  let at = 0;
  for (let from = 0; from < run.items.length; ) {
    const to = endOf(run, from);
    while (known[at] && known[at]!.from < from) at += 1;
    const old = known[at];
    const same = old?.from === from && old.entries.length === to - from && isSame(old, run);
    const block = same
      ? old
      : { runId: run.id, from, entries: run.items.slice(from, to).map((_, each) => entry(run, from + each)) };
    blocks.push(block);
    from = to;
  }
  return blocks;
}

function entry({ items, calls }: RunView, at: number): Entry {
  const item = items[at]!;
  return item.kind === 'call' ? calls[item.index]! : item;
}

function isSame({ from, entries }: Block, run: RunView): boolean {
  for (let at = 0; at < entries.length; at += 1) if (entries[at] !== entry(run, from + at)) return false;
  return true;
}

/** A block ends where no group and no fold can go on, whatever becomes of its calls. So its rows depend on nothing outside. */
function endOf(run: RunView, from: number): number {
  const { length } = run.items;
  let to = Math.min(length, (Math.floor(from / BLOCK_SIZE) + 1) * BLOCK_SIZE);
  while (to < length && belongTogether(entry(run, to - 1), entry(run, to))) to += 1;
  return to;
}

const belongTogether = (a: Entry, b: Entry): boolean => isCall(a) && isCall(b) && (a.group === b.group || a.tool === b.tool);

/** The blocks to show, and how many calls and lines went before them. */
export function shownBlocks(run: RunView): { readonly dropped: number; readonly blocks: readonly Block[] } {
  const all = blocksOf(run);
  const over = run.items.length - MAX_ITEMS;
  if (over <= 0) return { dropped: 0, blocks: all };
  const dropped = Math.ceil(over / DROP_STEP) * DROP_STEP;
  const first = all.findIndex(({ from, entries }) => from + entries.length > dropped);
  return { dropped, blocks: all.slice(first).map((block) => (block.from < dropped ? restOf(block, dropped) : block)) };
}

const rests = new WeakMap<Block, Block>();

function restOf(block: Block, from: number): Block {
  let rest = rests.get(block);
  if (rest?.from !== from) {
    rest = { ...block, from, entries: block.entries.slice(from - block.from) };
    rests.set(block, rest);
  }
  return rest;
}

/** Makes something of a block once. */
export function perBlock<T extends NonNullable<unknown>>(make: (block: Block) => T): (block: Block) => T {
  const made = new WeakMap<Block, T>();
  return (block) => {
    let found = made.get(block);
    if (found === undefined) made.set(block, (found = make(block)));
    return found;
  };
}
