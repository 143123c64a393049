'use client';
import { memo, type NamedExoticComponent } from 'react';
import type { Labels } from '../labels.ts';
import { VisibleText } from '../text/Text.tsx';
import type { TokenLine } from './tokens.ts';

export interface ProgramLineProps {
  readonly number: number;
  readonly tokens: TokenLine;
  readonly labels: Labels;
  /** The line this is about. */
  readonly marked?: boolean;
  /** Belongs to the row under the pointer. */
  readonly linked?: boolean;
  /** Goes to what this line did; makes its number a button. */
  readonly onPick?: (line: number) => void;
}

/** One line: number, mark, coloured text nodes. */
export const ProgramLine: NamedExoticComponent<ProgramLineProps> = memo(function ProgramLine(props: ProgramLineProps) {
  const { number, tokens, labels, marked, linked, onPick } = props;
  return (
    <span className="cm-line" data-line={number} data-marked={marked || undefined} data-linked={linked || undefined}>
      {onPick ? (
        <button type="button" className="cm-line-number" aria-label={labels.line(number)} onClick={() => onPick(number)}>
          {number}
        </button>
      ) : (
        <span className="cm-line-number" aria-hidden="true">
          {number}
        </span>
      )}
      <span className="cm-line-code" dir="ltr">
        {marked && <span className="cm-hidden">{`${labels.line(number)}: `}</span>}
        {tokens.map((token, at) =>
          token.kind === 'space' ? (
            <VisibleText key={at} value={token.text} labels={labels} />
          ) : (
            <span key={at} data-token={token.kind}>
              <VisibleText value={token.text} labels={labels} />
            </span>
          ),
        )}
        {'\n'}
      </span>
    </span>
  );
});
