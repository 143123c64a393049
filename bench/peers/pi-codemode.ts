/** `@earendil-works/pi-codemode`: a worker thread per execution in Node, the calling thread on a page. */
import { HANDLERS } from '../data.ts';
import type { Opened, Started, Subject } from '../subject.ts';
import type { LoadPeer } from './load.ts';

interface Sandbox {
  execute(
    source: string,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly ok: boolean; readonly value?: unknown; readonly error?: { readonly message: string } }>;
  close(): Promise<void>;
}

interface Options {
  readonly tools: readonly { readonly name: string; execute(input: unknown): Promise<unknown> }[];
  readonly wasm?: unknown;
  readonly interruptBudget?: number;
}

interface PiPackage {
  readonly CodemodeSandbox?: new (options: Options) => Sandbox;
  readonly InlineCodemodeSandbox?: new (options: Options) => Sandbox;
  /** Added by the bundle for pages: its WebAssembly, compiled. */
  compile?(): Promise<unknown>;
}

const TOOLS = Object.entries(HANDLERS).map(([name, execute]) => ({ name, execute }));

/** @param inline on the calling thread: cannot be stopped while it computes */
export function piCodemode(load: LoadPeer, inline: boolean): Subject {
  let compiled: Promise<unknown> | undefined;
  const create = async (): Promise<Sandbox> => {
    const { CodemodeSandbox, InlineCodemodeSandbox, compile } = (await load('pi-codemode')) as PiPackage;
    if (!inline && CodemodeSandbox) return new CodemodeSandbox({ tools: TOOLS });
    if (!InlineCodemodeSandbox) throw new Error('not for this platform');
    compiled ??= compile?.();
    // Its own limit of about two seconds of computing would end the CPU rows.
    return new InlineCodemodeSandbox({ tools: TOOLS, wasm: await compiled, interruptBudget: Number.MAX_SAFE_INTEGER });
  };
  return {
    name: 'pi-codemode',
    async open() {
      const sandbox = await create();
      const start = (source: string): Started => {
        const abort = new AbortController();
        const outcome = sandbox.execute(source, { signal: abort.signal }).then((result) => {
          if (result.ok) return result.value;
          throw new Error(result.error?.message);
        });
        return { outcome, cancel: () => abort.abort() };
      };
      const run = (source: string): Promise<unknown> => start(source).outcome;
      return {
        run,
        ...(!inline && { start }),
        sessions: (count) => Array.from({ length: count }, () => run),
        close: () => sandbox.close(),
      } satisfies Opened;
    },
  };
}
