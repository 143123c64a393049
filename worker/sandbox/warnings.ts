/** What a program left undone or had cut, in sentences for the model. */
import { MAX_OUTPUT_ITEMS, type SourcePosition, type Warning } from '../../src/protocol/wire.ts';
import type { ReportedEnd } from '../guest/ops.ts';

export interface EndFacts {
  siteOf(call: number): SourcePosition | undefined;
  /** Timers that were still running. */
  readonly timers: number;
}

export function endWarnings(end: ReportedEnd, facts: EndFacts): { warnings: readonly Warning[]; notAwaited: readonly number[] } {
  const warnings: Warning[] = [];
  const failed = new Set(end.unhandled.map(([call]) => call));
  const notAwaited = [...end.unlooked, ...end.open].sort((a, b) => a - b);
  const never = end.unlooked.filter((call) => !failed.has(call));
  if (never.length > 0) {
    warnings.push(
      warning(
        'not_awaited',
        `${calls(never, facts)} not awaited: the program ended without looking at the result. Put \`await\` before the call.`,
        never,
        facts,
      ),
    );
  }
  if (end.open.length > 0) {
    warnings.push(
      warning(
        'not_awaited',
        `${calls(end.open, facts)} still running when the program ended, so that what should follow did not happen. Await everything: for a list use \`await Promise.all(list.map(…))\`, not forEach.`,
        end.open,
        facts,
      ),
    );
  }
  for (const [call, message] of end.unhandled) {
    const where = call > 0 ? `Call ${call}${line(call, facts)} failed and nobody handled it: ` : 'A rejection was not handled: ';
    warnings.push(warning('unhandled_rejection', where + message, call > 0 ? [call] : [], facts));
  }
  if (facts.timers > 0) {
    warnings.push({
      code: 'timers_dropped',
      message: `${facts.timers === 1 ? 'A timer was' : `${facts.timers} timers were`} still running when the program ended and did not fire. Await a promise that the timer resolves.`,
    });
  }
  return { warnings, notAwaited };
}

/** Warnings of one kind that are kept: enough to see the mistake, and few enough for whoever reads them. */
const MAX_OF_A_KIND = 50;

/** The first ones of each kind; a thousand callbacks that throw are one mistake. */
export function bounded(warnings: readonly Warning[]): readonly Warning[] {
  const seen = new Map<Warning['code'], number>();
  const kept = warnings.filter(({ code }) => {
    const before = seen.get(code) ?? 0;
    seen.set(code, before + 1);
    return before < MAX_OF_A_KIND;
  });
  for (const [code, count] of seen)
    if (count > MAX_OF_A_KIND)
      kept.push({ code, message: `There are ${count - MAX_OF_A_KIND} more warnings of this kind (${code}).` });
  return kept;
}

export function positionalWarning(call: number, field: string, site: SourcePosition | undefined): Warning {
  const message = `Call ${call} passed a bare value; it was taken as { ${field}: … }. Tools take one object.`;
  return { code: 'positional_argument', message, ...(site && { site }), calls: [call] };
}

export function truncatedWarning(maxOutputBytes: number): Warning {
  const message = `Console output passed ${maxOutputBytes} bytes (maxOutputBytes) or ${MAX_OUTPUT_ITEMS} entries; the rest was dropped. Print less, or return the data.`;
  return { code: 'output_truncated', message };
}

function warning(code: Warning['code'], message: string, ids: readonly number[], facts: EndFacts): Warning {
  const site = ids[0] === undefined ? undefined : facts.siteOf(ids[0]);
  return { code, message, ...(site && { site }), ...(ids.length > 0 && { calls: ids }) };
}

function calls(ids: readonly number[], facts: EndFacts): string {
  if (ids.length === 1) return `Call ${ids[0]}${line(ids[0]!, facts)} was`;
  const shown = ids.slice(0, 5).map((id) => `${id}${line(id, facts)}`);
  return `${ids.length} calls (${shown.join(', ')}${ids.length > 5 ? ' …' : ''}) were`;
}

function line(call: number, facts: EndFacts): string {
  const site = facts.siteOf(call);
  return site ? ` (line ${site.line})` : '';
}
