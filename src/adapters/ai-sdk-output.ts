import type { ModelResult } from '../session/model-tools.ts';
import { mediaOf, type MediaOptions } from './media.ts';

/** What a tool's `toModelOutput` of the AI SDK gives. */
export type AiSdkOutput =
  | { type: 'text' | 'error-text'; value: string }
  | {
      type: 'content';
      value: (
        | { type: 'text'; text: string }
        | { type: 'file'; mediaType: string; data: { type: 'data'; data: string }; filename?: string }
      )[];
    };

/** An answer for `toModelOutput`: text as text, and pictures and files as content that the model looks at itself. */
export function toAiSdkOutput(result: Pick<ModelResult, 'ok' | 'text' | 'parts'>, options?: MediaOptions): AiSdkOutput {
  const { ok, text } = result;
  if (!ok) return { type: 'error-text', value: text };
  const media = mediaOf(result, options);
  if (media.length === 0) return { type: 'text', value: text };
  return {
    type: 'content',
    value: [
      { type: 'text', text },
      ...media.map(({ mimeType, data, name }) => ({
        type: 'file' as const,
        mediaType: mimeType,
        data: { type: 'data' as const, data },
        ...(name !== undefined && { filename: name }),
      })),
    ],
  };
}
