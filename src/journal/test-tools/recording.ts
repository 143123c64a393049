import type { EncodedText } from '../../protocol/wire.ts';
import type { SessionState } from '../../store/state.ts';
import type { JournalEvent } from '../events.ts';

/** A journal as it is kept in `fixtures/`, with what its state was when it was written. */
export interface Recording {
  readonly version: number;
  readonly events: readonly JournalEvent[];
  readonly values: Readonly<Record<string, EncodedText>>;
  readonly expected: Expected;
}

/** What a state must still say about a recording, whatever version reads it. */
export interface Expected {
  readonly runs: Readonly<Record<string, string>>;
  readonly calls: Readonly<Record<string, string>>;
  readonly items: number;
}

export function expectedOf(state: SessionState): Expected {
  const runs = Object.values(state.runs);
  const statuses = (all: readonly { readonly id: string; readonly status: string }[]): Record<string, string> =>
    Object.fromEntries(all.map(({ id, status }) => [id, status]));
  return {
    runs: statuses(runs),
    calls: statuses(runs.flatMap((run) => run.calls)),
    items: runs.reduce((sum, run) => sum + run.items.length, 0),
  };
}
