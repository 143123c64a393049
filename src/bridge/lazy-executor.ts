/**
 * An executor whose code is loaded with its first use. Most pages that could run a program never do; those that do wait
 * for the worker's own file anyway.
 */
import { EnvironmentError } from '../errors.ts';
import { failedReply } from './failed-reply.ts';
import type { PooledExecutor } from './pooled-executor.ts';

/** @param load gives the executor; asked again by the next use when it fails */
export function lazyExecutor(load: () => Promise<PooledExecutor>): PooledExecutor {
  let executor: PooledExecutor | undefined;
  let loading: Promise<PooledExecutor> | undefined;
  let disposed = false;

  const begin = async (): Promise<PooledExecutor> => {
    try {
      const loaded = await load();
      if (disposed) await loaded[Symbol.asyncDispose]();
      return (executor = loaded);
    } catch (error) {
      loading = undefined;
      throw notLoaded(error);
    }
  };
  const get = (): Promise<PooledExecutor> => (loading ??= begin());

  return {
    async execute(request, host, signal) {
      try {
        return await (executor ?? (await get())).execute(request, host, signal);
      } catch (error) {
        if (error instanceof EnvironmentError) return failedReply(error);
        throw error;
      }
    },
    analyze: async (source, names, signal) => (executor ?? (await get())).analyze(source, names, signal),
    prepare: (memoryBytes) =>
      get().then(
        (loaded) => loaded.prepare?.(memoryBytes),
        () => {}, // the run asks again, and tells
      ),
    warmUp: async (memoryBytes) => (executor ?? (await get())).warmUp(memoryBytes),
    offerWorker: (park) => executor?.offerWorker?.(park) ?? (() => {}),
    endSession: (sessionId) => executor?.endSession(sessionId),
    get engine() {
      return executor?.engine ?? '';
    },
    get load() {
      return executor?.load ?? { spare: 0, busy: 0, idle: 0, queued: 0, waitingForSlot: 0 };
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await executor?.[Symbol.asyncDispose]();
    },
  };
}

/** The files of a package that was deployed anew are gone for pages that were open before. */
export function notLoaded(cause: unknown): EnvironmentError {
  return new EnvironmentError(
    'executor_unavailable',
    `The code that runs programs could not be loaded, so no program can run: ${cause instanceof Error ? cause.message : String(cause)}. Serve all files that the bundler made, and reload the page when a new version was deployed.`,
    {},
    { cause },
  );
}
