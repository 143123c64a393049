'use client';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import type { Labels } from '../labels.ts';
import { foldBlankLines, visibleParts } from './visible-text.ts';

export interface TextProps {
  readonly value: string;
  readonly labels: Labels;
  /** Runs of empty lines become one line that counts them. */
  readonly foldBlank?: boolean;
}

/** Text from a program, a tool or a model: text nodes only, isolated from its surroundings, hidden characters shown. */
export function Text({ value, labels, foldBlank = false }: TextProps): ReactElement {
  const text = foldBlank ? foldBlankLines(value, labels.emptyLines) : value;
  return (
    <bdi className="cm-text">
      <VisibleText value={text} labels={labels} />
    </bdi>
  );
}

/** `VisibleText`, and plain text as it is: no component for what needs none. */
export function visibleNode(value: string, labels: Labels): ReactNode {
  return visibleParts(value).some((part) => part.name) ? <VisibleText value={value} labels={labels} /> : value;
}

/** The same without isolation, for pieces of one line. */
export function VisibleText({ value, labels }: Pick<TextProps, 'value' | 'labels'>): ReactElement {
  return (
    <>
      {visibleParts(value).map((part, at) =>
        part.name ? (
          <span key={at} className="cm-invisible" title={labels.invisible(part.name)}>
            {part.text}
          </span>
        ) : (
          <Fragment key={at}>{part.text}</Fragment>
        ),
      )}
    </>
  );
}
