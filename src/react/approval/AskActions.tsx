'use client';
import { type ReactElement, useRef } from 'react';
import { usePart } from '../lazy-part.ts';
import { DangerAllow } from './DangerAllow.tsx';
import { worstOf } from './decide.ts';
import { type DialogModel, useDialog } from './dialog-context.ts';
import { DoubtActions } from './DoubtActions.tsx';
import { editParts } from './edit-parts.ts';
import { ScopeMenu } from './ScopeMenu.tsx';
import { ScopeWords } from './ScopeWords.tsx';
import { offeredScopes, permissionOf, reachOf } from './scopes.ts';
import { StopButton } from './StopButton.tsx';
import { useReallyVisible } from './use-really-visible.ts';

/** Stop, deny, edit, allow: the buttons of one question. What may have happened runs by a second act only, like what is dangerous. */
export function AskActions(): ReactElement {
  const model = useDialog();
  const { approval, labels, request, settle, scope } = model;
  const { doubt } = request.approval;
  const allow = useRef<HTMLButtonElement>(null);
  const visible = useReallyVisible(allow, approval.guard.ready);
  const parts = usePart(editParts);
  const offered = offeredScopes(approval, parts.status === 'ready' && model.input.status === 'ready');
  const permission = permissionOf(scope);
  const isIncomplete = scope.name !== 'once' && scope.name !== 'same' && permission === undefined;
  const blocked = blockedBecause(model, visible);
  const isBlocked = blocked !== undefined || isIncomplete || approval.deciding;
  const decide = (): void => {
    if (scope.name === 'same') void settle(approval.allowSame().then(worstOf), labels.decided.allow);
    else void settle(approval.allow(permission), labels.decided.allow);
  };
  const hintId = `${model.titleId}hint`;
  return (
    <>
      {blocked === undefined ? (
        <ScopeWords id={hintId} permission={permission} />
      ) : (
        <p className="cm-footer-note" data-tone="warning" id={hintId}>
          {blocked}
        </p>
      )}
      <div className="cm-actions">
        <StopButton />
        <span className="cm-spring" />
        {doubt ? <DoubtActions /> : <OpenActions />}
        {doubt || request.approval.risk === 'danger' ? (
          <DangerAllow buttonRef={allow} blocked={isBlocked} onAllow={decide} />
        ) : (
          <span className="cm-split" data-alone={offered.length === 1 || undefined}>
            <button
              type="button"
              ref={allow}
              className="cm-button"
              data-kind="primary"
              data-action="allow"
              aria-describedby={blocked === undefined && scope.name === 'once' ? undefined : hintId}
              {...approval.guard.button(decide, isBlocked)}
            >
              {allowWords(model)}
            </button>
            {offered.length > 1 && <ScopeMenu offered={offered} />}
          </span>
        )}
      </div>
    </>
  );
}

/** To a reason for *no*, and to another input. */
function OpenActions(): ReactElement {
  const { labels, request, setPanel } = useDialog();
  return (
    <>
      <button type="button" className="cm-button" data-action="deny-open" onClick={() => setPanel('deny')}>
        {labels.denyWithReason}
      </button>
      {request.call.undoes === undefined && (
        <button type="button" className="cm-button" data-action="edit" onClick={() => setPanel('edit')}>
          {labels.edit}
        </button>
      )}
    </>
  );
}

/** Why *Allow* waits although the quiet period is over. */
function blockedBecause({ input, unopened, labels }: DialogModel, visible: boolean): string | undefined {
  if (input.status === 'failed') return labels.inputUnreadable;
  if (input.status === 'reading') return labels.loadingInput;
  if (unopened > 0) return labels.openFirst(unopened);
  return visible ? undefined : labels.covered;
}

function allowWords({ scope, labels, request }: DialogModel): string {
  const reach = reachOf(scope.name);
  if (reach === 'once') return labels.allow;
  return reach === 'same' ? labels.allowSame(request.group?.count ?? 1) : labels.reach[reach];
}
