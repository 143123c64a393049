/** One harness session, played through the public API. */
import {
  callById,
  type CodeMode,
  type Decision,
  type Executor,
  type Limits,
  type RunOutcome,
  type Session,
  type Tool,
  createCodeMode,
  isCodeModeError,
  toModelJson,
} from 'react-code-mode/core';

import { exportCall } from '../../src/react/trace/export-run.ts';
import type { Answer, CaseApproval, CaseOptions, CaseResult, CaseRun, CaseTool } from './harness-types.ts';

const MIB = 1024 * 1024;

export function toLimits(options: CaseOptions): Partial<Limits> {
  return {
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.memoryLimitMb === undefined ? {} : { memoryBytes: options.memoryLimitMb * MIB }),
    ...(options.maxOutputChars === undefined ? {} : { maxModelChars: options.maxOutputChars }),
    ...(options.maxToolCalls === undefined ? {} : { maxCalls: options.maxToolCalls }),
  };
}

/** The data of an MCP result: its structured part, else its text, else the result as it is. */
function mcpData(result: unknown): unknown {
  const { structuredContent, content } = (result ?? {}) as {
    structuredContent?: unknown;
    content?: readonly { type: string; text?: string }[];
  };
  if (structuredContent !== undefined) return structuredContent;
  if (content?.length === 1 && content[0]?.type === 'text') return content[0].text;
  return result;
}

export function toTools(tools: Readonly<Record<string, CaseTool>>): Tool[] {
  return Object.entries(tools).map(([name, tool]) => ({
    name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(tool.inputSchema === undefined ? {} : { inputSchema: tool.inputSchema as Tool['inputSchema'] & object }),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema as Tool['outputSchema'] & object }),
    ...(tool.sensitive ? { needsApproval: true } : {}),
    ...(tool.mcp ? { origin: { kind: 'mcp' as const, server: 'cases' } } : {}),
    execute: async (input: unknown, call: { signal: AbortSignal }): Promise<unknown> => {
      const result = await tool.handler(input, { signal: call.signal });
      return tool.mcp ? mcpData(result) : result;
    },
  }));
}

function toDecision(answer: Answer, approval: CaseApproval): Decision {
  if (answer === 'deny') return { kind: 'deny', ...(approval.reason === undefined ? {} : { reason: approval.reason }) };
  if (answer === 'edit') return { kind: 'allow', input: approval.input };
  return { kind: 'allow', scope: answer === 'allowRun' ? 'run' : 'once' };
}

/** Puts every call that waits to the harness, once. @returns stop watching. */
function answerApprovals(session: Session, run: CaseRun, runId: () => string): () => void {
  const asked = new Set<string>();
  const ask = async (callId: string): Promise<void> => {
    const call = callById(session.store.getState(), callId);
    if (!call?.approval) return;
    const approval = await run.onApproval({ id: callId, tool: call.tool, input: await session.readValue(call.approval.input) });
    await session.decide(callId, toDecision(approval.decision, approval));
    for (const answer of approval.again ?? []) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await session.decide(callId, toDecision(answer, approval));
    }
  };
  const look = (): void => {
    const state = session.store.getState();
    for (const callId of state.pending) {
      if (asked.has(callId) || callById(state, callId)?.runId !== runId()) continue;
      asked.add(callId);
      void ask(callId);
    }
  };
  const stop = session.store.subscribe(look);
  look();
  return stop;
}

function toStatus(outcome: RunOutcome): CaseResult['status'] {
  if (outcome.status === 'completed') return 'ok';
  if (outcome.status === 'cancelled') return 'aborted';
  const named: Partial<Record<string, CaseResult['status']>> = {
    timeout: 'timeout',
    memory_limit: 'memory',
    cancelled: 'aborted',
  };
  return named[outcome.error.code] ?? 'error';
}

async function toResult(
  session: Session,
  runId: string,
  outcome: RunOutcome,
  text: string,
  redact: boolean,
): Promise<CaseResult> {
  const value = outcome.status === 'completed' ? toModelJson(outcome.value) : undefined;
  const state = session.store.getState();
  return {
    status: toStatus(outcome),
    value,
    hasValue: value !== undefined,
    ...(outcome.status === 'completed' ? {} : { error: text }),
    ...(outcome.status === 'failed' && outcome.error.site ? { errorLine: outcome.error.site.line } : {}),
    logs: outcome.output.flatMap((item) => (item.kind === 'console' ? [item.text] : [])),
    warnings: outcome.warnings.map((warning) => warning.message),
    truncated:
      outcome.warnings.some((warning) => warning.code === 'output_truncated' || warning.code === 'value_truncated') ||
      /truncated/i.test(text),
    // What the trace panel shows and copies of each call.
    trace: await Promise.all((state.runs[runId]?.calls ?? []).map((call) => exportCall(session, call, { mask: redact }))),
    outputText: text,
    pendingRequests: state.pending.filter((id) => callById(state, id)?.runId === runId).length,
  };
}

const rejected = (error: unknown): CaseResult => ({
  status: 'reject',
  hasValue: false,
  error: error instanceof Error ? error.message : String(error),
  logs: [],
  warnings: [],
  truncated: false,
  trace: [],
  outputText: '',
  pendingRequests: 0,
});

interface Open {
  readonly codeMode: CodeMode;
  readonly session: Session;
  busy: boolean;
}

/** The product as the harness sees it. `executor` outlives the code modes made on it. */
export class Product {
  readonly #executor: Executor;
  readonly #open: Open[] = [];

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** A free code mode with these tools and limits; a second one only while the first is at work. */
  #take(run: CaseRun): Open {
    const options = {
      tools: toTools(run.tools),
      limits: toLimits(run.options),
      // Tools of a server are asked about by default; the cases mean the server to be trusted unless the tool is sensitive.
      policy: Object.entries(run.tools).flatMap(([name, tool]) =>
        tool.mcp && !tool.sensitive ? [{ match: name, effect: 'allow' as const }] : [],
      ),
    };
    const free = this.#open.find((open) => !open.busy);
    if (free) {
      free.codeMode.update(options);
      return free;
    }
    const codeMode = createCodeMode({ ...options, executor: this.#executor });
    const open = { codeMode, session: codeMode.session(), busy: false };
    this.#open.push(open);
    return open;
  }

  async run(run: CaseRun): Promise<CaseResult> {
    let open: Open;
    try {
      open = this.#take(run);
    } catch (error) {
      if (isCodeModeError(error)) return rejected(error);
      throw error;
    }
    open.busy = true;
    const runId = crypto.randomUUID();
    const stop = answerApprovals(open.session, run, () => runId);
    try {
      const result = await open.session.modelTools.executeCode.run({ code: run.code }, { callId: runId, signal: run.signal });
      return result.outcome
        ? await toResult(open.session, runId, result.outcome, result.text, run.options.redact === true)
        : rejected(result.text);
    } finally {
      // Later decisions of the harness still go to `decide`; no new questions are put.
      stop();
      open.busy = false;
    }
  }

  async dispose(): Promise<void> {
    for (const { codeMode } of this.#open) await codeMode[Symbol.asyncDispose]();
    await this.#executor[Symbol.asyncDispose]();
  }
}
