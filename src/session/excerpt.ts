import type { SourcePosition } from '../protocol/wire.ts';

const MAX_LINE = 160;

/** The line of a position and the one before it, numbered, with a caret under the column. */
export function excerptOf(source: string, site: SourcePosition): string | undefined {
  const lines = source.split(/\r\n|\r|\n/);
  const line = lines[site.line - 1];
  if (line === undefined) return undefined;
  const width = String(site.line).length;
  const from = Math.max(0, site.column - 1 - MAX_LINE / 2);
  const gutter = (n: number): string => `${String(n).padStart(width)} | `;
  const rows = site.line > 1 ? [gutter(site.line - 1) + clip(lines[site.line - 2] ?? '', 0)] : [];
  rows.push(gutter(site.line) + clip(line, from), `${' '.repeat(width)} | ${blank(line.slice(from, site.column - 1))}^`);
  return rows.join('\n');
}

function clip(line: string, from: number): string {
  return line.slice(from, from + MAX_LINE);
}

/** Spaces as wide as the text; tabs stay tabs so that the caret lines up. */
function blank(text: string): string {
  return text.replace(/[^\t]/g, ' ');
}
