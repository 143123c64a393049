import { createNodeExecutor } from '../../src/bridge/node-worker-executor.ts';
import { createCodeMode } from '../../src/session/create-code-mode.ts';
import { emptyState, reduceAll } from '../../src/store/reduce.ts';
import type { EncodedText } from '../../src/protocol/wire.ts';
import { JOURNAL_VERSION, type JournalEvent } from '../../src/journal/events.ts';
import { memoryStorage } from '../../src/journal/memory-storage.ts';
import { type RecordedCase, recordedCases } from './corpus.ts';
import { expectedOf, type Recording } from '../../src/journal/test-tools/recording.ts';

/** Plays every case with a real sandbox and returns its journal. */
export async function recordAll(): Promise<Record<string, Recording>> {
  const executor = createNodeExecutor();
  const recordings: Record<string, Recording> = {};
  try {
    for (const each of recordedCases()) recordings[each.name] = await record(each, executor);
  } finally {
    await executor[Symbol.asyncDispose]();
  }
  return recordings;
}

async function record(
  { name, options, person = {}, play }: RecordedCase,
  executor: ReturnType<typeof createNodeExecutor>,
): Promise<Recording> {
  const storage = memoryStorage();
  const codeMode = createCodeMode({ tools: [], ...options, executor, storage });
  const session = codeMode.session({ id: name });
  session.journal.subscribe((event) => {
    const decision = event.type === 'approval.requested' && person[toolOf(session.journal.events, event.data.callId)];
    if (decision) queueMicrotask(() => void session.decide(event.data.callId, decision));
  });
  let runs = 0;
  await play(session, (source) => session.run(source, { id: `run-${++runs}` }));
  const events = [...session.journal.events];
  await codeMode[Symbol.asyncDispose]();
  const log = await storage.open(name);
  const values: Record<string, EncodedText> = {};
  for (const [ref] of JSON.stringify(events).matchAll(/(?<="ref":")[^"]+/g)) values[ref] = (await log.getValue(ref)) ?? '';
  return { version: JOURNAL_VERSION, events, values, expected: expectedOf(reduceAll(emptyState(name), events)) };
}

function toolOf(events: readonly JournalEvent[], callId: string): string {
  const request = events.find((event) => event.type === 'tool_call.requested' && event.data.callId === callId);
  return request?.type === 'tool_call.requested' ? request.data.tool : '';
}
