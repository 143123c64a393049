'use client';
import { type ReactElement, useId } from 'react';
import type { GrantMatch, GrantScope } from '../../journal/events.ts';
import { usePart } from '../lazy-part.ts';
import { Text } from '../text/Text.tsx';
import { visibleText } from '../text/visible-text.ts';
import { useDialog } from './dialog-context.ts';
import { editParts } from './edit-parts.ts';
import { fitsOwn, ruleText } from './rule-fields.ts';

export interface ScopeWordsProps {
  readonly id: string;
  readonly permission: { readonly scope: GrantScope; readonly match: GrantMatch } | undefined;
}

/** What a permission will be, in words, before it is given; and what can be set about it. */
export function ScopeWords({ id, permission }: ScopeWordsProps): ReactElement | null {
  const { approval, labels, request, scope } = useDialog();
  if (scope.name === 'once' || scope.name === 'same') return null;
  const preview = permission && approval.preview(permission);
  const words = permission && labels.permission(visibleText(request.call.tool), permission.match, permission.scope);
  return (
    <div className="cm-permission" data-part="permission">
      {scope.name === 'next' && <NextCount />}
      {scope.name.endsWith(':rule') && <Rule />}
      <p className="cm-footer-note" id={id}>
        {words !== undefined && <Text value={labels.willRun(words)} labels={labels} />}
        {preview?.ok && preview.alsoAllows.length > 0 && ` ${labels.alsoAllows(preview.alsoAllows.length)}`}
      </p>
    </div>
  );
}

function NextCount(): ReactElement {
  const { labels, scope, setScope } = useDialog();
  const id = useId();
  return (
    <div className="cm-rule-row" data-count="">
      <label className="cm-label" htmlFor={id}>
        {labels.nextCount}
      </label>
      <input
        id={id}
        type="number"
        className="cm-input"
        min={1}
        step={1}
        value={Number.isNaN(scope.next) ? '' : scope.next}
        onChange={(event) => setScope({ ...scope, next: event.target.valueAsNumber })}
      />
    </div>
  );
}

function Rule(): ReactElement {
  const { labels, scope, setScope } = useDialog();
  const parts = usePart(editParts);
  const { fields } = scope;
  if (fields.length === 0) return <p className="cm-footer-note">{labels.noConditionPossible}</p>;
  return (
    <>
      {parts.status === 'ready' && (
        <parts.value.RuleFields fields={fields} labels={labels} onChange={(next) => setScope({ ...scope, fields: next })} />
      )}
      {ruleText(fields) === undefined ? (
        <p className="cm-footer-note" data-tone="warning">
          {labels.noCondition}
        </p>
      ) : (
        !fitsOwn(fields) && <p className="cm-footer-note">{labels.notCovered}</p>
      )}
    </>
  );
}
