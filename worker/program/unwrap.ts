/**
 * Finds the program in what the model sent: fences, JSON around the code, a stray language label. What is not program is
 * blanked, so offsets stay; only code inside of a JSON string gets offsets of its own.
 */
import type { Warning } from '../../src/protocol/wire.ts';
import { blank } from './edits.ts';
import { codeBlocks, type Block } from './fences.ts';
import { wrappedCode } from './json-code.ts';

export interface Unwrapped {
  readonly text: string;
  readonly warnings: readonly Warning[];
  /** Language label of the fence that was taken, lower case. */
  readonly label?: string;
  /** Offset in what the model sent. */
  toRaw(offset: number): number;
}

/** The readings of a text, best first; the first that parses is the program. */
export function unwrap(source: string): readonly Unwrapped[] {
  const plain: Unwrapped = { text: tidy(source), warnings: [], toRaw: (offset) => offset };
  return open(plain, 0);
}

/** JSON in a fence, a fence in JSON: four layers are more than was ever seen. */
function open(outer: Unwrapped, layers: number): readonly Unwrapped[] {
  if (layers === 4) return [outer];
  const json = wrappedCode(outer.text);
  if (json) {
    const { code, offsets } = json;
    const toRaw = (offset: number): number => outer.toRaw(offsets[Math.max(0, Math.min(offset, code.length))]!);
    return open({ text: tidy(code), warnings: outer.warnings, label: outer.label, toRaw }, layers + 1);
  }
  const { text } = outer;
  if (text.includes('```') || text.includes('~~~')) {
    const readings = codeBlocks(text);
    if (readings.length > 0) return readings.flatMap((blocks) => open(fenced(outer, blocks), layers + 1));
  }
  return [outer];
}

function fenced(outer: Unwrapped, blocks: readonly Block[]): Unwrapped {
  const { text } = outer;
  let kept = '';
  let at = 0;
  for (const block of blocks) {
    kept += blank(text.slice(at, block.start)) + text.slice(block.start, block.end);
    at = block.end;
  }
  kept += blank(text.slice(at));
  return {
    text: tidy(kept),
    warnings: [...outer.warnings, ...removed(text, blocks)],
    label: blocks[0]!.label,
    toRaw: outer.toRaw,
  };
}

/** A fence alone is a habit; text or other blocks left out are worth a word. */
function removed(text: string, blocks: readonly Block[]): Warning[] {
  let rest = '';
  let at = 0;
  for (const block of blocks) {
    rest += text.slice(at, block.outerStart);
    at = block.outerEnd;
  }
  rest += text.slice(at);
  if (blocks.length === 1 && rest.trim() === '') return [];
  const lines = blocks.map((block) => lineOf(text, block.start)).join(', ');
  const what =
    blocks.length === 1
      ? `Only the code block that starts in line ${lines} was run`
      : `The code blocks that start in lines ${lines} were run as one program`;
  return [{ code: 'fences_removed', message: `${what}; the text around is no program. Send the code alone.` }];
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

const STRAY_LABEL = /^\s*(?:js|javascript|ts|typescript)[ \t]*(?=\r?\n)/i;

/** Blanks what stands in front of a program and is none: byte order mark, `#!` line, a language name alone on the first line. */
function tidy(text: string): string {
  let tidied = text;
  if (text.charCodeAt(0) === 0xfeff) tidied = ` ${text.slice(1)}`;
  const head = /^\s*#!.*/.exec(tidied) ?? STRAY_LABEL.exec(tidied);
  return head ? blank(head[0]) + tidied.slice(head[0].length) : tidied;
}
