/** Changes to a text that remember where everything was. */
import { lastAtMost } from './position.ts';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export class Edits {
  readonly #source: string;
  readonly #edits: Edit[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text });
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  /** Overwrites with `text` and spaces; line ends stay. `text` must fit before the first line end. */
  overwrite(start: number, end: number, text = ''): void {
    this.replace(start, end, text + blank(this.#source.slice(start + text.length, end)));
  }

  /** The edited text, and the offset in the source of an offset in it. */
  apply(): { readonly code: string; toSource(offset: number): number } {
    // Insertions at one place keep their order; a replacement that starts there comes after them.
    const edits = this.#edits
      .map((edit, order) => ({ ...edit, order }))
      .sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
    let code = '';
    let at = 0;
    const marks: { readonly from: number; readonly to: number; readonly source: number; readonly sourceEnd: number }[] = [];
    for (const edit of edits) {
      code += this.#source.slice(at, edit.start);
      marks.push({ from: code.length, to: code.length + edit.text.length, source: edit.start, sourceEnd: edit.end });
      code += edit.text;
      at = edit.end;
    }
    code += this.#source.slice(at);
    const toSource = (offset: number): number => {
      const mark = marks[lastAtMost(marks, offset, ({ from }) => from)];
      if (mark && offset < mark.to)
        return Math.min(mark.source + (offset - mark.from), Math.max(mark.source, mark.sourceEnd - 1));
      return Math.min(offset + (mark ? mark.sourceEnd - mark.to : 0), this.#source.length);
    };
    return { code, toSource };
  }
}

/** Spaces of the same length; CR, LF and the other line separators stay. */
export function blank(text: string): string {
  return text.replace(/[^\r\n\u2028\u2029]/g, ' ');
}
