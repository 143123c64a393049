'use client';
import type { ReactElement } from 'react';
import type { ScopeName } from '../labels-approval.ts';
import { Icon } from '../Icon.tsx';
import { useDialog } from './dialog-context.ts';
import { ruleFields } from './rule-fields.ts';

/** How far *Allow* reaches; beside the button. */
export function ScopeMenu({ offered }: { readonly offered: readonly ScopeName[] }): ReactElement {
  const { labels, input, secrets, scope, setScope } = useDialog();
  const choose = (name: ScopeName): void => {
    const isFirstRule = name.endsWith(':rule') && scope.fields.length === 0 && input.status === 'ready';
    setScope({ ...scope, name, ...(isFirstRule && { fields: ruleFields(input.value, secrets) }) });
  };
  return (
    <span className="cm-scope-box">
      <select
        className="cm-scope"
        data-part="scope"
        aria-label={labels.scope}
        value={scope.name}
        onChange={(event) => choose(event.target.value as ScopeName)}
      >
        {offered.map((name) => (
          <option key={name} value={name}>
            {labels.scopeNames[name]}
          </option>
        ))}
      </select>
      <Icon name="chevron" />
    </span>
  );
}
