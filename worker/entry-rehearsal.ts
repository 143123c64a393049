/** One small program on a worker in reserve, so that the first real one finds everything compiled (about 5 ms less). */
import { rehearsalRequest } from '../src/protocol/rehearsal.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

const PROGRAM = `
const rows = await Promise.all([1, 2].map((n) => tools.rehearse({ n, text: 'a' })));
console.log(rows.length);
({ rows: rows.map(({ n }) => n), at: new Date(0) })`;

/** @throws Error when the engine does not survive it: then it would not survive a program either */
export async function rehearse(sandbox: Sandbox, memoryBytes: number): Promise<void> {
  const request = rehearsalRequest(PROGRAM, memoryBytes);
  const reply = await sandbox.run(request, (frame) => {
    // Also from inside of `send`, where replies may come.
    queueMicrotask(() =>
      sandbox.settle(
        request.runId,
        frame.calls.map(({ id, input }) => ({ id, ok: true, value: input })),
      ),
    );
  });
  if (sandbox.spent || reply.status === 'failed') {
    throw new Error(`a first program failed (${reply.status === 'failed' ? reply.error.message : 'the engine is spent'})`);
  }
}
