/** For OpenAI's Responses and Chat Completions APIs, and those like them. Imports nothing of theirs. */
export { toOpenAiMessages, toOpenAiOutput } from './adapters/openai-answers.ts';
export type { OpenAiChatMessage, OpenAiChatPart, OpenAiFunctionOutput, OpenAiInput } from './adapters/openai-answers.ts';
export type { MediaOptions } from './adapters/media.ts';
