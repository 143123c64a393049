/** Where a run that is brought back stands in its record. */
import type { RunError } from '../../journal/events.ts';
import type { Journal } from '../../journal/journal.ts';
import type { RecordedCall, RecordedEnd, RunRecording } from '../../journal/recording.ts';
import type { EncodedText, ReplayScript, WireCall, WireReply } from '../../protocol/wire.ts';
import { wireError } from '../call-errors.ts';
import { incomplete, missingCall, otherCall } from './divergence.ts';

/** What the record says about a call that the program makes. */
export type Match =
  /** Nothing: the program goes on from here. */
  | { readonly kind: 'new' }
  /** There is a reply that the program has not got. */
  | { readonly kind: 'answered'; readonly reply: WireReply }
  | { readonly kind: 'open'; readonly past: RecordedCall };

export interface Replayed {
  readonly script: ReplayScript;
  readonly cursor: ReplayCursor;
}

/** Loads what the record refers to. @throws CodeModeError `replay_diverged`, `storage_error` */
export async function openReplay(recording: RunRecording, journal: Pick<Journal, 'load'>): Promise<Replayed> {
  const { calls, deliveries, clock } = recording;
  const inputs = new Map<number, EncodedText>();
  const replies = new Map<number, WireReply>();
  for (const [ordinal, { input, end }] of calls) {
    inputs.set(ordinal, await textOf(journal, input));
    const reply = end && (await replyOf(journal, ordinal, end));
    if (reply) replies.set(ordinal, reply);
  }
  const delivered = new Set(deliveries.flatMap(({ kind, id }) => (kind === 'call' ? [id] : [])));
  const handed = [...delivered].map((id) => {
    const reply = replies.get(id);
    if (!reply) throw incomplete(id);
    return reply;
  });
  return {
    script: { deliveries, replies: handed, clock },
    cursor: new ReplayCursor(recording, inputs, replies, delivered),
  };
}

export class ReplayCursor {
  readonly #recording: RunRecording;
  readonly #inputs: ReadonlyMap<number, EncodedText>;
  readonly #replies: ReadonlyMap<number, WireReply>;
  readonly #delivered: ReadonlySet<number>;
  /** Recorded calls that the program has not made again. */
  readonly #ahead: Map<number, RecordedCall>;
  #outputs: number;

  constructor(
    recording: RunRecording,
    inputs: ReadonlyMap<number, EncodedText>,
    replies: ReadonlyMap<number, WireReply>,
    delivered: ReadonlySet<number>,
  ) {
    this.#recording = recording;
    this.#inputs = inputs;
    this.#replies = replies;
    this.#delivered = delivered;
    this.#ahead = new Map(recording.calls);
    this.#outputs = recording.outputs;
  }

  /** Groups of calls go on after the recorded ones. */
  get lastGroup(): number {
    return this.#recording.lastGroup;
  }

  /** Of the output of a frame what is not in the record. */
  news<T>(output: readonly T[]): readonly T[] {
    if (this.#outputs === 0) return output;
    const known = Math.min(this.#outputs, output.length);
    this.#outputs -= known;
    return output.slice(known);
  }

  /** True for a call whose reply the worker has from the script. */
  passed({ id }: WireCall): boolean {
    return this.#delivered.has(id) && this.#ahead.delete(id);
  }

  /** What the record says about a call that passed `check`, and whose reply the worker lacks. */
  take(call: WireCall): Match {
    const past = this.#ahead.get(call.id);
    if (!past) return { kind: 'new' };
    this.#ahead.delete(call.id);
    const reply = this.#replies.get(call.id);
    return reply ? { kind: 'answered', reply } : { kind: 'open', past };
  }

  /** Among the calls of a frame the first that is not what it was: none of the frame may be executed then. */
  check(calls: readonly WireCall[]): RunError | undefined {
    for (const call of calls) {
      const past = this.#ahead.get(call.id);
      if (past && (past.kind !== call.kind || past.tool !== call.tool || this.#inputs.get(call.id) !== call.input))
        return otherCall(past, call);
    }
    return undefined;
  }

  /** Why a program that completed did not do again what it did. */
  missing(): RunError | undefined {
    const [first] = this.#ahead.values();
    return first && missingCall(first);
  }

  /** Recorded calls without an end that the program did not make again. */
  get left(): readonly RecordedCall[] {
    return [...this.#ahead.values()].filter(({ end, kind }) => end === undefined && kind === 'tool');
  }
}

function textOf(journal: Pick<Journal, 'load'>, stored: RecordedCall['input']): Promise<EncodedText> | EncodedText {
  return 'inline' in stored ? stored.inline : journal.load(stored);
}

async function replyOf(journal: Pick<Journal, 'load'>, id: number, end: RecordedEnd): Promise<WireReply | undefined> {
  switch (end.kind) {
    case 'value':
      return { id, ok: true, value: await textOf(journal, end.output) };
    case 'error':
      return { id, ok: false, error: wireError(end.error) };
    case 'refusal':
      return { id, ok: false, error: end.error };
    case 'cancelled':
      return undefined;
  }
}
