/** Runs one shape through the public entry, in the process (or page) whose memory is measured. */
import { createCodeMode, type Executor, type Tool } from '../../src/core.ts';
import type { Shape } from './shapes.ts';

/** How its last run ended. */
export interface ShapeEnd {
  readonly ended: string;
  readonly peakMemoryBytes: number;
  readonly transferBytes: number;
}

const kept: unknown[] = [];

/** What the application holds anyway: it is not what is measured. */
const texts = new Map<number, string>();
const textOf = (chars: number): string => {
  if (!texts.has(chars)) texts.set(chars, 'x'.repeat(chars));
  return texts.get(chars)!;
};

const tools: Tool[] = [
  { name: 'give', risk: 'read', execute: ({ chars }: { chars: number }) => textOf(chars) },
  { name: 'take', risk: 'read', execute: (input: { text: string }) => input.text.length },
  {
    name: 'fail',
    risk: 'read',
    execute: () => {
      throw new Error('m'.repeat(1_000_000));
    },
  },
];

/** @returns how it ended; what the session keeps is kept, so that it can be measured */
export async function runShape(executor: Executor, { program, limits, runs = 1 }: Shape): Promise<ShapeEnd> {
  const codeMode = createCodeMode({ tools, executor, limits: { timeoutMs: 30_000, ...limits } });
  const session = codeMode.session();
  kept.push(codeMode);
  let end: ShapeEnd | undefined;
  for (let i = 0; i < runs; i++) {
    const outcome = await session.run(`const keep = []; ${program}`).outcome;
    const ended = outcome.status === 'failed' ? outcome.error.code : outcome.status;
    end = { ended, peakMemoryBytes: outcome.stats.peakMemoryBytes, transferBytes: outcome.stats.transferBytes };
  }
  return end!;
}
