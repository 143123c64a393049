import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { Answer, Move } from './scripts/script.ts';
import { scriptFor } from './scripts.ts';

/** Nothing is counted, because nothing is tokenised. */
const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/**
 * A model behind the AI SDK's provider interface that follows scripts instead of thinking. Its programs are real, and it
 * goes on from what they really returned.
 *
 * @param pace milliseconds between two pieces of text; 0 streams at once (tests)
 */
export function createScriptedModel(pace = 16): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'playground',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const move = nextMove(prompt);
      const content: LanguageModelV4Content[] = [{ type: 'text', text: move.say }];
      if (move.call) content.push({ type: 'tool-call', ...callOf(move.call) });
      return { content, finishReason: finishOf(move), usage: NO_USAGE, warnings: [] };
    },
    async doStream(options) {
      return { stream: streamOf(options, pace) };
    },
  };
}

function streamOf({ prompt, abortSignal }: LanguageModelV4CallOptions, pace: number): ReadableStream<LanguageModelV4StreamPart> {
  const parts = partsOf(nextMove(prompt), pace, abortSignal);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

async function* partsOf(
  move: Move,
  pace: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart, undefined> {
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: 'text' };
  for (const delta of move.say.match(/\S+\s*/g) ?? []) {
    await beat(pace, signal);
    yield { type: 'text-delta', id: 'text', delta };
  }
  yield { type: 'text-end', id: 'text' };
  if (move.call) {
    const { toolCallId: id, toolName, input } = callOf(move.call);
    yield { type: 'tool-input-start', id, toolName };
    for (const delta of input.match(/[\s\S]{1,40}/g) ?? []) {
      await beat(pace / 2, signal);
      yield { type: 'tool-input-delta', id, delta };
    }
    yield { type: 'tool-input-end', id };
    yield { type: 'tool-call', toolCallId: id, toolName, input };
  }
  yield { type: 'finish', finishReason: finishOf(move), usage: NO_USAGE };
  return undefined;
}

function callOf(call: NonNullable<Move['call']>): { toolCallId: string; toolName: string; input: string } {
  return { toolCallId: `call-${crypto.randomUUID()}`, toolName: call.tool, input: JSON.stringify(call.input) };
}

function finishOf(move: Move): LanguageModelV4FinishReason {
  return { unified: move.call ? 'tool-calls' : 'stop', raw: undefined };
}

/** Reads the last question and every answer of a tool since then, and asks the script what comes next. */
function nextMove(prompt: LanguageModelV4Prompt): Move {
  const asked = prompt.findLastIndex((message) => message.role === 'user');
  const question = prompt[asked];
  const words =
    question?.role === 'user' ? question.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ') : '';
  return scriptFor(words).next(answersIn(prompt.slice(asked + 1)), words);
}

function answersIn(messages: LanguageModelV4Prompt): Answer[] {
  return messages.flatMap((message) => {
    if (message.role !== 'tool') return [];
    return message.content.flatMap((part): Answer[] => {
      if (part.type !== 'tool-result') return [];
      const { output } = part;
      if (output.type === 'text') return [{ ok: true, text: output.value }];
      if (output.type === 'content')
        return [{ ok: true, text: output.value.map((item) => (item.type === 'text' ? item.text : '')).join('') }];
      if (output.type === 'error-text') return [{ ok: false, text: output.value }];
      return [{ ok: false, text: `unexpected answer of kind ${output.type}` }];
    });
  });
}

function beat(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
