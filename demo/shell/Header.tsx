import { type ReactElement, type ReactNode, useId, useState, useSyncExternalStore } from 'react';
import { SCRIPTED_LABEL } from '../chat/own-model.ts';
import { useDesk } from '../desk-context.ts';
import { ApprovalSettings } from './ApprovalSettings.tsx';
import { Icon } from './Icon.tsx';
import { ModelDialog } from './ModelDialog.tsx';
import type { Preferences } from './preferences.ts';

export interface HeaderProps {
  readonly preferences: Preferences;
  onChange(part: Partial<Preferences>): void;
  readonly children: ReactNode;
}

/** Name, views and settings. On a narrow screen the settings fold behind one button. */
export function Header({ preferences, onChange, children }: HeaderProps): ReactElement {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <header className="header">
      <h1 className="brand">
        react-code-mode <span className="brand-sub">playground</span>
      </h1>
      {children}
      <button
        type="button"
        className="button quiet settings-toggle"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon name="settings" />
        Settings
      </button>
      <div id={id} className="settings" data-open={open || undefined}>
        <ModelSetting />
        <ApprovalSettings plan={preferences.plan} onPlan={(plan) => onChange({ plan })} />
        <Choice
          label="Theme"
          value={preferences.theme}
          options={{ system: 'System theme', light: 'Light theme', dark: 'Dark theme' }}
          onChange={(theme) => onChange({ theme })}
        />
        <Choice
          label="Direction"
          value={preferences.direction}
          options={{ ltr: 'Left to right', rtl: 'Right to left' }}
          onChange={(direction) => onChange({ direction })}
        />
        <ResetData />
      </div>
    </header>
  );
}

function ModelSetting(): ReactElement {
  const { model } = useDesk();
  const own = useSyncExternalStore(model.subscribe, model.get);
  const [open, setOpen] = useState(false);
  const name = own?.model ?? SCRIPTED_LABEL;
  return (
    <>
      <button
        type="button"
        className="button quiet"
        aria-label={`Model: ${name}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name={own ? 'key' : 'chat'} />
        <span className="model-name">{name}</span>
      </button>
      {open && <ModelDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  readonly options: Readonly<Record<T, string>>;
  onChange(value: T): void;
}): ReactElement {
  return (
    <label className="choice">
      <span className="choice-label">{label}</span>
      <select className="select" value={value} onChange={(event) => onChange(event.target.value as T)}>
        {Object.entries<string>(options).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function ResetData(): ReactElement {
  const { shop } = useDesk();
  const changes = useSyncExternalStore(shop.subscribe, shop.changes);
  const [said, setSaid] = useState('');
  const reset = (): void => {
    shop.reset();
    setSaid('The shop has its first data again.');
  };
  return (
    <>
      <button
        type="button"
        className="button quiet"
        onClick={reset}
        title={changes === 0 ? 'Nothing has been changed yet' : 'Brings the first data back'}
      >
        <Icon name="reset" />
        Reset data
        {changes > 0 && (
          <span className="count" aria-label={`, ${changes} ${changes === 1 ? 'change' : 'changes'}`}>
            {changes}
          </span>
        )}
      </button>
      <output className="unseen">{changes === 0 ? said : ''}</output>
    </>
  );
}
