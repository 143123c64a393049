import type { Executor } from '../bridge/executor.ts';
import { createWebWorkerExecutor } from '../bridge/web-worker-executor.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { resolveTools } from '../catalog/sources.ts';
import { CodeModeError, InvalidOptionsError } from '../errors.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import { loadRuntime } from './load-runtime.ts';
import { checkCodeModeOptions, checkPartialOptions, checkSessionOptions, resolveLimits } from './options.ts';
import { createSession } from './session.ts';
import { systemClock } from './system-clock.ts';
import { whenIdle } from './when-idle.ts';
import type { CodeMode, CodeModeOptions, Session, SessionOptions } from './types.ts';

let nextSession = 1;

/**
 * Code mode of one application. Starts nothing: the first worker starts with the first run, `warmUp()` or as `warmUp` says.
 *
 * @throws InvalidOptionsError `invalid_options` for an unknown or unusable option, `invalid_tool` for a tool set with two
 *   tools of one name or an unusable schema; `data.path` says where.
 */
export function createCodeMode<C = unknown>(given: CodeModeOptions<C>): CodeMode<C> {
  checkCodeModeOptions(given);
  let options: CodeModeOptions<C> = given;
  checkTools(options);
  const clock = options.clock ?? systemClock;
  const storage = options.storage ?? memoryStorage();
  const sessions = new Map<string, Session<C>>();
  const revocations = new Set<(grantId: string) => void>();
  const revoked = new Set<string>();
  let ownExecutor: Executor | undefined;
  let disposing: Promise<void> | undefined;

  const executor = (): Executor => options.executor ?? (ownExecutor ??= createWebWorkerExecutor());
  const alive = (): void => {
    if (disposing) throw new CodeModeError('session_disposed', 'This code mode is disposed. Create a new one.');
  };
  const warmUp = async (): Promise<void> => {
    const page = loadRuntime().then(({ rehearse }) => rehearse(createSession));
    await Promise.all([executor().warmUp(resolveLimits(options.limits).memoryBytes), page]);
  };
  let isWarm = false;
  const warmUpWhenAsked = (): void => {
    const { warmUp: when = 'never' } = options;
    if (isWarm || when === 'never') return;
    isWarm = true;
    // The first run meets the same fault and tells it.
    const start = (): void => void (disposing ? undefined : warmUp().catch(() => undefined));
    if (when === 'mount') start();
    else whenIdle(start);
  };
  const dispose = async (): Promise<void> => {
    await Promise.all([...sessions.values()].map((session) => session[Symbol.asyncDispose]()));
    await ownExecutor?.[Symbol.asyncDispose]();
  };

  return {
    session(own: SessionOptions<C> = {}) {
      alive();
      checkSessionOptions(own);
      const id = own.id ?? `session-${nextSession++}-${Math.random().toString(36).slice(2, 8)}`;
      const open = sessions.get(id);
      if (open) return open;
      if (own.tools) checkTools({ ...options, tools: own.tools });
      const session = createSession<C>(
        { id, clock, storage, options: () => options, executor, disposed: () => sessions.delete(id), revocations, revoked },
        own,
      );
      sessions.set(id, session);
      warmUpWhenAsked();
      return session;
    },
    async warmUp() {
      alive();
      await warmUp();
    },
    update(changes) {
      checkPartialOptions(changes);
      for (const fixed of ['executor', 'storage', 'clock'] as const) {
        if (changes[fixed] !== undefined && changes[fixed] !== options[fixed]) {
          throw new InvalidOptionsError(
            'invalid_options',
            `update: \`${fixed}\` cannot change while the code mode lives. Create a new one.`,
            { path: fixed },
          );
        }
      }
      const next = { ...options, ...changes };
      if (changes.tools !== undefined && changes.tools !== options.tools) checkTools(next);
      options = next;
    },
    [Symbol.asyncDispose]: () => (disposing ??= dispose()),
  };
}

/** Refuses a bad tool set where it is given. A function of the context is checked when a session calls it. */
function checkTools<C>({ tools, trust }: CodeModeOptions<C>): void {
  if (typeof tools === 'function') return;
  const list = resolveTools(tools, undefined as C);
  if (!(list instanceof Promise)) createCatalog(list, { ...(trust && { trust }) });
}
