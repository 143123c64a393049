/** What a worker in reserve plays before the first real program: the same for the worker's own turn and the page's. */
import { DEFAULT_LIMITS } from './limits.ts';
import type { ExecuteRequest } from './wire.ts';

/** A request of a program that may call one tool, `rehearse`. */
export function rehearsalRequest(source: string, memoryBytes: number): ExecuteRequest {
  return {
    runId: 'rehearsal',
    sessionId: '',
    source,
    names: { version: '', names: ['rehearse'], identifiers: { rehearse: 0 }, namespaces: {}, singleFields: {} },
    limits: { ...DEFAULT_LIMITS, memoryBytes },
    maxWorkers: 1,
    seed: [1, 2, 3, 4],
    locale: 'en',
    timeZone: 'UTC',
    state: 'run',
    restart: false,
  };
}
