/** For the AI SDK. Imports nothing of it. */
export { toAiSdkOutput } from './adapters/ai-sdk-output.ts';
export type { AiSdkOutput } from './adapters/ai-sdk-output.ts';
export type { MediaOptions } from './adapters/media.ts';
