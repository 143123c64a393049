/** One small program on the first worker in reserve, driven from here: the page's half of a run is compiled as well then. */
import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import type { ExecuteRequest } from '../protocol/wire.ts';
import type { ToolHost } from './executor.ts';
import { driveRun, type RunDependencies } from './run-driver.ts';
import { LinkDown, type WorkerLink } from './worker-link.ts';

const REQUEST: Omit<ExecuteRequest, 'limits'> = {
  runId: 'rehearsal',
  sessionId: '',
  source: 'const { n } = await tools.rehearse({ n: 1 }); return n + 1;',
  names: { version: '', names: ['rehearse'], identifiers: { rehearse: 0 }, namespaces: {}, singleFields: {} },
  maxWorkers: 1,
  seed: [1, 2, 3, 4],
  locale: 'en',
  timeZone: 'UTC',
  state: 'run',
  restart: false,
};

const HOST: ToolHost = {
  started() {},
  frame() {},
  call: ({ id, input }) => Promise.resolve({ id, ok: true, value: input }),
};

/** Nothing of it is left in the worker. @throws LinkDown when the worker does not survive it, as it would no program */
export async function rehearse(link: WorkerLink, memoryBytes: number, dependencies: RunDependencies): Promise<void> {
  const request = { ...REQUEST, limits: { ...DEFAULT_LIMITS, memoryBytes } };
  await driveRun(link, request, true, HOST, new AbortController().signal, dependencies);
  if (link.fault) throw new LinkDown(link.fault);
}
