import type { ContentPart, MediaPart } from '../session/content-parts.ts';
import type { ModelResult } from '../session/model-tools.ts';

export interface MediaOptions {
  /**
   * What the model can look at. A request with a part that it cannot take fails as a whole.
   * @default PNG, JPEG, GIF and WebP images, and PDF: what the models with eyes have in common
   */
  readonly accepts?: (mimeType: string) => boolean;
}

const COMMON = /^(?:image\/(?:png|jpe?g|gif|webp)|application\/pdf)$/i;

/** The pictures and files of an answer that are handed over as such. */
export function mediaOf(
  { parts = [] }: Pick<ModelResult, 'parts'>,
  { accepts = isCommon }: MediaOptions = {},
): readonly MediaPart[] {
  return parts.filter(isMedia).filter(({ mimeType }) => accepts(mimeType));
}

export function isPdf({ mimeType }: MediaPart): boolean {
  return mimeType.toLowerCase() === 'application/pdf';
}

export function isImage({ mimeType }: MediaPart): boolean {
  return mimeType.toLowerCase().startsWith('image/');
}

export function dataUrl({ mimeType, data }: MediaPart): string {
  return `data:${mimeType};base64,${data}`;
}

/** A name for where one is needed: `part-2.png`, as the mark in the text calls it. */
export function nameOf(part: MediaPart, { parts = [] }: Pick<ModelResult, 'parts'>): string {
  return part.name ?? `part-${parts.indexOf(part) + 1}.${/[\w-]+$/.exec(part.mimeType)?.[0] ?? 'bin'}`;
}

function isCommon(mimeType: string): boolean {
  return COMMON.test(mimeType);
}

function isMedia(part: ContentPart): part is MediaPart {
  return part.type !== 'text';
}
