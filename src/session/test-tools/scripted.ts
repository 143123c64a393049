/** Sessions whose programs are functions of the test: everything of a session but the sandbox, in no time. */
import { afterEach, expect, vi } from 'vitest';
import type { Executor, ToolHost } from '../../bridge/executor.ts';
import { decode, encode } from '../../protocol/codec.ts';
import type { ExecuteReply, ProgramFacts } from '../../protocol/wire.ts';
import { createCodeMode } from '../create-code-mode.ts';
import type { CodeMode, CodeModeOptions, Session, SessionOptions } from '../types.ts';

/** Calls a tool as a program does. Rejects with the error the program would get. */
export type Call = (tool: string, input?: unknown, line?: number) => Promise<unknown>;
export type Program = (call: Call) => Promise<unknown>;

export interface ScriptedError extends Error {
  readonly code: string;
}

const IDLE = { warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0 } as const;
const NO_FACTS: ProgramFacts = { references: [], computedName: false, freeIdentifiers: [] };

/** Programs by their text. `facts`: what looking at them would find. */
export function scriptedExecutor(
  programs: Readonly<Record<string, Program>>,
  facts: Readonly<Record<string, ProgramFacts>> = {},
): Executor {
  return {
    engine: 'scripted',
    async execute({ runId, source }, host, signal) {
      host.started({ fresh: true });
      const ended = new Promise<ExecuteReply>((resolve) => {
        const cancelled = { code: 'cancelled', name: 'CodeModeError', message: 'cancelled' } as const;
        signal.addEventListener('abort', () => resolve({ ...IDLE, status: 'failed', error: cancelled }));
      });
      return Promise.race([perform(programs[source]!, caller(runId, host)), ended]);
    },
    analyze: async (source) => facts[source] ?? NO_FACTS,
    warmUp: async () => {},
    endSession() {},
    async [Symbol.asyncDispose]() {},
  };
}

async function perform(program: Program, call: Call): Promise<ExecuteReply> {
  try {
    return { ...IDLE, status: 'completed', value: encode(await program(call)) };
  } catch (thrown) {
    const { code, name, message } = thrown as ScriptedError;
    return { ...IDLE, status: 'failed', error: { code: code as 'program_error', name, message } };
  }
}

function caller(runId: string, host: ToolHost): Call {
  let last = 0;
  return async (tool, input = {}, line) => {
    const id = ++last;
    const site = line === undefined ? {} : { site: { line, column: 1 } };
    const call = { id, kind: 'tool', tool, input: encode(input), ...site } as const;
    const frame = { runId, seq: id, output: [], delivered: [], clock: [], calls: [call], computeMs: 0, memoryBytes: 0 };
    host.frame({ ...frame, quiescent: true });
    const reply = await host.call(call);
    if (reply.ok) return decode(reply.value);
    const { code, message } = reply.error;
    throw Object.assign(new Error(message), { code });
  };
}

export interface ScriptedBench {
  codeMode<C>(programs: Readonly<Record<string, Program>>, options: Partial<CodeModeOptions<C>>): CodeMode<C>;
  /** A session of a code mode of its own. */
  session<C>(
    programs: Readonly<Record<string, Program>>,
    options: Partial<CodeModeOptions<C>>,
    own?: SessionOptions<C>,
  ): Session<C>;
}

/** What a test opens is closed after it. */
export function createScriptedBench(): ScriptedBench {
  const open = new Set<AsyncDisposable>();
  afterEach(async () => {
    for (const each of open) await each[Symbol.asyncDispose]();
    open.clear();
  });
  const bench: ScriptedBench = {
    codeMode(programs, options) {
      const codeMode = createCodeMode({ tools: [], executor: scriptedExecutor(programs), ...options });
      open.add(codeMode);
      return codeMode;
    },
    session: (programs, options, own) => bench.codeMode(programs, options).session(own),
  };
  return bench;
}

/** Ids of the calls that wait, once there are `count`. */
export async function waiting(session: Session<any>, count = 1): Promise<readonly string[]> {
  await vi.waitFor(() => expect(session.store.getState().pending).toHaveLength(count), { timeout: 15_000, interval: 2 });
  return session.store.getState().pending;
}
