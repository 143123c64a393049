import { type ReactElement, useId } from 'react';

export interface OptionProps {
  /** Of the group: one of them is checked. */
  readonly name: string;
  readonly checked: boolean;
  onCheck(): void;
  readonly label: string;
  readonly children: string;
}

/** One of several choices, with a sentence about it. */
export function Option({ name, checked, onCheck, label, children }: OptionProps): ReactElement {
  const hint = useId();
  return (
    <label className="option">
      <input type="radio" name={name} checked={checked} onChange={onCheck} aria-describedby={hint} aria-label={label} />
      <span>
        <span className="option-label">{label}</span>
        <span id={hint} className="hint">
          {children}
        </span>
      </span>
    </label>
  );
}
