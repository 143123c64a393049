/** The tools of a soak, which count their open handlers. */
import type { Tool } from 'react-code-mode/core';

export interface SoakTools {
  readonly list: readonly Tool[];
  /** Called and not ended. */
  readonly open: number;
  /** Calls `then` when the run's program calls `mark`. */
  onMark(runId: string, then: () => void): void;
}

export function createTools(): SoakTools {
  let open = 0;
  const marks = new Map<string, () => void>();
  const counted =
    (execute: Tool['execute']): Tool['execute'] =>
    async (input, call) => {
      open++;
      try {
        return await execute(input, call);
      } finally {
        open--;
      }
    };
  const tool = (name: string, execute: Tool['execute'], more: Partial<Tool> = {}): Tool => ({
    name,
    risk: 'read',
    execute: counted(execute),
    ...more,
  });
  const number = { type: 'number' } as const;
  return {
    list: [
      tool('echo', (input) => input, { inputSchema: { type: 'object', properties: { i: number }, required: ['i'] } }),
      tool('rows', ({ count }: { count: number }) =>
        Array.from({ length: count }, (_, id) => ({ id, name: `Customer ${id}`, tags: ['a', 'b'], total: id / 7 })),
      ),
      tool('pay', async ({ amount }: { amount: number }) => ({ paid: amount }), {
        needsApproval: true,
        risk: 'write',
        inputSchema: { type: 'object', properties: { amount: number } },
      }),
      tool('broken', async () => {
        throw new Error('it does not work');
      }),
      tool('mark', (_, { runId }) => {
        marks.get(runId)?.();
        marks.delete(runId);
        return null;
      }),
      // Ends only by its signal.
      tool(
        'never',
        (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
          }),
      ),
    ],
    get open() {
      return open;
    },
    onMark: (runId, then) => void marks.set(runId, then),
  };
}
