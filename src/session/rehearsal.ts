import type { Tool } from '../catalog/tool.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import { directCall } from './direct-call.ts';
import type { createSession } from './session.ts';
import { systemClock } from './system-clock.ts';

let done: Promise<void> | undefined;

/** The program's call is made without a program. */
const NO_WORKER = {
  warmUp: () => Promise.resolve(),
  analyze: () => Promise.reject(new Error('There is no worker here.')),
  endSession: () => undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/**
 * Sends one call of a tool of its own, and a program that makes one, through all that the page does for them, in a session
 * that nobody else sees: engines compile code when it first runs, and the first run of the application should not wait for that.
 * Once for the life of the page. Never rejects.
 */
export function rehearse(open: typeof createSession): Promise<void> {
  return (done ??= perform(open).catch(() => undefined));
}

async function perform(open: typeof createSession): Promise<void> {
  const tool: Tool<{ readonly n: number }> = {
    name: 'rehearsal',
    inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
    risk: 'read',
    execute: ({ n }) => ({ n }),
  };
  const deps: Parameters<typeof createSession>[0] = {
    id: 'rehearsal',
    clock: systemClock,
    storage: memoryStorage(),
    options: () => ({ tools: [tool] }),
    executor: () => ({ ...directCall(tool.name, { n: 1 }), ...NO_WORKER }),
    disposed: () => undefined,
    revocations: new Set(),
    revoked: new Set(),
  };
  const session = open(deps, {});
  const [direct] = await session.directTools();
  await direct?.run({ n: 1 });
  await session.run('return (await tools.rehearsal({ n: 1 })).n;').outcome;
  await session[Symbol.asyncDispose]();
}
