'use client';
import { type ReactElement, useState } from 'react';
import { plainJson } from '../text/describe-value.ts';
import { textLength } from '../text/collapse.ts';
import { masked } from '../../journal/secrets.ts';
import { Text } from '../text/Text.tsx';
import { ValueView } from '../text/ValueView.tsx';
import { ApprovalEdit } from './ApprovalEdit.tsx';
import { useDialog } from './dialog-context.ts';

/** What will run: a form of text nodes, JSON on request, an editor while editing. */
export function ApprovalInput(): ReactElement {
  const { input, labels, panel, secrets, opened, toggle, unopened } = useDialog();
  const [asJson, setAsJson] = useState(false);
  if (panel === 'edit') return <ApprovalEdit />;
  const json = input.status === 'ready' ? plainJson(masked(input.value, secrets)) : undefined;
  const size = input.status === 'ready' ? textLength(input.value) : 0;
  return (
    <section className="cm-section" data-part="input">
      <div className="cm-section-head">
        <h3>{labels.input}</h3>
        {(size > 400 || unopened > 0) && (
          <span className="cm-muted">
            {labels.characters(size)}
            {unopened > 0 && `, ${labels.collapsed(unopened)}`}
          </span>
        )}
        {json !== undefined && (
          <button type="button" className="cm-link" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
            {labels.json}
          </button>
        )}
      </div>
      {input.status === 'reading' && <p className="cm-muted">{labels.loadingInput}</p>}
      {input.status === 'failed' && (
        <p className="cm-note" data-tone="error">
          {labels.inputUnreadable}
        </p>
      )}
      {input.status === 'ready' &&
        (asJson && json !== undefined ? (
          <pre className="cm-code cm-json" dir="ltr">
            <Text value={json} labels={labels} />
          </pre>
        ) : isEmpty(input.value) ? (
          <p className="cm-muted">{labels.noInput}</p>
        ) : (
          <ValueView value={input.value} labels={labels} secrets={secrets} opened={opened} onToggle={toggle} />
        ))}
    </section>
  );
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === 'object' &&
      value !== null &&
      Object.getPrototypeOf(value) === Object.prototype &&
      Object.keys(value).length === 0)
  );
}
