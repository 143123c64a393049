/** One small program on a worker in reserve, so that the first real one finds everything compiled (about 5 ms less). */
import { DEFAULT_LIMITS } from '../src/protocol/limits.ts';
import type { ExecuteRequest } from '../src/protocol/wire.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

const PROGRAM = `
const rows = await Promise.all([1, 2].map((n) => tools.rehearse({ n, text: 'a' })));
console.log(rows.length);
({ rows: rows.map(({ n }) => n), at: new Date(0) })`;

/** @throws Error when the engine does not survive it: then it would not survive a program either */
export async function rehearse(sandbox: Sandbox, memoryBytes: number): Promise<void> {
  const runId = 'rehearsal';
  const reply = await sandbox.run({ ...REQUEST, runId, limits: { ...DEFAULT_LIMITS, memoryBytes } }, (frame) => {
    // Also from inside of `send`, where replies may come.
    queueMicrotask(() =>
      sandbox.settle(
        runId,
        frame.calls.map(({ id, input }) => ({ id, ok: true, value: input })),
      ),
    );
  });
  if (sandbox.spent || reply.status === 'failed') {
    throw new Error(`a first program failed (${reply.status === 'failed' ? reply.error.message : 'the engine is spent'})`);
  }
}

const REQUEST: Omit<ExecuteRequest, 'runId' | 'limits'> = {
  sessionId: '',
  source: PROGRAM,
  names: { version: '', names: ['rehearse'], identifiers: { rehearse: 0 }, namespaces: {}, singleFields: {} },
  maxWorkers: 1,
  seed: [1, 2, 3, 4],
  locale: 'en',
  timeZone: 'UTC',
  state: 'run',
  restart: false,
};
