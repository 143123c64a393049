'use client';
import type { ReactElement } from 'react';
import type { Labels } from '../labels.ts';
import { ProgramLine } from './ProgramLine.tsx';
import { useTokenLines } from './tokens.ts';

export interface ProgramExcerptProps {
  readonly source: string;
  /** Line to mark, 1-based. */
  readonly line: number | undefined;
  readonly labels: Labels;
  /** Lines shown before and after it. `Infinity` shows all. @default 3 */
  readonly context?: number;
}

/** The lines of a program around one of them. Long lines wrap: nothing is cut. */
export function ProgramExcerpt({ source, line, labels, context = 3 }: ProgramExcerptProps): ReactElement {
  const lines = useTokenLines(source);
  const middle = Math.min(Math.max(line ?? 1, 1), lines.length);
  const from = Math.max(1, middle - context);
  const to = Math.min(lines.length, line === undefined ? context * 2 + 1 : middle + context);
  return (
    <pre className="cm-code" data-part="program" aria-label={labels.program}>
      {lines.slice(from - 1, to).map((tokens, at) => (
        <ProgramLine key={from + at} number={from + at} tokens={tokens} labels={labels} marked={from + at === line} />
      ))}
    </pre>
  );
}
