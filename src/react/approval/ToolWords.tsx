'use client';
import type { ReactElement } from 'react';
import { Icon } from '../Icon.tsx';
import { Text } from '../text/Text.tsx';
import { useDialog } from './dialog-context.ts';

/** Longest description shown, characters: some are written for models and run to pages. */
const MAX_CHARS = 280;

/** What a tool says of itself, quoted, where the application has no words for its calls. */
export function ToolWords(): ReactElement | null {
  const { approval, request, labels } = useDialog();
  const facts = approval.session?.tool?.(request.call.tool);
  const words = facts?.worded === false ? facts.description.trim() : '';
  if (words === '') return null;
  return (
    <figure className="cm-intent" data-part="tool-words">
      <figcaption>
        <Icon name="quote" />
        {labels.toolSays}
      </figcaption>
      <blockquote>
        <Text value={words.length > MAX_CHARS ? `${words.slice(0, MAX_CHARS).trimEnd()}…` : words} labels={labels} foldBlank />
      </blockquote>
    </figure>
  );
}
