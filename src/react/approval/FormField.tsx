'use client';
import { type ReactElement, useState } from 'react';
import type { Labels } from '../labels.ts';
import { Text } from '../text/Text.tsx';
import type { FieldShape } from './form-fields.ts';

export interface FormFieldProps {
  readonly id: string;
  readonly field: FieldShape;
  readonly value: unknown;
  readonly labels: Labels;
  /** Holds a marker for a masked value: what is typed takes its place, an empty field brings it back. */
  readonly isSecret: boolean;
  readonly issues: readonly string[];
  readonly onChange: (value: unknown) => void;
  readonly onProblem: (bad: boolean) => void;
}

/** One field with its name, what is wrong with it, and the control that fits its kind. */
export function FormField(props: FormFieldProps): ReactElement {
  const { id, field, labels, issues } = props;
  const [problem, setProblem] = useState<string>();
  const report = (words: string | undefined): void => {
    setProblem(words);
    props.onProblem(words !== undefined);
  };
  const wrong = problem === undefined ? issues : [problem];
  const described = [field.description !== undefined && `${id}about`, wrong.length > 0 && `${id}wrong`].filter(Boolean).join(' ');
  const control: ControlProps = {
    ...props,
    report,
    attributes: {
      id,
      'aria-invalid': wrong.length > 0,
      'aria-describedby': described === '' ? undefined : described,
      'aria-required': field.required,
    },
  };
  return (
    <div className="cm-form-field" data-invalid={wrong.length > 0 || undefined}>
      <label className="cm-label" htmlFor={id}>
        <Text value={field.name} labels={labels} />
        {!field.required && <span className="cm-muted">{labels.optional}</span>}
      </label>
      <Control {...control} />
      {field.description !== undefined && (
        <p className="cm-muted cm-small" id={`${id}about`}>
          <Text value={field.description} labels={labels} />
        </p>
      )}
      {wrong.length > 0 && (
        <p className="cm-problems" id={`${id}wrong`}>
          {wrong.map((words, at) => (
            <Text key={at} value={words} labels={labels} />
          ))}
        </p>
      )}
    </div>
  );
}

interface ControlProps extends FormFieldProps {
  readonly attributes: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-required': boolean;
  };
  readonly report: (problem: string | undefined) => void;
}

function Control(props: ControlProps): ReactElement {
  // What is typed over a masked value is not a marker any more; the field stays the same one.
  const [isSecret] = useState(props.isSecret);
  switch (props.field.kind) {
    case 'boolean':
      return <YesNo {...props} />;
    case 'choice':
      return <Choice {...props} />;
    case 'number':
      return <Parsed {...props} parse={asNumber} show={(value) => String(value)} wrong={props.labels.fieldNumber} />;
    case 'json':
    case 'group':
      return (
        <Parsed {...props} parse={asJson} show={(value) => JSON.stringify(value, null, 2)} wrong={props.labels.fieldJson} long />
      );
    case 'text':
      return isSecret ? <Hidden {...props} /> : <Words {...props} />;
  }
}

function YesNo({ attributes: { 'aria-required': _, ...attributes }, value, onChange }: ControlProps): ReactElement {
  return <input {...attributes} type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />;
}

function Choice({ attributes, field, value, labels, onChange }: ControlProps): ReactElement {
  const given = typeof value === 'string' ? value : '';
  const choices = value === undefined || field.choices.includes(given) ? field.choices : [given, ...field.choices];
  return (
    <select
      {...attributes}
      className="cm-select"
      value={given}
      onChange={(event) => onChange(event.target.value === '' && !field.choices.includes('') ? undefined : event.target.value)}
    >
      {(value === undefined || !field.required) && <option value="">{labels.fieldAbsent}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}

function Words({ attributes, field, value, labels, onChange }: ControlProps): ReactElement {
  const [wasAbsent] = useState(value === undefined);
  const text = typeof value === 'string' ? value : '';
  const change = (next: string): void => onChange(next === '' && wasAbsent && !field.required ? undefined : next);
  const shared = {
    ...attributes,
    dir: 'auto' as const,
    value: text,
    placeholder: value === undefined ? labels.fieldAbsent : undefined,
    autoComplete: 'off',
    onChange: (event: { readonly target: { readonly value: string } }) => change(event.target.value),
  };
  return text.length > 60 || text.includes('\n') ? (
    <textarea {...shared} className="cm-textarea" rows={Math.min(8, Math.max(3, text.split('\n').length + 1))} />
  ) : (
    <input {...shared} className="cm-input" />
  );
}

/** A masked value: never shown; something else can be put in its place. */
function Hidden({ attributes, value, labels, onChange }: ControlProps): ReactElement {
  const [marker] = useState(value);
  const [text, setText] = useState('');
  return (
    <input
      {...attributes}
      className="cm-input"
      value={text}
      placeholder={labels.fieldSecret}
      autoComplete="off"
      onChange={(event) => {
        setText(event.target.value);
        onChange(event.target.value === '' ? marker : event.target.value);
      }}
    />
  );
}

interface ParsedProps extends ControlProps {
  readonly parse: (text: string) => { readonly value: unknown } | undefined;
  readonly show: (value: unknown) => string;
  readonly wrong: string;
  readonly long?: boolean;
}

/** Keeps the text as typed and hands on its value; while it is none, nothing is sent. */
function Parsed({ attributes, field, value, labels, onChange, report, parse, show, wrong, long }: ParsedProps): ReactElement {
  const [text, setText] = useState(value === undefined ? '' : show(value));
  const change = (next: string): void => {
    setText(next);
    const isAbsent = next.trim() === '' && !field.required;
    const parsed = isAbsent ? { value: undefined } : parse(next);
    report(parsed ? undefined : wrong);
    if (parsed) onChange(parsed.value);
  };
  const shared = {
    ...attributes,
    value: text,
    placeholder: value === undefined ? labels.fieldAbsent : undefined,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { readonly target: { readonly value: string } }) => change(event.target.value),
  };
  return long ? (
    <textarea {...shared} dir="ltr" className="cm-textarea cm-code" rows={Math.min(8, text.split('\n').length + 1)} />
  ) : (
    <input {...shared} className="cm-input" inputMode="decimal" />
  );
}

function asNumber(text: string): { value: number } | undefined {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? undefined : { value };
}

function asJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
