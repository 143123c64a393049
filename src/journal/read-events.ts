import { CodeModeError } from '../errors.ts';
import { contentFault, envelopeFault } from './event-shapes.ts';
import { JOURNAL_VERSION, type JournalEvent, type SeqRange } from './events.ts';
import { createUpcaster } from './upcast.ts';

/** Why the rest of a log could not be read. */
export interface Damage {
  readonly reason: string;
  /** The first sequence number that is not in order. */
  readonly fromSeq: number;
  /** Records from there on. */
  readonly lost: number;
}

export interface ReadLog {
  /** In the current version, without a gap that nobody recorded. */
  readonly events: readonly JournalEvent[];
  readonly damage?: Damage;
}

export interface ReadOptions {
  /** The sequence number before the first record. @default 0 */
  readonly after?: number;
  /** Numbers may be left out, as in a part of a log; they still rise. @default 'recorded': only where `journal.trimmed` says so */
  readonly gaps?: 'recorded' | 'allowed';
}

/**
 * Reads what was stored, by this version or an older one. What is good is kept up to the first record that is not.
 * @throws CodeModeError `storage_error` when a newer version wrote it: guessing could lose what it means
 */
export function readEvents(
  records: readonly unknown[],
  sessionId?: string,
  { after = 0, gaps: allowed = 'recorded' }: ReadOptions = {},
): ReadLog {
  const gaps = allowed === 'allowed' ? ANY_GAP : recordedGaps(records);
  const upcast = createUpcaster();
  const events: JournalEvent[] = [];
  let last = after;
  for (const [at, record] of records.entries()) {
    const event = readEvent(record, upcast, sessionId);
    const fault = typeof event === 'string' ? event : isNext(event.seq, last, gaps) ? undefined : 'events are missing';
    if (fault !== undefined || typeof event === 'string')
      return { events, damage: { reason: fault ?? '', fromSeq: last + 1, lost: records.length - at } };
    events.push(event);
    last = event.seq;
  }
  return { events };
}

/** The event, or what is wrong with it. @throws CodeModeError `storage_error` for a newer version */
function readEvent(
  record: unknown,
  upcast: (event: JournalEvent) => JournalEvent,
  sessionId: string | undefined,
): JournalEvent | string {
  const outside = envelopeFault(record, sessionId);
  if (outside !== undefined) return outside;
  const stored = record as JournalEvent;
  if (stored.v > JOURNAL_VERSION) throw newerVersion(stored.v);
  try {
    const event = upcast(stored);
    return contentFault(event.type, event.data) ?? event;
  } catch {
    return `the content of ${stored.type} is not readable`;
  }
}

function newerVersion(version: number): CodeModeError {
  return new CodeModeError(
    'storage_error',
    `This journal was written by a newer version of react-code-mode (format ${version}; this one reads up to ${JOURNAL_VERSION}). Nothing was changed. Load the newer version, or read it there.`,
    { version, supported: JOURNAL_VERSION },
  );
}

const ANY_GAP: readonly SeqRange[] = [[1, Number.MAX_SAFE_INTEGER]];

/** Numbers that retention removed; the fact of it comes later in the same log. */
function recordedGaps(records: readonly unknown[]): readonly SeqRange[] {
  return records.flatMap((record): readonly SeqRange[] => {
    const { type, data } = (record ?? {}) as { type?: unknown; data?: { ranges?: unknown } };
    return type === 'journal.trimmed' && Array.isArray(data?.ranges) ? (data.ranges as SeqRange[]) : [];
  });
}

function isNext(seq: number, last: number, gaps: readonly SeqRange[]): boolean {
  let next = last + 1;
  while (next < seq) {
    const gap = gaps.find(([from, to]) => from <= next && next <= to);
    if (!gap) return false;
    next = gap[1] + 1;
  }
  return seq > last;
}
