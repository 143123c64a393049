/**
 * Writes the place of a tool call into the call itself, as a third argument: `tools.x(a)` becomes `tools.x(a,undefined,'03:14')`.
 * Asking the engine where a call stands costs as much as the rest of the call (a stack is made: 2 to 10 µs). Only calls that can
 * be told for certain are written to; all others still ask.
 */
import type { SourcePosition } from '../../src/protocol/wire.ts';
import type { Node } from './ast.ts';
import type { Edits } from './edits.ts';
import type { Survey } from './survey.ts';

/** @returns the places that were written, as `line:column` of the model's text */
export function writeCallSites(
  facts: Survey,
  text: string,
  edits: Edits,
  position: (offset: number) => SourcePosition,
): ReadonlySet<string> {
  const sites = new Set<string>();
  // A program that replaces a tool by a function of its own would see the argument.
  if (facts.replacesTools) return sites;
  for (const { root, call } of facts.toolCalls) {
    if (facts.shadowed.has(root)) continue;
    const open = openingOf(call, text);
    const between = open === undefined ? undefined : lastGap(call, open, text);
    if (open === undefined || between === undefined) continue;
    const { line, column } = position(open);
    const site = `${line}:${column}`;
    sites.add(site);
    // The zero in front tells a place in the model's text from one in the evaluated code, which the engine gives.
    edits.insert(call.end - 1, `${between}'0${site}'`);
  }
  return sites;
}

/** Offset of the call's parenthesis, when nothing but space stands before it: that is where the engine sees the call, too. */
function openingOf(call: Node, text: string): number | undefined {
  const { end } = call.callee as Node;
  const space = /^\s*/.exec(text.slice(end, end + 200))![0].length;
  return text[end + space] === '(' ? end + space : undefined;
}

/** What goes between the last argument and ours; undefined when there is no room for it. */
function lastGap(call: Node, open: number, text: string): string | undefined {
  const list = call.arguments as readonly Node[];
  const last = list.at(-1);
  if (list.length > 2 || list.some(({ type }) => type === 'SpreadElement')) return undefined;
  const rest = text.slice(last?.end ?? open + 1, call.end - 1);
  if (last === undefined) return rest.trim() === '' ? 'undefined,undefined,' : undefined;
  const [, comma] = /^[\s)]*(,?)$/.exec(rest.trimEnd()) ?? [];
  if (comma === undefined) return undefined;
  return `${comma === '' ? ',' : ''}${list.length === 1 ? 'undefined,' : ''}`;
}

/** A place as the guest hands it over. Undefined for the marks of an earlier program, and for made-up ones. */
export function markedSite(sites: ReadonlySet<string>, line: number, column: number): SourcePosition | undefined {
  return sites.has(`${line}:${column}`) ? { line, column } : undefined;
}
