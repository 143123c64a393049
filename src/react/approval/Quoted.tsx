'use client';
import type { ReactElement } from 'react';
import { Icon } from '../Icon.tsx';
import type { Labels } from '../labels.ts';
import { Text } from '../text/Text.tsx';

export interface QuotedProps {
  /** Names it for styles and tests. */
  readonly 'data-part': string;
  /** Whose words they are. */
  readonly caption: string;
  readonly words: string;
  readonly labels: Labels;
}

/** Somebody else's words, visibly not the application's. */
export function Quoted({ 'data-part': part, caption, words, labels }: QuotedProps): ReactElement {
  return (
    <figure className="cm-intent" data-part={part}>
      <figcaption>
        <Icon name="quote" />
        {caption}
      </figcaption>
      <blockquote>
        <Text value={words} labels={labels} foldBlank />
      </blockquote>
    </figure>
  );
}
