import type { Journal } from '../../journal/journal.ts';
import type { RunRecording } from '../../journal/recording.ts';
import type { Limits } from '../../protocol/limits.ts';
import { utf8Length } from '../../protocol/utf8.ts';

interface From {
  readonly journal: Pick<Journal, 'load'>;
  readonly limits: Pick<Limits, 'maxTransferBytes'>;
}

/** What the calls of the record have used of `maxTransferBytes`. One that is still open counts when it goes on. */
export async function recordedBytes(
  { calls }: Pick<RunRecording, 'calls'>,
  { journal, limits: { maxTransferBytes } }: From,
): Promise<number> {
  let sum = 0;
  for (const { kind, end, inputBytes } of calls.values()) {
    if (!end) continue;
    sum += inputBytes;
    if (end.kind === 'value') sum += kind === 'result' ? utf8Length(await journal.load(end.output)) : end.bytes;
    // What passed the bound is not in its facts; nothing has fitted since.
    const code = end.kind === 'error' || end.kind === 'refusal' ? end.error.code : undefined;
    if (code === 'transfer_limit') sum = Math.max(sum, maxTransferBytes + 1);
  }
  return sum;
}
