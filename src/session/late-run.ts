/** A run whose handle is there before it is known whether and how it begins. */
import { CodeModeError, isCodeModeError } from '../errors.ts';
import type { RunHandle } from './run-types.ts';
import type { RunOutcome } from './types.ts';

/** @param begin gives the run, or the outcome of one that does not begin; when it throws, that is the outcome */
export function lateRun(id: string, begin: () => Promise<RunOutcome | RunHandle>): RunHandle {
  let handle: RunHandle | undefined;
  let cancelled: { readonly reason: string | undefined } | undefined;
  const outcome = (async (): Promise<RunOutcome> => {
    try {
      const made = await begin();
      if (!('cancel' in made)) return made;
      handle = made;
      if (cancelled) handle.cancel(cancelled.reason);
      return await handle.outcome;
    } catch (error) {
      return refusedRun(error);
    }
  })();
  return {
    id,
    outcome,
    cancel(reason) {
      if (handle) handle.cancel(reason);
      else cancelled ??= { reason };
    },
    wake: () => handle?.wake?.(),
  };
}

/** The outcome of a run that cannot even begin. */
export function refusedRun(error: unknown): RunOutcome {
  const { code, name, message, data } = isCodeModeError(error)
    ? error
    : new CodeModeError('executor_crashed', 'The run could not be taken up.');
  const stats = { computeMs: 0, peakMemoryBytes: 0, calls: 0, transferBytes: 0 };
  return { status: 'failed', error: { code, name, message, data }, output: [], calls: [], warnings: [], stats };
}
