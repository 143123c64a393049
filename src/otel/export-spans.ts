import { type Context, context, ROOT_CONTEXT, type Tracer } from '@opentelemetry/api';
import type { JournalEvent } from '../journal/events.ts';
import type { RunToExport, SpanOptions } from './options.ts';
import { eventsOfRun, type FinishedRun, finishedRuns, isRunEnd } from './run-facts.ts';
import { RunSpans } from './run-spans.ts';

/** Facts, or what has them: a session's journal, a run file that was loaded. */
export type SpanSource = readonly JournalEvent[] | { readonly events: readonly JournalEvent[] };

/** A session's journal. */
export interface LiveJournal {
  readonly events: readonly JournalEvent[];
  subscribe(listener: (event: JournalEvent) => void): () => void;
}

/**
 * Writes the spans of all runs that are over, in the order they were begun. It remembers nothing: a second call writes them
 * again, with ids of their own.
 * @returns how many runs were written
 */
export function exportSpans(source: SpanSource, tracer: Tracer, options: SpanOptions = {}): number {
  const events = 'events' in source ? source.events : source;
  const wanted = finishedRuns(events).filter((run) => options.filter?.(named(run)) ?? true);
  const spans = new RunSpans(tracer, options);
  for (const run of wanted) spans.write(run, parentOf(named(run), options));
  return wanted.length;
}

/**
 * Writes the spans of each run of a session when it is over, from now on: also of runs that were begun before, on this page or
 * an earlier one. Runs that are over already are history; `exportSpans` writes them.
 * @returns stops it
 */
export function exportSpansLive(journal: LiveJournal, tracer: Tracer, options: SpanOptions = {}): () => void {
  const spans = new RunSpans(tracer, options);
  /** Of runs that were begun while this listened. */
  const parents = new Map<string, Context>();
  return journal.subscribe((event) => {
    const { runId, sessionId } = event;
    if (runId === undefined) return;
    const run: RunToExport = { runId, sessionId };
    // Facts are told while they happen: what is active now is the context of whoever begins the run.
    if (event.type === 'run.queued') parents.set(runId, parentOf(run, options));
    if (!isRunEnd(event)) return;
    const parent = parents.get(runId);
    parents.delete(runId);
    if (!(options.filter?.(run) ?? true)) return;
    const [finished] = finishedRuns(eventsOfRun(journal.events, runId));
    if (finished) spans.write(finished, parent ?? parentOf(run, options, ROOT_CONTEXT));
  });
}

function named({ runId, queued }: FinishedRun): RunToExport {
  return { runId, sessionId: queued.sessionId };
}

function parentOf(run: RunToExport, { parent }: SpanOptions, otherwise: Context = context.active()): Context {
  return (typeof parent === 'function' ? parent(run) : parent) ?? otherwise;
}
