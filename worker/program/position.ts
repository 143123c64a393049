import type { SourcePosition } from '../../src/protocol/wire.ts';

const PAIR = /[\u{10000}-\u{10FFFF}]/u;

/** The lines of a text, found once: a program may hold thousands of places to name. Lines end at LF, so CRLF text counts the same. */
export class Lines {
  readonly #text: string;
  #starts: readonly number[] | undefined;
  #hasPairs = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** Position of an offset; columns are UTF-16 units. */
  positionAt(offset: number): SourcePosition {
    const end = Math.max(0, Math.min(offset, this.#text.length));
    const starts = this.#lineStarts();
    const line = lastAtMost(starts, end, (start) => start);
    return { line: line + 1, column: end - starts[line]! + 1 };
  }

  /** Offset of a position the engine gave: columns count code points. Clamped to the text. */
  offsetOf(line: number, column: number): number {
    const starts = this.#lineStarts();
    const start = starts[Math.max(1, line) - 1];
    if (start === undefined) return this.#text.length;
    const end = (starts[Math.max(1, line)] ?? this.#text.length + 1) - 1;
    if (!this.#hasPairs) return Math.min(start + Math.max(1, column) - 1, end);
    let at = start;
    for (let n = 1; n < column && at < end; n++) at += this.#text.codePointAt(at)! > 0xffff ? 2 : 1;
    return Math.min(at, end);
  }

  #lineStarts(): readonly number[] {
    if (this.#starts) return this.#starts;
    const starts = [0];
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#hasPairs = PAIR.test(this.#text);
    return (this.#starts = starts);
  }
}

/** Index of the last item whose key is at most `key`, in a list sorted by it; -1 when there is none. */
export function lastAtMost<T>(items: readonly T[], key: number, keyOf: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keyOf(items[middle]!) <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
