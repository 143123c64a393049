import type { SourcePosition } from '../../src/protocol/wire.ts';

/** Position of an offset. Lines end at LF, so CRLF text counts the same; columns are UTF-16 units. */
export function positionAt(text: string, offset: number): SourcePosition {
  const end = Math.max(0, Math.min(offset, text.length));
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: end - lineStart + 1 };
}

/** Offset of a position the engine gave: lines end at LF, columns count code points. Clamped to the text. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const next = text.indexOf('\n', start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  const lineEnd = text.indexOf('\n', start);
  const end = lineEnd < 0 ? text.length : lineEnd;
  let at = start;
  for (let n = 1; n < column && at < end; n++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return Math.min(at, end);
}
