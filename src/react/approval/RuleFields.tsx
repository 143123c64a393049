'use client';
import type { ReactElement } from 'react';
import type { Labels } from '../labels.ts';
import { Text } from '../text/Text.tsx';
import { visibleText } from '../text/visible-text.ts';
import type { RuleField, RuleOperator } from './rule-fields.ts';

export interface RuleFieldsProps {
  readonly fields: readonly RuleField[];
  readonly labels: Labels;
  readonly onChange: (fields: readonly RuleField[]) => void;
}

/** The conditions of a rule, one row a field: whether it counts, how it is compared, with what. */
export function RuleFields({ fields, labels, onChange }: RuleFieldsProps): ReactElement {
  const change = (path: string, part: Partial<RuleField>): void =>
    onChange(fields.map((field) => (field.path === path ? { ...field, ...part } : field)));
  return (
    <fieldset className="cm-rule" data-part="rule">
      <legend>{labels.onlyWhere}</legend>
      {fields.map((field) => {
        const name = visibleText(field.path);
        return (
          <div className="cm-rule-row" key={field.path} data-used={field.used || undefined}>
            <label className="cm-check">
              <input
                type="checkbox"
                aria-label={labels.condition(name)}
                checked={field.used}
                onChange={(event) => change(field.path, { used: event.target.checked })}
              />
              <Text value={field.path} labels={labels} />
            </label>
            {typeof field.value === 'number' ? (
              <select
                className="cm-select"
                aria-label={labels.comparison(name)}
                value={field.operator}
                onChange={(event) => change(field.path, { used: true, operator: event.target.value as RuleOperator })}
              >
                {(['<=', '>=', '='] as const).map((operator) => (
                  <option key={operator} value={operator}>
                    {labels.comparisons[operator]}
                  </option>
                ))}
              </select>
            ) : (
              <span className="cm-muted">{labels.comparisons['=']}</span>
            )}
            <input
              className="cm-input"
              aria-label={labels.comparedWith(name)}
              inputMode={typeof field.value === 'number' ? 'decimal' : undefined}
              autoComplete="off"
              spellCheck={false}
              dir="auto"
              value={field.text}
              onChange={(event) => change(field.path, { used: true, text: event.target.value })}
            />
          </div>
        );
      })}
    </fieldset>
  );
}
