/** A run as the executor gets it. */
import type { Catalog } from '../catalog/catalog.ts';
import type { ExecuteRequest, ReplayScript } from '../protocol/wire.ts';
import type { RunDeps, RunRequest } from './run-types.ts';

export type Seed = ExecuteRequest['seed'];

export function executeRequest<C>(
  { limits, sessionId, place, state }: Pick<RunDeps<C>, 'limits' | 'sessionId' | 'place' | 'state'>,
  { id, source, restart, preflight }: Pick<RunRequest, 'id' | 'source' | 'restart' | 'preflight'>,
  { names }: Catalog,
  seed: Seed,
  replay: ReplayScript | undefined,
): ExecuteRequest {
  const { timeoutMs, memoryBytes, maxOutputBytes, maxInputBytes, maxResultBytes, maxCalls, maxDepth, maxWorkers } = limits;
  return {
    runId: id,
    sessionId,
    source,
    names,
    limits: { timeoutMs, memoryBytes, maxOutputBytes, maxInputBytes, maxResultBytes, maxCalls, maxDepth },
    maxWorkers,
    seed,
    ...place,
    state,
    restart,
    preflight,
    ...(replay && { replay }),
  };
}

/** The recorded one, or a new one. */
export function seedOf(recorded: readonly number[] | undefined): Seed {
  const words = recorded ?? crypto.getRandomValues(new Uint32Array(4));
  const [a = 1, b = 2, c = 3, d = 4] = words;
  return [a, b, c, d];
}
