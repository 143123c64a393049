/** Requests and hosts for tests of executors. */
import type { ExecuteRequest, Frame, NameTable, WireCall, WireReply } from '../../protocol/wire.ts';
import { DEFAULT_LIMITS } from '../../protocol/limits.ts';
import type { ToolHost } from '../executor.ts';

export const MIB = 1024 * 1024;

const TOOLS = ['echo', 'slow', 'fail'];

export const NAMES: NameTable = {
  version: 'test-1',
  names: TOOLS,
  identifiers: Object.fromEntries(TOOLS.map((name, index) => [name, index])),
  namespaces: {},
  singleFields: {},
};

let runs = 0;

export function aRequest(
  source: string,
  change: Partial<Omit<ExecuteRequest, 'limits'>> & { limits?: Partial<ExecuteRequest['limits']> } = {},
): ExecuteRequest {
  const { limits, ...rest } = change;
  return {
    runId: `run-${++runs}`,
    sessionId: 'session',
    source,
    names: NAMES,
    limits: { ...DEFAULT_LIMITS, memoryBytes: 16 * MIB, ...limits },
    maxWorkers: 16,
    seed: [1, 2, 3, 4],
    locale: 'en-GB',
    timeZone: 'UTC',
    state: 'run',
    restart: false,
    ...rest,
  };
}

export interface RecordingHost extends ToolHost {
  /** What happened, in order: `started`, `frame`, `call:<tool>`. */
  readonly log: string[];
  readonly frames: Frame[];
  readonly calls: WireCall[];
  readonly fresh: boolean[];
}

/** Answers each call with its own input unless told otherwise. */
export function aHost(answer: (call: WireCall) => Promise<WireReply> = async (call) => echo(call)): RecordingHost {
  const host: RecordingHost = {
    log: [],
    frames: [],
    calls: [],
    fresh: [],
    started({ fresh }) {
      host.log.push('started');
      host.fresh.push(fresh);
    },
    frame(frame) {
      host.log.push('frame');
      host.frames.push(frame);
    },
    call(call) {
      host.log.push(`call:${call.tool}`);
      host.calls.push(call);
      return answer(call);
    },
  };
  return host;
}

export const echo = (call: WireCall): WireReply => ({ id: call.id, ok: true, value: call.input });

export const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const never = (): AbortSignal => new AbortController().signal;

/** A signal that aborts in `ms`. */
export function abortIn(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

/** Never returns, and no interrupt of the engine reaches it. */
export const NATIVE_LOOP = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)';
