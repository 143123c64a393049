/** For servers of the Model Context Protocol. Imports nothing of its SDK. */
export { toMcpResult } from './adapters/mcp-result.ts';
export type { McpContent, McpToolResult } from './adapters/mcp-result.ts';
export type { MediaOptions } from './adapters/media.ts';
