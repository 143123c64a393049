'use client';
import type React from 'react';
import { type ReactElement, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { visibleText } from '../text/visible-text.ts';
import { meaningId } from './DoubtNote.tsx';
import { useDialog } from './dialog-context.ts';

/** How long *Allow* must be held, ms: longer than any click, short enough to do on purpose. */
export const HOLD_MS = 1_200;

export interface DangerAllowProps {
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
  readonly blocked: boolean;
  readonly onAllow: () => void;
}

/** The second act of a call that is dangerous or may have happened: press and hold, or type the tool's name. */
export function DangerAllow({ buttonRef, blocked, onAllow }: DangerAllowProps): ReactElement {
  const [typing, setTyping] = useState(false);
  return typing ? (
    <TypeToAllow buttonRef={buttonRef} blocked={blocked} onAllow={onAllow} onHold={() => setTyping(false)} />
  ) : (
    <HoldToAllow buttonRef={buttonRef} blocked={blocked} onAllow={onAllow} onType={() => setTyping(true)} />
  );
}

function HoldToAllow({ buttonRef, blocked, onAllow, onType }: DangerAllowProps & { readonly onType: () => void }): ReactElement {
  const { approval, request, labels, titleId } = useDialog();
  const { doubt } = request.approval;
  const { guard } = approval;
  const [holding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [pressed, setPressed] = useState(false);
  // What is true when the time is over decides, not what was true when it began.
  const may = useRef({ blocked, onAllow });
  useEffect(() => {
    may.current = { blocked: blocked || !guard.ready, onAllow };
  });
  const stop = (): void => {
    clearTimeout(timer.current);
    setHolding(false);
  };
  const start = (event: React.SyntheticEvent): void => {
    setPressed(true);
    if (blocked || !guard.ready || !guard.allows(event.nativeEvent)) return;
    setHolding(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setHolding(false);
      if (!may.current.blocked) may.current.onAllow();
    }, HOLD_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const isPress = (event: React.KeyboardEvent): boolean => event.key === 'Enter' || event.key === ' ';
  // A click that no press came before is a screen reader's or a switch's, which cannot hold: it gets the other way.
  const { onClick, ...props } = guard.button(() => {
    if (!pressed) onType();
  }, blocked);
  return (
    <span className="cm-danger">
      <button
        type="button"
        ref={buttonRef}
        className="cm-button cm-hold"
        data-kind="danger"
        data-action="allow"
        data-holding={holding || undefined}
        aria-describedby={doubt && meaningId(titleId, 'run')}
        {...props}
        onClick={(event) => {
          onClick(event);
          setPressed(false);
        }}
        onPointerDown={(event) => event.button === 0 && start(event)}
        onPointerUp={stop}
        onPointerLeave={stop}
        onPointerCancel={stop}
        onContextMenu={(event) => holding && event.preventDefault()}
        onBlur={stop}
        onKeyDown={(event) => {
          if (!isPress(event)) return;
          event.preventDefault();
          if (!event.repeat) start(event);
        }}
        onKeyUp={(event) => {
          if (!isPress(event)) return;
          event.preventDefault();
          setPressed(false);
          stop();
        }}
      >
        <span className="cm-hold-words">
          {/* Both stand in one place, so that the button keeps its size. */}
          <span aria-hidden={holding}>{doubt ? labels.doubt.holdToRun : labels.holdToAllow}</span>
          <span aria-hidden={!holding}>{labels.keepHolding}</span>
        </span>
      </button>
      <button type="button" className="cm-link" onClick={onType}>
        {labels.typeInstead}
      </button>
    </span>
  );
}

function TypeToAllow({ buttonRef, blocked, onAllow, onHold }: DangerAllowProps & { readonly onHold: () => void }): ReactElement {
  const { approval, request, labels } = useDialog();
  const [typed, setTyped] = useState('');
  const { doubt } = request.approval;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const wanted = visibleText(request.call.tool);
  const ready = typed.trim() === wanted && !blocked;
  return (
    <form className="cm-danger" onSubmit={(event) => event.preventDefault()}>
      <label className="cm-label" htmlFor={`${id}type`}>
        {doubt ? labels.doubt.typeToRun(wanted) : labels.typeToAllow(wanted)}
      </label>
      <input
        id={`${id}type`}
        ref={field}
        className="cm-input cm-code"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={approval.guard.enter(() => ready && onAllow())}
      />
      <button
        type="button"
        ref={buttonRef}
        className="cm-button"
        data-kind="danger"
        data-action="allow"
        {...approval.guard.button(onAllow, !ready)}
      >
        {doubt ? labels.doubt.run : labels.allow}
      </button>
      <button type="button" className="cm-link" onClick={onHold}>
        {labels.holdInstead}
      </button>
    </form>
  );
}
