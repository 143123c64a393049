import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { SCRIPTED_LABEL, type ModelIssues, type OwnModel, checkModel } from '../chat/own-model.ts';
import { useDesk } from '../desk-context.ts';
import { Option } from './Option.tsx';

const FIELDS = [
  { name: 'url', label: 'Address', hint: 'OpenAI-compatible, for example http://localhost:11434/v1', type: 'text' },
  { name: 'model', label: 'Model', hint: 'As the endpoint names it', type: 'text' },
  { name: 'key', label: 'Key', hint: 'Stays in memory and goes to this address only; gone after a reload', type: 'password' },
] as const;

/** Chooses who answers in the chat. */
export function ModelDialog({ onClose }: { onClose(): void }): ReactElement {
  const { model } = useDesk();
  const current = model.get();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [kind, setKind] = useState<'scripted' | 'own'>(current ? 'own' : 'scripted');
  const [entry, setEntry] = useState<OwnModel>(current ?? { url: '', model: '', key: '' });
  const [issues, setIssues] = useState<ModelIssues>({});

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = kind === 'own' ? checkModel(entry) : {};
    setIssues(found);
    const wrong = FIELDS.find((field) => found[field.name]);
    if (wrong) {
      dialog.current?.querySelector<HTMLInputElement>(`[name=${wrong.name}]`)?.focus();
      return;
    }
    model.set(kind === 'own' ? entry : undefined);
    dialog.current?.close();
  };

  return (
    <dialog ref={dialog} className="panel-dialog" aria-labelledby={title} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <h2 id={title}>Model of the chat</h2>
        <Option name="kind" checked={kind === 'scripted'} onCheck={() => setKind('scripted')} label={SCRIPTED_LABEL}>
          Follows a few fixed conversations, offline. Its programs are real and run like any other.
        </Option>
        <Option name="kind" checked={kind === 'own'} onCheck={() => setKind('own')} label="Your own model">
          Any endpoint that speaks the OpenAI chat protocol and allows requests from this page (CORS).
        </Option>
        {kind === 'own' && (
          <div className="fields">
            {FIELDS.map((field) => (
              <Field
                key={field.name}
                {...field}
                value={entry[field.name]}
                issue={issues[field.name]}
                onChange={(value) => setEntry({ ...entry, [field.name]: value })}
              />
            ))}
          </div>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" className="button primary">
            Use this model
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly type: string;
  readonly value: string;
  readonly issue: string | undefined;
  onChange(value: string): void;
}

function Field({ name, label, hint, type, value, issue, onChange }: FieldProps): ReactElement {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={value}
        aria-invalid={issue !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}-hint`} className={issue ? 'issue' : 'hint'}>
        {issue ?? hint}
      </span>
    </div>
  );
}
