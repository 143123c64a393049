/** This package as a subject: public API, default options, one echo tool. */
import { type Executor, createCodeMode } from 'react-code-mode/core';
import type { Subject } from './measure.ts';

const echo = {
  name: 'echo',
  inputSchema: { type: 'object', properties: { i: { type: 'number' } } },
  risk: 'read',
  execute: (input: unknown) => input,
} as const;

/** @param createExecutor a new executor, with no worker started */
export function ours(createExecutor: () => Executor): Subject {
  return {
    name: 'ours',
    async open(warm) {
      const executor = createExecutor();
      const codeMode = createCodeMode({ tools: [echo], executor });
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
