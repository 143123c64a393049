/** `run`: QuickJS in a worker thread per run, from a pool it keeps; Node only. */
import { HANDLERS } from '../data.ts';
import type { Opened, Started, Subject } from '../subject.ts';
import type { LoadPeer } from './load.ts';

interface RunPackage {
  createRunner(options: { readonly limits: Readonly<Record<string, number>> }): {
    run(input: {
      readonly source: string;
      readonly hostFunctions: { readonly tools: typeof HANDLERS };
      readonly abortSignal: AbortSignal;
    }): Promise<{ readonly status: string; readonly value?: unknown }>;
  };
}

/** Its defaults, raised where a row would not fit: calls, sizes, memory. */
const LIMITS = {
  maxBridgeRequests: 10_000,
  maxHostFunctionOutputBytes: 64 * 2 ** 20,
  memoryLimitBytes: 128 * 2 ** 20,
};

export function runPeer(load: LoadPeer): Subject {
  return {
    name: 'run',
    async open() {
      const { createRunner } = (await load('run')) as RunPackage;
      const runner = createRunner({ limits: LIMITS });
      const start = (source: string): Started => {
        const abort = new AbortController();
        const outcome = runner
          .run({ source, hostFunctions: { tools: HANDLERS }, abortSignal: abort.signal })
          .then(({ value }) => value);
        return { outcome, cancel: () => abort.abort() };
      };
      const run = (source: string): Promise<unknown> => start(source).outcome;
      return {
        run,
        start,
        sessions: (count) => Array.from({ length: count }, () => run),
        close: async () => {},
      } satisfies Opened;
    },
  };
}
