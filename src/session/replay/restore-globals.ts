/** Globals that earlier programs of a session left (`state: 'session'`), made again in a page that has none of them. */
import type { ToolHost } from '../../bridge/executor.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { CodeModeError } from '../../errors.ts';
import type { JournalEvent } from '../../journal/events.ts';
import { type RunRecording, recordingOf } from '../../journal/recording.ts';
import type { RunDeps, RunRequest } from '../run-types.ts';
import { executeRequest, seedOf } from '../run-request.ts';
import { openReplay } from './cursor.ts';

/** Programs that are run again at most; a conversation with more begins anew. */
export const MAX_PROGRAMS = 100;
/** What they may have computed the last time, milliseconds: a person waits for it. */
export const MAX_COMPUTE_MS = 10_000;

type Deps<C> = Pick<RunDeps<C>, 'journal' | 'sessionId' | 'memory' | 'executor' | 'limits' | 'place' | 'state'>;

/**
 * Runs the programs again that the next one builds on, each by its record alone, so that nothing is executed.
 * Where that cannot be done the globals are lost, and the next program is told.
 * @param record of the program itself, when it has started before
 * @throws CodeModeError `replay_diverged` when it has started, and built on globals that are lost
 */
export async function restoreGlobals<C>(
  deps: Deps<C>,
  request: RunRequest,
  catalog: Catalog,
  record: RunRecording | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (request.restart || (record ? record.started?.fresh : !deps.memory.isUnknown)) return;
  const chain = chainOf(deps.journal.events, request.id);
  const isRestored = chain !== undefined && (await runAll(deps, chain, catalog, signal));
  if (isRestored) return;
  if (!record) return;
  throw new CodeModeError(
    'replay_diverged',
    'The program cannot be continued: it built on what earlier programs of the session declared, and that is lost. Nothing was executed. Start it again, with those declarations.',
    { state: 'lost' },
  );
}

/** Programs that the next one builds on, oldest first; nothing when they are out of bounds or somebody forgot them. */
export function chainOf(events: readonly JournalEvent[], before: string): readonly RunRecording[] | undefined {
  let ids: string[] = [];
  let computeMs = 0;
  let cost = new Map<string, number>();
  for (const { type, runId, data } of events) {
    if (runId === before && type === 'run.started') break;
    if (type === 'state.forgotten') [ids, cost] = [[], new Map()];
    if (runId === undefined) continue;
    if (type === 'run.started' && data.state === 'session') {
      if (data.fresh) [ids, cost] = [[], new Map()];
      ids.push(runId);
    }
    if (type === 'run.completed' || type === 'run.failed' || type === 'run.cancelled') cost.set(runId, data.stats.computeMs);
  }
  if (ids.includes(before)) return undefined;
  for (const id of ids) {
    const ms = cost.get(id);
    // A program without an end may have left anything.
    if (ms === undefined) return undefined;
    computeMs += ms;
  }
  if (ids.length === 0 || ids.length > MAX_PROGRAMS || computeMs > MAX_COMPUTE_MS) return undefined;
  return ids.flatMap((id) => recordingOf(events, id) ?? []);
}

async function runAll<C>(deps: Deps<C>, chain: readonly RunRecording[], catalog: Catalog, signal: AbortSignal): Promise<boolean> {
  try {
    for (const [index, recording] of chain.entries()) {
      if (await runOne(deps, recording, catalog, signal, index === 0)) continue;
      deps.executor().endSession?.(deps.sessionId);
      return false;
    }
    return true;
  } catch {
    deps.executor().endSession?.(deps.sessionId);
    return false;
  }
}

/** @returns false when it went another way, or left nothing behind */
async function runOne<C>(
  deps: Deps<C>,
  recording: RunRecording,
  catalog: Catalog,
  signal: AbortSignal,
  isFirst: boolean,
): Promise<boolean> {
  const { runId, queued, started } = recording;
  if (!started || started.engine !== (deps.executor().engine || started.engine)) return false;
  const { script, cursor } = await openReplay(recording, deps.journal);
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  signal.addEventListener('abort', stop, { once: true });
  let isSame = true;
  const host: ToolHost = {
    started: ({ fresh }) => {
      isSame = fresh === isFirst && started.engine === deps.executor().engine;
      if (!isSame) stop();
    },
    frame: ({ calls, quiescent }) => {
      if (cursor.check(calls)) isSame = false;
      // It was stopped where it waited.
      if (!isSame || quiescent) stop();
    },
    replayed: (call) => cursor.passed(call),
    // Nobody waits for what was never answered.
    call: (call) => {
      if (cursor.take(call).kind === 'new') isSame = false;
      return new Promise(() => {});
    },
  };
  const { locale, timeZone, limits, seed } = started;
  const own = { ...deps, limits };
  const again = { id: runId, source: queued.source, restart: isFirst, preflight: false };
  const reply = await deps
    .executor()
    .execute(executeRequest(own, { locale, timeZone }, again, catalog, seedOf(seed), script), host, abort.signal);
  signal.removeEventListener('abort', stop);
  const diverged = reply.status === 'failed' && reply.error.code === 'replay_diverged';
  return isSame && !diverged && !reply.stateLost && !signal.aborted;
}
