/** Rows in parts that are the same as long as nothing in them changes. Pure. */
import { isInside, type TraceNode } from './nodes.ts';

/** A node on screen: its place in the tree and whether it is open. */
export interface TraceRow {
  readonly node: TraceNode;
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
  readonly parent: string | undefined;
  readonly failures: number;
}

/** Rows of some neighbours. Those of the part's own level have their position in the part. */
export interface RowPart {
  readonly runId: string;
  readonly level: number;
  readonly rows: readonly TraceRow[];
}

interface Placed {
  readonly part: RowPart;
  /** Index of its first row. */
  readonly start: number;
  /** Siblings before those of the part. */
  readonly before: number;
  readonly setSize: number;
}

/** Parts whose rows of their level are siblings. */
export interface RowSet {
  readonly parts: readonly RowPart[];
  /** Siblings before the first of them. */
  readonly before: number;
  readonly setSize: number;
}

/** All rows of a trace, top to bottom. A row is made when it is asked for: its place depends on everything above. */
export class TraceRows implements Iterable<TraceRow> {
  /** What a person has opened and looks for: rows of the same one differ by what happened only. */
  readonly arrangement: object;
  private readonly placed: readonly Placed[];
  private count = 0;

  constructor(arrangement: object, sets: readonly RowSet[]) {
    this.arrangement = arrangement;
    const placed: Placed[] = [];
    for (const { parts, before, setSize } of sets) {
      let siblings = before;
      for (const part of parts) {
        if (part.rows.length === 0) continue;
        placed.push({ part, start: this.count, before: siblings, setSize });
        this.count += part.rows.length;
        siblings += siblingsIn(part);
      }
    }
    this.placed = placed;
  }

  get length(): number {
    return this.count;
  }

  get parts(): readonly RowPart[] {
    return this.placed.map(({ part }) => part);
  }

  at(index: number): TraceRow | undefined {
    const found = this.placed[this.placeOf(index)];
    return found && rowIn(found, index - found.start);
  }

  /** By how many rows the first that is left of older ones from that index on has moved; 0 where none is. */
  movedFrom(old: TraceRows, index: number): number {
    const known = new Set(old.parts);
    const others = this.placed.filter(({ part }) => !known.has(part));
    for (const was of old.placed.slice(Math.max(0, old.placeOf(index)))) {
      const same = this.placed.find(({ part }) => part === was.part);
      if (same) return same.start - was.start;
      // Its rows are in a part that became another, or nowhere.
      for (let at = Math.max(0, index - was.start); at < was.part.rows.length; at += 1)
        for (const { part, start } of others) {
          const now = idsOf(part).get(was.part.rows[at]!.node.id);
          if (now !== undefined) return start + now - was.start - at;
        }
    }
    return 0;
  }

  /** Place of the part with that row. */
  private placeOf(index: number): number {
    let low = 0;
    let high = this.placed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.placed[middle]!.start <= index) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** -1 where it is not shown. */
  indexOf(id: string | undefined): number {
    if (id === undefined) return -1;
    for (const { part, start } of this.placed) {
      const at = idsOf(part).get(id);
      if (at !== undefined) return start + at;
    }
    return -1;
  }

  /** Index of the row, or of the closed one that it is in; -1 where neither is shown. */
  indexOfHolder(id: string | undefined): number {
    const exact = this.indexOf(id);
    if (exact >= 0 || id === undefined) return exact;
    for (const { part, start } of this.placed) {
      const at = part.rows.findIndex(({ node, expanded }) => !expanded && isInside(node.children, id));
      if (at >= 0) return start + at;
    }
    return -1;
  }

  *[Symbol.iterator](): Iterator<TraceRow> {
    for (const placed of this.placed) for (let at = 0; at < placed.part.rows.length; at += 1) yield rowIn(placed, at)!;
  }
}

function rowIn({ part, before, setSize }: Placed, at: number): TraceRow | undefined {
  const row = part.rows[at];
  return row?.level === part.level ? { ...row, position: before + row.position, setSize } : row;
}

/** How many rows of a part are of its own level. */
export const siblingsIn = ({ rows, level }: RowPart): number => rows.findLast((row) => row.level === level)?.position ?? 0;

const ids = new WeakMap<RowPart, ReadonlyMap<string, number>>();

function idsOf(part: RowPart): ReadonlyMap<string, number> {
  let found = ids.get(part);
  if (!found) ids.set(part, (found = new Map(part.rows.map(({ node }, at) => [node.id, at]))));
  return found;
}
