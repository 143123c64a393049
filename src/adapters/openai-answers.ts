import type { MediaPart } from '../session/content-parts.ts';
import type { ModelResult } from '../session/model-tools.ts';
import { dataUrl, isImage, isPdf, mediaOf, type MediaOptions, nameOf } from './media.ts';

/** The answer to one `function_call` of the Responses API. */
export interface OpenAiFunctionOutput {
  type: 'function_call_output';
  call_id: string;
  output: string | OpenAiInput[];
}

export type OpenAiInput =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string };

/** The answer to one tool call of the Chat Completions API; a message of the user with the pictures follows it. */
export type OpenAiChatMessage =
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: 'user'; content: OpenAiChatPart[] };

export type OpenAiChatPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; file: { filename: string; file_data: string } };

/** One item for `input` of the next request of the Responses API. */
export function toOpenAiOutput(callId: string, result: ModelResult, options?: MediaOptions): OpenAiFunctionOutput {
  const media = known(result, options);
  const input = media.map(
    (part): OpenAiInput =>
      isImage(part)
        ? { type: 'input_image', image_url: dataUrl(part), detail: 'auto' }
        : { type: 'input_file', filename: nameOf(part, result), file_data: dataUrl(part) },
  );
  const output = input.length === 0 ? result.text : [{ type: 'input_text' as const, text: result.text }, ...input];
  return { type: 'function_call_output', call_id: callId, output };
}

/**
 * Messages for the Chat Completions API. Answer all tool calls of a turn first: the messages of the user go after the last
 * message of role `tool`.
 */
export function toOpenAiMessages(callId: string, result: ModelResult, options?: MediaOptions): OpenAiChatMessage[] {
  const answer: OpenAiChatMessage = { role: 'tool', tool_call_id: callId, content: result.text };
  const media = known(result, options);
  if (media.length === 0) return [answer];
  const parts = media.map(
    (part): OpenAiChatPart =>
      isImage(part)
        ? { type: 'image_url', image_url: { url: dataUrl(part) } }
        : { type: 'file', file: { filename: nameOf(part, result), file_data: dataUrl(part) } },
  );
  return [answer, { role: 'user', content: [{ type: 'text', text: `Pictures and files of tool call ${callId}:` }, ...parts] }];
}

/** Both APIs take images and PDF, whatever else was accepted. */
function known(result: ModelResult, options: MediaOptions | undefined): readonly MediaPart[] {
  return mediaOf(result, options).filter((part) => isImage(part) || isPdf(part));
}
