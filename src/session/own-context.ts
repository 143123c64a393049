/** Runs with a context of their own. It is never stored: a later life of the page has not got it, nor has a run that does one over. */
import type { RunError } from '../journal/events.ts';
import type { Journal } from '../journal/journal.ts';
import { recordingOf } from '../journal/recording.ts';
import type { RunRequest } from './run-types.ts';

/** Why such a run does not go on after its page was gone: calls would be judged and made with another one's context. */
export function contextLost(): RunError {
  const message =
    'The page was closed, and with it went the context that the program was started with, which is never stored. Nothing more of it is executed; run it again with its context.';
  return { code: 'interrupted', name: 'CodeModeError', message };
}

/** What keeps a run from doing over, with the context of the session, what had one of its own. */
export function contextMissing(journal: Journal, { retries, ownContext }: RunRequest): RunError | undefined {
  if (!retries || ownContext || !recordingOf(journal.events, retries.runId)?.queued.ownContext) return undefined;
  return { code: 'invalid_options', name: 'CodeModeError', message: CONTEXT_MISSING };
}

export const CONTEXT_MISSING =
  'The earlier run had a context of its own, which is never stored, so nothing was executed. Give the context again: session.retry(runId, { context }).';
