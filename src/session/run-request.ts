/** A run as the executor gets it. */
import type { Catalog } from '../catalog/catalog.ts';
import type { ExecuteRequest, ReplayScript } from '../protocol/wire.ts';
import type { RunDeps, RunRequest } from './run-types.ts';

export type Seed = ExecuteRequest['seed'];

/** What programs see as their locale and time zone. */
export interface RunPlace {
  readonly locale: string;
  readonly timeZone: string;
}

export function executeRequest<C>(
  { limits, sessionId, state }: Pick<RunDeps<C>, 'limits' | 'sessionId' | 'state'>,
  place: RunPlace,
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

interface WithTemporal {
  readonly Temporal?: { readonly Now?: { timeZoneId(): string } };
}

/** Where this page is. A page's first formatter of dates takes 20 to 40 ms; plural rules and `Temporal` together take one. */
export function placeNow(): RunPlace {
  const timeZone = (globalThis as WithTemporal).Temporal?.Now?.timeZoneId();
  if (timeZone !== undefined) return { locale: new Intl.PluralRules().resolvedOptions().locale, timeZone };
  const place = new Intl.DateTimeFormat().resolvedOptions();
  return { locale: place.locale, timeZone: place.timeZone };
}

/** The recorded one, or a new one. */
export function seedOf(recorded: readonly number[] | undefined): Seed {
  const words = recorded ?? crypto.getRandomValues(new Uint32Array(4));
  const [a = 1, b = 2, c = 3, d = 4] = words;
  return [a, b, c, d];
}
