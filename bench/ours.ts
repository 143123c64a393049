/** This package as a subject: public API, default options, an echo tool and one with a big result. */
import { type Executor, createCodeMode } from 'react-code-mode/core';
import type { Subject } from './measure.ts';
import { bigResult } from './rows.ts';

const echo = {
  name: 'echo',
  inputSchema: { type: 'object', properties: { i: { type: 'number' } } },
  risk: 'read',
  execute: (input: unknown) => input,
} as const;

const orders = {
  name: 'orders',
  inputSchema: { type: 'object', properties: { count: { type: 'boolean' } } },
  risk: 'read',
  execute: ({ count }: { count?: boolean }) => (count ? bigResult().rows.length : bigResult().rows),
} as const;

/** @param createExecutor a new executor, with no worker started */
export function ours(createExecutor: () => Executor): Subject {
  return {
    name: 'ours',
    async open(warm) {
      const executor = createExecutor();
      const codeMode = createCodeMode({ tools: [echo, orders], executor });
      if (warm) await codeMode.warmUp();
      const session = codeMode.session();
      return {
        async run(source) {
          const outcome = await session.run(source).outcome;
          if (outcome.status === 'completed') return outcome.value;
          throw new Error(outcome.status === 'failed' ? outcome.error.message : outcome.reason);
        },
        async close() {
          await codeMode[Symbol.asyncDispose]();
          await executor[Symbol.asyncDispose]();
        },
      };
    },
  };
}
