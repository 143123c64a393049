import { type KeyboardEvent, type PointerEvent, type ReactElement, type ReactNode, useRef } from 'react';
import { SPLIT } from './preferences.ts';

export interface SplitProps {
  /** Share of the width that the first side takes, in percent. */
  readonly share: number;
  onShare(share: number): void;
  readonly first: ReactNode;
  readonly second: ReactNode;
}

/** Percent per arrow key. */
const STEP = 2;

/** Two sides and a divider that can be dragged, moved by arrow keys and set back by a double click. */
export function Split({ share, onShare, first, second }: SplitProps): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const set = (value: number): void => onShare(Math.min(SPLIT.max, Math.max(SPLIT.min, Math.round(value))));

  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const from = isRtl(event.currentTarget) ? box.right - event.clientX : event.clientX - box.left;
    set((from / box.width) * 100);
  };
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const next = target(event, share);
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  };

  return (
    <div className="split" ref={frame} style={{ '--split': `${share}%` }}>
      <div className="split-side">{first}</div>
      <div
        className="split-divider"
        // No element stands for a divider that can be moved: hr is the one that cannot.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="separator"
        aria-label="Width of the two sides"
        aria-orientation="vertical"
        aria-valuenow={share}
        aria-valuemin={SPLIT.min}
        aria-valuemax={SPLIT.max}
        aria-valuetext={`${share} percent`}
        // A separator that can be moved is a widget.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={move}
        onDoubleClick={() => set(SPLIT.initial)}
      />
      <div className="split-side">{second}</div>
    </div>
  );
}

function isRtl(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl';
}

function target(event: KeyboardEvent<HTMLDivElement>, share: number): number | undefined {
  const grow = isRtl(event.currentTarget) ? 'ArrowLeft' : 'ArrowRight';
  const shrink = grow === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
  switch (event.key) {
    case grow:
      return share + STEP;
    case shrink:
      return share - STEP;
    case 'Home':
      return SPLIT.min;
    case 'End':
      return SPLIT.max;
    case 'Enter':
      return SPLIT.initial;
    default:
      return undefined;
  }
}
