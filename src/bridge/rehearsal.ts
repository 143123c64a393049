/** One small program on the first worker in reserve, driven from here: the page's half of a run is compiled as well then. */
import { rehearsalRequest } from '../protocol/rehearsal.ts';
import type { ToolHost } from './executor.ts';
import { driveRun, type RunDependencies } from './run-driver.ts';
import { LinkDown, type WorkerLink } from './worker-link.ts';

const PROGRAM = 'const { n } = await tools.rehearse({ n: 1 }); return n + 1;';

const HOST: ToolHost = {
  started() {},
  frame() {},
  call: ({ id, input }) => Promise.resolve({ id, ok: true, value: input }),
};

/** Nothing of it is left in the worker. @throws LinkDown when the worker does not survive it, as it would no program */
export async function rehearse(link: WorkerLink, memoryBytes: number, dependencies: RunDependencies): Promise<void> {
  const request = rehearsalRequest(PROGRAM, memoryBytes);
  await driveRun(link, request, true, HOST, new AbortController().signal, dependencies);
  if (link.fault) throw new LinkDown(link.fault);
}
