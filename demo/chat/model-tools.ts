import { type AiSdkOutput, toAiSdkOutput } from 'react-code-mode/ai-sdk';
import type { ContentPart, ModelResult, RunStatus, Session } from 'react-code-mode/core';
import type { ToolSet } from 'ai';

/** What the chat keeps of a run while it is on: small, because it travels with every update. */
export interface RunProgress {
  readonly status: RunStatus;
  readonly calls: number;
  readonly waiting: number;
}

/** What the chat keeps of a finished run: what the model reads and looks at. The trace stays in the session's store. */
export interface RunAnswer {
  readonly ok: boolean;
  readonly text: string;
  /** Images and files of the run, the text before them. */
  readonly parts?: readonly ContentPart[];
  /** False when the arguments were refused and no run began. */
  readonly started: boolean;
}

export type ExecuteCodeOutput = RunProgress | RunAnswer;

/**
 * The session's three model tools as AI SDK tools. The chat's tool call id becomes the run's id, so a message part finds
 * its run without any bookkeeping.
 */
export function chatTools(session: Session): ToolSet {
  const { getTools, getToolDefinition, executeCode } = session.modelTools;
  return {
    [getTools.name]: {
      description: getTools.description,
      inputSchema: getTools.inputSchema,
      execute: async (input: unknown): Promise<RunAnswer> => answer(await getTools.run(input)),
      toModelOutput: ({ output }: { output: ExecuteCodeOutput }) => modelOutput(output),
    },
    [getToolDefinition.name]: {
      description: getToolDefinition.description,
      inputSchema: getToolDefinition.inputSchema,
      execute: async (input: unknown): Promise<RunAnswer> => answer(await getToolDefinition.run(input)),
      toModelOutput: ({ output }: { output: ExecuteCodeOutput }) => modelOutput(output),
    },
    [executeCode.name]: {
      description: executeCode.description,
      inputSchema: executeCode.inputSchema,
      async *execute(input: unknown, call: { toolCallId: string; abortSignal?: AbortSignal }): AsyncGenerator<ExecuteCodeOutput> {
        const { toolCallId: callId, abortSignal: signal } = call;
        const result = executeCode.run(input, { callId, ...(signal && { signal }) });
        yield* progressOf(session, callId, result);
        yield answer(await result);
      },
      toModelOutput: ({ output }: { output: ExecuteCodeOutput }) => modelOutput(output),
    },
  } as ToolSet;
}

/** Status changes of a run until `end` settles, from the store that the trace reads too. */
async function* progressOf(session: Session, runId: string, end: Promise<unknown>): AsyncGenerator<RunProgress> {
  let wake = (): void => {};
  let ended = false;
  const stop = session.store.subscribe(() => wake());
  const finish = (): void => {
    ended = true;
    wake();
  };
  end.then(finish, finish);
  try {
    let shown = '';
    while (!ended) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const progress = progressNow(session, runId);
      const text = JSON.stringify(progress);
      if (progress && text !== shown) {
        shown = text;
        yield progress;
      }
      if (!ended) await changed;
    }
  } finally {
    stop();
  }
}

function progressNow(session: Session, runId: string): RunProgress | undefined {
  const state = session.store.getState();
  const run = state.runs[runId];
  if (!run) return undefined;
  const waiting = run.calls.filter((call) => call.status === 'waiting_approval').length;
  return { status: run.status, calls: run.calls.length, waiting };
}

function answer({ ok, text, parts, runId }: ModelResult): RunAnswer {
  return { ok, text, ...(parts && { parts }), started: runId !== undefined };
}

/** A part that never got past its progress belongs to a run that was stopped with the chat. */
function modelOutput(output: ExecuteCodeOutput): AiSdkOutput {
  if ('text' in output) return toAiSdkOutput(output);
  return { type: 'error-text', value: 'The person stopped this run before it ended. Ask before you run it again.' };
}
