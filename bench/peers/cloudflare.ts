/** `@cloudflare/codemode/browser`: native code in a sandboxed iframe per execution; pages only, cannot be stopped from outside. */
import { HANDLERS } from '../data.ts';
import type { Opened, Subject } from '../subject.ts';
import type { LoadPeer } from './load.ts';

interface IframePackage {
  readonly IframeSandboxExecutor: new () => {
    execute(
      code: string,
      providers: readonly { readonly name: string; readonly fns: typeof HANDLERS }[],
    ): Promise<{ readonly result: unknown; readonly error?: string }>;
  };
}

export function cloudflare(load: LoadPeer): Subject {
  return {
    name: 'cloudflare',
    async open() {
      const { IframeSandboxExecutor } = (await load('cloudflare')) as IframePackage;
      const executor = new IframeSandboxExecutor();
      const run = async (source: string): Promise<unknown> => {
        const { result, error } = await executor.execute(`async () => { ${source} }`, [{ name: 'tools', fns: HANDLERS }]);
        if (error !== undefined) throw new Error(error);
        return result;
      };
      return { run, sessions: (count) => Array.from({ length: count }, () => run), close: async () => {} } satisfies Opened;
    },
  };
}
