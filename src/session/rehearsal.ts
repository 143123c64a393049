import type { Tool } from '../catalog/tool.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import type { createSession } from './session.ts';
import { systemClock } from './system-clock.ts';

let done: Promise<void> | undefined;

/**
 * Sends one call of a tool of its own through all that the page does for a call, in a session that nobody else sees: engines
 * compile code when it first runs, and the first run of the application should not wait for that.
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
    executor: () => {
      throw new Error('A call without a program needs no worker.');
    },
    disposed: () => undefined,
    revocations: new Set(),
  };
  const session = open(deps, {});
  const [direct] = await session.directTools();
  await direct?.run({ n: 1 });
  await session[Symbol.asyncDispose]();
}
