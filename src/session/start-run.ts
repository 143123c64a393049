/** A run's place in the journal, at once; what runs it is loaded with the first run. */
import { isCodeModeError } from '../errors.ts';
import type { RunError } from '../journal/events.ts';
import type { RunStats } from '../protocol/wire.ts';
import { loadRuntime, runtimeNow } from './load-runtime.ts';
import type { RunDeps, RunHandle, RunRequest } from './run-types.ts';
import type { RunOutcome } from './types.ts';

/** Queues the program; it runs when it is its turn. */
export function startRun<C>(deps: RunDeps<C>, request: RunRequest): RunHandle {
  const queued = queue(deps, request);
  queued.catch(() => {}); // whoever runs it deals with it
  const runtime = runtimeNow();
  if (runtime) return runtime.runQueued(deps, request, queued);
  // Before anything else takes this thread's time.
  const prepared = prepareWorker(deps, request);
  let handle: RunHandle | undefined;
  let cancelled: { readonly reason: string | undefined } | undefined;
  const outcome = Promise.all([loadRuntime(), prepared]).then(
    ([{ runQueued }]) => {
      handle = runQueued(deps, request, queued);
      if (cancelled) handle.cancel(cancelled.reason);
      return handle.outcome;
    },
    (error: unknown) => neverRan(deps, request, queued, error),
  );
  return {
    id: request.id,
    outcome,
    cancel(reason) {
      if (handle) handle.cancel(reason);
      else cancelled ??= { reason };
    },
  };
}

/** The worker starts while the rest is loaded: for the first program of a page that is what takes longest. */
async function prepareWorker<C>({ executor, limits }: RunDeps<C>, { direct, resume }: RunRequest): Promise<void> {
  if (direct || resume) return;
  try {
    await executor().prepare?.(limits.memoryBytes);
  } catch {
    // The run meets the same fault and tells it.
  }
}

/** @throws what kept the journal from being opened; the run is recorded all the same */
async function queue<C>({ journal }: RunDeps<C>, request: RunRequest): Promise<void> {
  const { id, source, title, after, preflight, restart, plan, direct, ownContext, retries, resume } = request;
  const fault = await journal.opened?.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const asked = {
    ...(preflight && { preflight }),
    ...(restart && { restart }),
    ...(plan === 'ask' && { plan }),
    ...(direct && { direct }),
    ...(ownContext && { ownContext }),
    ...(retries && { retries }),
  };
  if (!resume)
    journal.append(
      'run.queued',
      { source, ...(title !== undefined && { title }), ...(after && { waitsFor: after.id }), ...asked },
      id,
    );
  if (fault) throw fault.error;
}

const NO_STATS: RunStats = { computeMs: 0, peakMemoryBytes: 0, calls: 0, transferBytes: 0 };

/** The code that runs programs is out of reach. */
async function neverRan<C>(
  { journal, store }: RunDeps<C>,
  { id }: RunRequest,
  queued: Promise<void>,
  thrown: unknown,
): Promise<RunOutcome> {
  await queued.catch(() => {});
  const { code, message } = isCodeModeError(thrown)
    ? thrown
    : { code: 'executor_unavailable' as const, message: 'No program can run.' };
  const error: RunError = { code, name: 'EnvironmentError', message };
  journal.append('run.failed', { error, warnings: [], stats: NO_STATS }, id);
  store.flush();
  return { status: 'failed', error, output: [], calls: [], warnings: [], stats: NO_STATS };
}
