'use client';
import { type ReactElement, useId } from 'react';

export interface JsonFieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string | undefined;
  /** Why the text is no JSON. */
  readonly problem: string | undefined;
  /** The value was refused; the list with that id says why. */
  readonly isInvalid: boolean;
  readonly problemsId: string;
  readonly onChange: (text: string) => void;
}

/** A value as JSON text. */
export function JsonField({ label, value, hint, problem, isInvalid, problemsId, onChange }: JsonFieldProps): ReactElement {
  const id = useId();
  return (
    <>
      <label className="cm-label" htmlFor={`${id}json`}>
        {label}
      </label>
      <textarea
        id={`${id}json`}
        className="cm-textarea cm-code"
        dir="ltr"
        rows={Math.min(14, Math.max(4, value.split('\n').length + 1))}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isInvalid || problem !== undefined}
        aria-describedby={`${id}hint ${id}problem ${problemsId}`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <p className="cm-muted cm-small" id={`${id}hint`}>
        {hint}
      </p>
      <p className="cm-problems" id={`${id}problem`} role="alert">
        {problem}
      </p>
    </>
  );
}
