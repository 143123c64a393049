'use client';
import { type ReactElement, useId, useRef, useState } from 'react';
import type { Labels } from '../labels.ts';
import { useFocusBack } from './use-focus-back.ts';
import type { Guard } from './use-guard.ts';

export interface DenyActionsProps {
  readonly guard: Guard;
  readonly deciding: boolean;
  readonly labels: Labels;
  /** Who reads the reason. */
  readonly hint: string;
  /** Words of the button. */
  readonly deny: string;
  readonly onBack: () => void;
  readonly onDeny: (reason: string | undefined) => void;
}

/** A reason, and the button that says no. */
export function DenyActions({ guard, deciding, labels, hint, deny, onBack, onDeny }: DenyActionsProps): ReactElement {
  const [reason, setReason] = useState('');
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  useFocusBack(form, 'deny-open');
  const send = (): void => onDeny(reason.trim() === '' ? undefined : reason.trim());
  return (
    <form ref={form} className="cm-deny" onSubmit={(event) => event.preventDefault()}>
      <label className="cm-label" htmlFor={`${id}reason`}>
        {labels.reason}
        <span className="cm-muted">{hint}</span>
      </label>
      {/* The person asked for this field one click ago. */}
      <input
        id={`${id}reason`}
        className="cm-input"
        ref={focusOnce}
        value={reason}
        autoComplete="off"
        maxLength={500}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={guard.enter(() => !deciding && send())}
      />
      <div className="cm-actions">
        <span className="cm-spring" />
        <button type="button" className="cm-button" data-action="back" onClick={onBack}>
          {labels.back}
        </button>
        <button type="button" className="cm-button" data-kind="primary" data-action="deny" {...guard.button(send, deciding)}>
          {deny}
        </button>
      </div>
    </form>
  );
}

const focusOnce = (field: HTMLInputElement | null): void => field?.focus();
