'use client';
import type React from 'react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createGuardMachine, type GuardMachine, type GuardPolicy } from './guard.ts';
import { isEditable } from './typing.ts';

/** Props of a button that decides. */
export interface DecisionProps {
  readonly 'aria-disabled': boolean;
  readonly 'data-cm-decision': string;
  onClick(event: React.MouseEvent<HTMLElement>): void;
}

export interface Guard {
  /** Decisions count now. */
  readonly ready: boolean;
  /** Spreads on a button; `decide` runs only for a click that counts. `blocked` keeps it inactive for other reasons. */
  button(decide: () => void, blocked?: boolean): DecisionProps;
  /** For a field whose Enter decides. Not the form's submit event: scripts make trusted ones, and a held key makes many. */
  enter(decide: () => void): (event: React.KeyboardEvent) => void;
  /** Whether this event, which is not a click on a button of ours, may decide. */
  allows(event: Event): boolean;
}

const DECISION = '[data-cm-decision]';
const HARMLESS = new Set(['Tab', 'Shift', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);

/**
 * Guards decision buttons against clicks and keys meant for something else. Each new `question` (`undefined`: none is
 * shown) begins a new quiet period.
 * @throws Error for a test guard in a production build
 */
export function useGuard(question: string | undefined, policy: GuardPolicy = {}): Guard {
  const { periodMs, acceptsUntrusted } = policy;
  if (acceptsUntrusted && isProduction()) throw new Error(REFUSED);
  const machine = useMemo(() => createGuardMachine({ periodMs, acceptsUntrusted }), [periodMs, acceptsUntrusted]);
  const [openFor, setOpenFor] = useState<string>();
  const opened = useCallback(() => setOpenFor(question), [question]);

  useEffect(() => {
    if (question === undefined) return undefined;
    const stop = watchQuestion(machine, opened);
    return () => {
      stop();
      // The same question may come again, after "later": it is not ready because it once was.
      setOpenFor(undefined);
    };
  }, [machine, question, opened]);

  const ready = question !== undefined && openFor === question;
  return useMemo(
    () => ({
      ready,
      button: (decide, blocked = false) => ({
        'aria-disabled': !ready || blocked,
        'data-cm-decision': '',
        onClick(event) {
          const { nativeEvent, currentTarget } = event;
          const accepted = machine.accepts({
            button: currentTarget,
            trusted: nativeEvent.isTrusted,
            pointer: isPointerClick(nativeEvent),
            at: performance.now(),
          });
          // `ready` is of the question that was rendered; the machine may still be the one before it.
          if (accepted && ready && !blocked) decide();
          else event.preventDefault();
        },
      }),
      enter: (decide) => (event) => {
        const { nativeEvent } = event;
        if (event.key !== 'Enter' || nativeEvent.isComposing) return;
        event.preventDefault();
        if (nativeEvent.repeat || !(nativeEvent.isTrusted || acceptsUntrusted === true)) return;
        if (ready && machine.isOpen(performance.now())) decide();
      },
      allows: (event) => (event.isTrusted || acceptsUntrusted === true) && machine.isOpen(performance.now()),
    }),
    [machine, ready, acceptsUntrusted],
  );
}

const REFUSED =
  'A guard for tests was given to the approval dialog of a production build. It lets scripts approve calls, so it is refused. Remove the `guard` prop.';

/** Bundlers put the value in; where nobody did, the answer is the careful one. */
export function isProduction(): boolean {
  try {
    return process.env['NODE_ENV'] === 'production';
  } catch {
    return true;
  }
}

/** Click events are pointer events in current browsers: a keyboard's or a screen reader's carries no pointer type. */
function isPointerClick(event: MouseEvent): boolean {
  const { pointerType } = event as PointerEvent;
  return pointerType !== undefined && pointerType !== '';
}

/** Runs the quiet period of one question; the returned function ends it. */
function watchQuestion(machine: GuardMachine, opened: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  const now = (): number => performance.now();
  const wait = (): void => {
    clearTimeout(timer);
    const left = machine.remaining(now());
    if (left !== undefined) timer = setTimeout(() => (machine.isOpen(now()) ? opened() : wait()), left);
  };
  // Two frames: after the first the browser has the content, after the second it was on screen.
  const paint = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        machine.painted(now());
        wait();
      });
    });
  };
  const decisionAt = (event: Event): object | undefined =>
    (event.target instanceof Element && event.target.closest(DECISION)) || undefined;
  const disturb = (): void => {
    if (machine.disturb(now())) wait();
  };

  const handlers: Readonly<Record<string, (event: never) => void>> = {
    pointerdown: (event: PointerEvent) => {
      machine.pointerDown(decisionAt(event), now());
      disturb();
    },
    pointerup: () => machine.pointerUp(now()),
    pointercancel: () => machine.pointerCancel(),
    keydown: (event: KeyboardEvent) => onKeyDown(event, machine, decisionAt(event), disturb),
    keyup: () => machine.keyUp(now()),
    visibilitychange: () => {
      if (document.visibilityState === 'visible' && !machine.isOpen(now())) paint();
    },
  };
  for (const [type, handler] of Object.entries(handlers))
    document.addEventListener(type, handler as (event: Event) => void, true);
  machine.close();
  paint();
  return () => {
    for (const [type, handler] of Object.entries(handlers))
      document.removeEventListener(type, handler as (event: Event) => void, true);
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    machine.close();
  };
}

function onKeyDown(event: KeyboardEvent, machine: GuardMachine, button: object | undefined, disturb: () => void): void {
  if (event.key === 'Enter' || event.key === ' ') {
    machine.keyDown(button, event.repeat, performance.now());
    // A key held down clicks again and again, in whatever has the focus by then.
    if (event.repeat && button) event.preventDefault();
  }
  const ownField = isEditable(event.target) && event.target.closest('[data-cm-dialog]') !== null;
  if (!HARMLESS.has(event.key) && !ownField) disturb();
}
