import type { Executor, ToolHost } from '../bridge/executor.ts';
import type { Journal } from '../journal/journal.ts';
import type { RecordedCall } from '../journal/recording.ts';
import { encode } from '../protocol/codec.ts';
import type { EncodedText, ExecuteReply, Frame, WireCall } from '../protocol/wire.ts';
import { NO_ENGINE } from './session-memory.ts';

/**
 * An executor for a "program" that is one tool call: no worker, no sandbox, but the same policy, approval, journal and
 * trace. For applications that offer their tools without code mode (`enabled: false`).
 */
export function directCall(tool: string, input: unknown): DirectExecutor {
  return perform(() => ({ id: 1, kind: 'tool', tool, input: directInput(input) }));
}

/** The input of a direct call as it is recorded. */
export function directInput(input: unknown): EncodedText {
  return encode(input ?? {}, { dropUndefined: true });
}

/** The same for a call of an earlier life of the page. */
export function recordedCall(journal: Pick<Journal, 'load'>, { tool, input }: RecordedCall): DirectExecutor {
  return perform(async () => ({ id: 1, kind: 'tool', tool, input: await journal.load(input) }));
}

type DirectExecutor = Pick<Executor, 'execute' | 'engine'>;

function perform(made: () => WireCall | Promise<WireCall>): DirectExecutor {
  return {
    engine: NO_ENGINE,
    async execute({ runId }, host, signal) {
      const call = await made();
      host.started({ fresh: true });
      host.frame(frameOf(runId, call));
      return Promise.race([answer(host, call), aborted(signal)]);
    },
  };
}

/** What a worker would have sent for this call, alone. */
export function frameOf(runId: string, call: WireCall): Frame {
  const nothing = { output: [], delivered: [], clock: [], computeMs: 0, memoryBytes: 0 };
  return { ...nothing, runId, seq: call.id, calls: [call], quiescent: true };
}

/** Figures of a run without a worker. */
export const NOTHING = { warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0 } as const;

async function answer(host: ToolHost, call: WireCall): Promise<ExecuteReply> {
  const reply = await host.call(call);
  if (reply.ok) return { ...NOTHING, status: 'completed', value: reply.value };
  const { code, name, message, data } = reply.error;
  return { ...NOTHING, status: 'failed', error: { code, name, message, call: call.id, ...(data !== undefined && { data }) } };
}

/** The reply of a run that was stopped. */
export function aborted(signal: AbortSignal): Promise<ExecuteReply> {
  return new Promise((resolve) => {
    const reply: ExecuteReply = {
      ...NOTHING,
      status: 'failed',
      error: { code: 'cancelled', name: 'CodeModeError', message: 'The call was cancelled.' },
    };
    if (signal.aborted) resolve(reply);
    else signal.addEventListener('abort', () => resolve(reply), { once: true });
  });
}
