/** The other entries, for their types; the build leaves this file out. */
import type { Tracer } from '@opentelemetry/api';
import { toAiSdkOutput } from 'react-code-mode/ai-sdk';
import { toAnthropicToolResult } from 'react-code-mode/anthropic';
import type { ModelResult, RunOutcome, Session } from 'react-code-mode/core';
import { importRunFile, indexedDbStorage } from 'react-code-mode/journal';
import { toMcpResult } from 'react-code-mode/mcp';
import { toOpenAiMessages, toOpenAiOutput } from 'react-code-mode/openai';
import { exportSpans, exportSpansLive } from 'react-code-mode/otel';
import { approve } from 'react-code-mode/testing';

export const storage = indexedDbStorage();
export { approve };

export function traced(session: Session, tracer: Tracer, file: unknown): () => void {
  const written: number = exportSpans(importRunFile(file), tracer, { captureContent: true });
  return exportSpansLive(session.journal, tracer, {
    filter: ({ runId }) => runId !== `${written}`,
    schemas: (tool) => {
      const facts = session.tool?.(tool);
      return facts && { input: facts.inputJsonSchema };
    },
  });
}

export function answers(result: ModelResult): readonly unknown[] {
  return [
    toAiSdkOutput(result),
    toAnthropicToolResult('t', result),
    toMcpResult(result),
    toOpenAiOutput('c', result),
    ...toOpenAiMessages('c', result),
  ];
}

export function metadata({ calls }: RunOutcome): readonly object[] {
  return calls.map(({ callId, tool, input, output, requestedAt, endedAt = requestedAt }) => ({
    callId,
    tool,
    input,
    output,
    tookMs: endedAt - requestedAt,
  }));
}
