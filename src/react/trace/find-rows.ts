/** Finding the row one wants: of a line, the next failure, at work. Pure. */
import type { RunView } from '../../store/state.ts';
import { lineOf } from './nodes.ts';
import type { Failure } from './failures.ts';
import type { RowPart, TraceRow, TraceRows } from './row-list.ts';
import { openCalls } from './times.ts';

/** Lines of calls that are open: where the program is. */
export function activeLines(run: RunView): number[] {
  if (run.endedAt !== undefined) return [];
  const lines = new Set<number>();
  for (const { site } of openCalls(run)) if (site) lines.add(site.line);
  return [...lines];
}

/** A row that stands for its line: nothing more exact is open below it. */
const standsFor = (row: TraceRow, runId: string | undefined): boolean => row.node.runId === runId && !row.expanded;

const linesOf = new WeakMap<RowPart, ReadonlySet<number>>();

function linesIn(part: RowPart): ReadonlySet<number> {
  let lines = linesOf.get(part);
  if (!lines) {
    const found = part.rows.map((row) => (standsFor(row, part.runId) ? lineOf(row.node) : undefined));
    lines = new Set(found.filter((line) => line !== undefined));
    linesOf.set(part, lines);
  }
  return lines;
}

export function linesWithRows(rows: TraceRows, runId: string | undefined): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const part of rows.parts) if (part.runId === runId) for (const line of linesIn(part)) lines.add(line);
  return lines;
}

/** The row of that line below the selected one, from the top again after the last: a line in a loop has many. */
export function nextOfLine(rows: TraceRows, runId: string, line: number, selected: string | undefined): string | undefined {
  const found = [...rows].filter((row) => standsFor(row, runId) && lineOf(row.node) === line);
  const at = found.findIndex((row) => row.node.id === selected);
  return found[(at + 1) % found.length]?.node.id;
}

/** The failure after the selected row, from the top again after the last. */
export function nextFailure(failures: readonly Failure[], rows: TraceRows, selected: string | undefined): Failure | undefined {
  const at = failures.findIndex(({ id }) => id === selected);
  if (at >= 0) return failures[(at + 1) % failures.length];
  const ids = new Set(failures.map(({ id }) => id));
  const from = rows.indexOf(selected);
  const below = [...rows].slice(from + 1).find((row) => ids.has(row.node.id))?.node.id;
  return failures.find(({ id }) => id === below) ?? failures[0];
}
