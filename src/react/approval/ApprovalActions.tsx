'use client';
import { type ReactElement, useId, useRef, useState } from 'react';
import { Icon } from '../Icon.tsx';
import type { Labels } from '../labels.ts';
import { visibleText } from '../text/visible-text.ts';
import { DangerAllow } from './DangerAllow.tsx';
import { type DialogModel, useDialog } from './dialog-context.ts';
import { type AllowOptions, isShownInQueue } from './use-approval.ts';
import { useReallyVisible } from './use-really-visible.ts';

/** The pinned footer: what can be decided now. */
export function ApprovalActions(): ReactElement | null {
  const { approval, panel, setEditFooter } = useDialog();
  if (approval.ended) return <EndedActions />;
  if (panel === 'edit') return <footer className="cm-dialog-footer" data-part="actions" ref={setEditFooter} />;
  return (
    <footer className="cm-dialog-footer" data-part="actions">
      {panel === 'deny' ? <DenyActions /> : panel === 'queue' ? <QueueActions /> : <AskActions />}
    </footer>
  );
}

const SCOPES = ['once', 'run:input', 'run:tool', 'session:input', 'session:tool'] as const;
type Scope = (typeof SCOPES)[number];

function AskActions(): ReactElement {
  const model = useDialog();
  const { approval, labels, request, setPanel, settle } = model;
  const [scope, setScope] = useState<Scope>('once');
  const allow = useRef<HTMLButtonElement>(null);
  const visible = useReallyVisible(allow, approval.guard.ready);
  const danger = request.approval.risk === 'danger';
  const blocked = blockedBecause(model, visible);
  const options = allowOptions(scope);
  const decide = (): void => void settle(approval.allow(options), labels.decided.allow);
  const hint = blocked ?? (options.scope === 'once' ? undefined : scopeWords(options, request.call.tool, labels));
  return (
    <>
      {hint !== undefined && (
        <p className="cm-footer-note" data-tone={blocked === undefined ? undefined : 'warning'} id={`${model.titleId}hint`}>
          {hint}
        </p>
      )}
      <div className="cm-actions">
        <button
          type="button"
          className="cm-button"
          data-kind="plain"
          data-action="stop"
          {...approval.guard.button(() => void settle(approval.cancelRun(), labels.decided.cancelRun), approval.deciding)}
        >
          {labels.stopRun}
        </button>
        <span className="cm-spring" />
        <button type="button" className="cm-button" data-action="deny-open" onClick={() => setPanel('deny')}>
          {labels.denyWithReason}
        </button>
        <button type="button" className="cm-button" data-action="edit" onClick={() => setPanel('edit')}>
          {labels.edit}
        </button>
        {danger ? (
          <DangerAllow buttonRef={allow} blocked={blocked !== undefined || approval.deciding} onAllow={decide} />
        ) : (
          <span className="cm-split">
            <button
              type="button"
              ref={allow}
              className="cm-button"
              data-kind="primary"
              data-action="allow"
              aria-describedby={hint === undefined ? undefined : `${model.titleId}hint`}
              {...approval.guard.button(decide, blocked !== undefined || approval.deciding)}
            >
              {options.scope === 'once' ? labels.allow : labels.allowScoped}
            </button>
            <span className="cm-scope-box">
              <select
                className="cm-scope"
                aria-label={labels.scope}
                value={scope}
                onChange={(event) => setScope(event.target.value as Scope)}
              >
                {SCOPES.map((each) => (
                  <option key={each} value={each}>
                    {scopeLabel(each, labels)}
                  </option>
                ))}
              </select>
              <Icon name="chevron" />
            </span>
          </span>
        )}
      </div>
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

function allowOptions(scope: Scope): AllowOptions & { scope: 'once' | 'run' | 'session' } {
  const [reach, match] = scope.split(':') as ['once' | 'run' | 'session', 'input' | 'tool' | undefined];
  return match === undefined ? { scope: 'once' } : { scope: reach, match };
}

function scopeWords({ scope, match }: AllowOptions, tool: string, labels: Labels): string {
  return labels.scopeWords(scope === 'session' ? 'session' : 'run', match ?? 'tool', visibleText(tool));
}

function scopeLabel(scope: Scope, labels: Labels): string {
  const words: Record<Scope, string> = {
    once: labels.scopeOnce,
    'run:input': labels.scopeRunInput,
    'run:tool': labels.scopeRunTool,
    'session:input': labels.scopeSessionInput,
    'session:tool': labels.scopeSessionTool,
  };
  return words[scope];
}

function DenyActions(): ReactElement {
  const { approval, labels, setPanel, settle } = useDialog();
  const [reason, setReason] = useState('');
  const id = useId();
  const deny = (): void => void settle(approval.deny(reason.trim() === '' ? undefined : reason.trim()), labels.decided.deny);
  return (
    <form className="cm-deny" onSubmit={(event) => event.preventDefault()}>
      <label className="cm-label" htmlFor={`${id}reason`}>
        {labels.reason}
        <span className="cm-muted">{labels.reasonHint}</span>
      </label>
      {/* The person asked for this field one click ago. */}
      <input
        id={`${id}reason`}
        className="cm-input"
        ref={(field) => field?.focus()}
        value={reason}
        autoComplete="off"
        maxLength={500}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={approval.guard.enter(() => !approval.deciding && deny())}
      />
      <div className="cm-actions">
        <span className="cm-spring" />
        <button type="button" className="cm-button" onClick={() => setPanel('ask')}>
          {labels.back}
        </button>
        <button
          type="button"
          className="cm-button"
          data-kind="primary"
          data-action="deny"
          {...approval.guard.button(deny, approval.deciding)}
        >
          {labels.deny}
        </button>
      </div>
    </form>
  );
}

function QueueActions(): ReactElement {
  const { approval, labels, setPanel, settle } = useDialog();
  const total = approval.queue.length;
  const safe = approval.queue.filter(isShownInQueue).length;
  const allowAll = useRef<HTMLButtonElement>(null);
  const visible = useReallyVisible(allowAll, approval.guard.ready);
  const all = async (decisions: Promise<readonly { applied: boolean }[]>, done: string): Promise<void> => {
    await settle(
      decisions.then(() => ({ applied: true }) as const),
      done,
    );
    setPanel('ask');
  };
  return (
    <>
      {safe < total && <p className="cm-footer-note">{labels.oneByOne(total - safe)}</p>}
      {!visible && (
        <p className="cm-footer-note" data-tone="warning">
          {labels.covered}
        </p>
      )}
      <div className="cm-actions">
        <button
          type="button"
          className="cm-button"
          data-kind="plain"
          data-action="stop"
          {...approval.guard.button(() => void settle(approval.cancelRun(), labels.decided.cancelRun), approval.deciding)}
        >
          {labels.stopRun}
        </button>
        <span className="cm-spring" />
        <button type="button" className="cm-button" onClick={() => setPanel('ask')}>
          {labels.back}
        </button>
        <button
          type="button"
          className="cm-button"
          data-action="deny-all"
          {...approval.guard.button(() => void all(approval.denyAll(), labels.decided.deny), approval.deciding)}
        >
          {labels.denyAll(total)}
        </button>
        {safe > 0 && (
          <button
            type="button"
            ref={allowAll}
            className="cm-button"
            data-kind="primary"
            data-action="allow-all"
            {...approval.guard.button(() => void all(approval.allowAll(), labels.decided.allow), approval.deciding || !visible)}
          >
            {labels.allowAll(safe)}
          </button>
        )}
      </div>
    </>
  );
}

function EndedActions(): ReactElement {
  const { approval, labels } = useDialog();
  return (
    <footer className="cm-dialog-footer" data-part="actions">
      <div className="cm-actions">
        <span className="cm-spring" />
        <button type="button" className="cm-button" data-action="close" onClick={approval.dismiss}>
          {approval.queue.length > 0 ? labels.next : labels.close}
        </button>
      </div>
    </footer>
  );
}
