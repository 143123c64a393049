'use client';
import { memo, type NamedExoticComponent, type ReactElement, useCallback, useEffect, useRef } from 'react';
import type { RunView } from '../../store/state.ts';
import { ProgramLine } from '../program/ProgramLine.tsx';
import { type TokenLine, useTokenLines } from '../program/tokens.ts';
import { useIsLinked, useTraceModel } from './trace-context.ts';
import { useRowWindow } from './use-row-window.ts';

export interface TraceProgramProps {
  readonly run: RunView;
  /** Lines at work now, or of the selected row. */
  readonly active: readonly number[];
  /** Line of the selected row, brought into sight. */
  readonly focusLine: number | undefined;
  /** Lines that have a row. */
  readonly lines: ReadonlySet<number>;
  readonly onPick: (line: number) => void;
}

const LINE_HEIGHT = 24;
/** A listing that scrolls must be reachable by keyboard, in engines that do not see to it themselves. */
const REACHABLE = { tabIndex: 0 };

/** The program with its active lines lit; a line's number goes to what it did. Only lines in sight are rendered. */
export function TraceProgram({ run, active, focusLine, lines: withRows, onPick }: TraceProgramProps): ReactElement {
  const { labels } = useTraceModel();
  const lines = useTokenLines(run.source);
  const pick = useLatest(onPick);
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to, show } = useRowWindow(scroller, lines.length, LINE_HEIGHT, false);
  const wanted = focusLine ?? active.at(-1);
  useEffect(() => {
    if (wanted === undefined) return undefined;
    // A frame later: opening the details may just have made the listing smaller.
    const frame = requestAnimationFrame(() => show(wanted - 1));
    return () => cancelAnimationFrame(frame);
    // Only a new line moves the listing; scrolling by hand stays as it is.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [wanted, focusLine]);
  return (
    <div
      ref={scroller}
      className="cm-listing"
      role="group"
      aria-label={labels.program}
      {...REACHABLE}
      dir="ltr"
      data-part="program"
    >
      <div className="cm-listing-space" style={{ blockSize: lines.length * LINE_HEIGHT }}>
        {lines.slice(from, to).map((tokens, at) => {
          const number = from + at + 1;
          return (
            <ListingLine
              key={number}
              number={number}
              top={(number - 1) * LINE_HEIGHT}
              tokens={tokens}
              marked={active.includes(number) || number === focusLine}
              onPick={withRows.has(number) ? pick : undefined}
            />
          );
        })}
      </div>
    </div>
  );
}

interface ListingLineProps {
  readonly number: number;
  readonly top: number;
  readonly tokens: TokenLine;
  readonly marked: boolean;
  readonly onPick: ((line: number) => void) | undefined;
}

const ListingLine: NamedExoticComponent<ListingLineProps> = memo(function ListingLine({
  number,
  top,
  tokens,
  marked,
  onPick,
}: ListingLineProps) {
  const { labels, links } = useTraceModel();
  const linked = useIsLinked(number);
  return (
    <div
      className="cm-listing-line"
      style={{ transform: `translateY(${top}px)` }}
      onPointerEnter={() => links.setState({ line: number })}
      onPointerLeave={() => links.setState({ line: undefined })}
    >
      <ProgramLine number={number} tokens={tokens} labels={labels} marked={marked} linked={linked} onPick={onPick} />
    </div>
  );
});

/** The same function in every render, calling what was given last. */
function useLatest(callback: (line: number) => void): (line: number) => void {
  const latest = useRef(callback);
  useEffect(() => {
    latest.current = callback;
  });
  return useCallback((line: number) => latest.current(line), []);
}
