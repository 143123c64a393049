import type { ModelResult } from '../session/model-tools.ts';
import { isImage, isPdf, mediaOf, type MediaOptions } from './media.ts';

/** The answer to one `tool_use` block of the Messages API; those of a turn go into one message of the user. */
export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  is_error: boolean;
  content: string | AnthropicBlock[];
}

type Source<M extends string> = { type: 'base64'; media_type: M; data: string };

export type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: Source<'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'> }
  | { type: 'document'; source: Source<'application/pdf'>; title?: string };

/** A block for the next message: text, images and PDF documents. Other files are named in the text. */
export function toAnthropicToolResult(toolUseId: string, result: ModelResult, options?: MediaOptions): AnthropicToolResult {
  const blocks = mediaOf(result, options).flatMap((part): AnthropicBlock[] => {
    const { data, name } = part;
    if (isPdf(part))
      return [
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data },
          ...(name !== undefined && { title: name }),
        },
      ];
    const media = isImage(part) ? imageType(part.mimeType) : undefined;
    return media ? [{ type: 'image', source: { type: 'base64', media_type: media, data } }] : [];
  });
  // An error may hold text only.
  const content = blocks.length === 0 || !result.ok ? result.text : [{ type: 'text' as const, text: result.text }, ...blocks];
  return { type: 'tool_result', tool_use_id: toolUseId, is_error: !result.ok, content };
}

/** The four that the API takes, by their proper names. */
function imageType(mimeType: string): 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | undefined {
  switch (mimeType.toLowerCase()) {
    case 'image/png':
      return 'image/png';
    case 'image/jpg':
    case 'image/jpeg':
      return 'image/jpeg';
    case 'image/gif':
      return 'image/gif';
    case 'image/webp':
      return 'image/webp';
    default:
      return undefined;
  }
}
