'use client';
import type { ReactElement } from 'react';
import { useDialog } from './dialog-context.ts';
import { Quoted } from './Quoted.tsx';

/** Longest description shown, characters: some are written for models and run to pages. */
const MAX_CHARS = 280;

/** What a tool says of itself, quoted, where the application has no words for its calls. */
export function ToolWords(): ReactElement | null {
  const { approval, request, labels } = useDialog();
  const facts = approval.session?.tool?.(request.call.tool);
  const words = facts?.worded === false ? facts.description.trim() : '';
  if (words === '') return null;
  const shown = words.length > MAX_CHARS ? `${words.slice(0, MAX_CHARS).trimEnd()}…` : words;
  return <Quoted data-part="tool-words" caption={labels.toolSays} words={shown} labels={labels} />;
}
