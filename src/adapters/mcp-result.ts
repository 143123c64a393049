import type { ModelResult } from '../session/model-tools.ts';
import { isImage, mediaOf, type MediaOptions, nameOf } from './media.ts';

/** What `tools/call` of the Model Context Protocol gives. */
export interface McpToolResult {
  content: McpContent[];
  isError: boolean;
}

export type McpContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; blob: string } };

const ANY: MediaOptions = { accepts: () => true };

/** An answer as content of MCP, which takes any kind of file. */
export function toMcpResult(result: ModelResult, options: MediaOptions = ANY): McpToolResult {
  const media = mediaOf(result, options).map((part): McpContent => {
    const { mimeType, data } = part;
    if (isImage(part)) return { type: 'image', data, mimeType };
    if (mimeType.toLowerCase().startsWith('audio/')) return { type: 'audio', data, mimeType };
    return {
      type: 'resource',
      resource: { uri: `attachment:${encodeURIComponent(nameOf(part, result))}`, mimeType, blob: data },
    };
  });
  return { content: [{ type: 'text', text: result.text }, ...media], isError: !result.ok };
}
