/** For Anthropic's Messages API. Imports nothing of it. */
export { toAnthropicToolResult } from './adapters/anthropic-answer.ts';
export type { AnthropicBlock, AnthropicToolResult } from './adapters/anthropic-answer.ts';
export type { MediaOptions } from './adapters/media.ts';
