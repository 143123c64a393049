/** `@tanstack/ai-isolate-quickjs`: QuickJS on the calling thread; a context per execution, as its own tool does. */
import { HANDLERS } from '../data.ts';
import type { Opened, Subject } from '../subject.ts';
import type { LoadPeer } from './load.ts';

interface Binding {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  execute(input: unknown): Promise<unknown>;
}

interface DriverPackage {
  createQuickJSIsolateDriver(): {
    createContext(config: { readonly bindings: Readonly<Record<string, Binding>> }): Promise<{
      execute(code: string): Promise<{
        readonly success: boolean;
        readonly value?: unknown;
        readonly error?: { readonly message: string };
      }>;
      dispose(): Promise<void>;
    }>;
  };
}

const bindings = Object.fromEntries(
  Object.entries(HANDLERS).map(([name, execute]) => [
    name,
    { name, description: name, inputSchema: { type: 'object' }, execute } satisfies Binding,
  ]),
);

export function tanstack(load: LoadPeer): Subject {
  return {
    name: 'tanstack',
    async open() {
      const { createQuickJSIsolateDriver } = (await load('tanstack')) as DriverPackage;
      const driver = createQuickJSIsolateDriver();
      const run = async (source: string): Promise<unknown> => {
        const context = await driver.createContext({ bindings });
        try {
          const result = await context.execute(`const tools = { echo, orders }; ${source}`);
          if (result.success) return result.value;
          throw new Error(result.error?.message);
        } finally {
          await context.dispose();
        }
      };
      return { run, sessions: (count) => Array.from({ length: count }, () => run), close: async () => {} } satisfies Opened;
    },
  };
}
