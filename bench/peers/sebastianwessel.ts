/** `@sebastianwessel/quickjs`: QuickJS on the calling thread; a program cannot be stopped from outside. */
import { HANDLERS } from '../data.ts';
import type { Opened, Subject } from '../subject.ts';
import type { LoadPeer } from './load.ts';

interface Sandboxes {
  runSandboxed(
    work: (sandbox: { evalCode(code: string): Promise<Result> }) => Promise<Result>,
    options: { readonly env: { readonly tools: typeof HANDLERS } },
  ): Promise<Result>;
}

interface Result {
  readonly ok: boolean;
  readonly data?: unknown;
  readonly error?: { readonly message: string };
}

interface SandboxPackage {
  loadQuickJs(variant: unknown): Promise<Sandboxes>;
}

export function sebastianwessel(load: LoadPeer): Subject {
  let loading: Promise<Sandboxes> | undefined;
  const sandboxes = async (): Promise<Sandboxes> => {
    const { loadQuickJs } = (await load('sebastianwessel')) as SandboxPackage;
    const { default: variant } = (await load('quickjs-ng')) as { default: unknown };
    return loadQuickJs(variant);
  };
  return {
    name: 'sebastianwessel',
    async open({ warm }) {
      // "Should be done only once if possible", says its documentation; the cold row loads it anew.
      const { runSandboxed } = await (warm ? (loading ??= sandboxes()) : sandboxes());
      const run = async (source: string): Promise<unknown> => {
        const code = `const { tools } = env; export default await (async () => { ${source} })();`;
        const result = await runSandboxed(({ evalCode }) => evalCode(code), { env: { tools: HANDLERS } });
        if (result.ok) return result.data;
        throw new Error(result.error?.message);
      };
      return { run, sessions: (count) => Array.from({ length: count }, () => run), close: async () => {} } satisfies Opened;
    },
  };
}
