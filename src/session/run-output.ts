import type { Journal } from '../journal/journal.ts';
import type { WireOutput } from '../protocol/wire.ts';

/** Records what the program wrote and showed. */
export function recordOutput(journal: Journal, runId: string, output: readonly WireOutput[]): void {
  for (const item of output) {
    const site = item.site && { site: item.site };
    if (item.kind === 'emit') journal.append('output.emitted', { value: journal.store(item.value), ...site }, runId);
    else journal.append('output.written', { level: item.level, text: item.text, ...site }, runId);
  }
}
