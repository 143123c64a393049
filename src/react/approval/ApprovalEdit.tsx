'use client';
import { type ReactElement, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { DecisionReceipt } from '../../policy/types.ts';
import { createPortal } from 'react-dom';
import { usePart } from '../lazy-part.ts';
import { diffValues, pathText } from '../text/diff-values.ts';
import { editableJson } from '../text/editable-json.ts';
import { Text } from '../text/Text.tsx';
import { useDialog } from './dialog-context.ts';
import { editParts } from './edit-parts.ts';

type Issues = NonNullable<Extract<DecisionReceipt, { applied: false }>['issues']>;
type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/**
 * Another input, or the result itself, as JSON. Problems are tied to the field; changes are listed before they count. What is
 * loaded later (`edit-parts`) adds comfort only: without it this still edits, shows problems, counts changes and sends.
 */
export function ApprovalEdit(): ReactElement {
  const { approval, labels, input, secrets, setPanel, settle, editFooter } = useDialog();
  const parts = usePart(editParts);
  const [answers, setAnswers] = useState(false);
  const editable = useMemo(() => (input.status === 'ready' ? editableJson(input.value, secrets) : undefined), [input, secrets]);
  const [text, setText] = useState(editable?.text ?? '');
  const [result, setResult] = useState('null');
  const [issues, setIssues] = useState<Issues>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const [attempts, setAttempts] = useState(0);
  useEffect(() => field.current?.focus(), [answers, attempts]);

  const parsed = useMemo(() => parse(answers ? result : text), [answers, result, text]);
  const original = input.status === 'ready' ? input.value : undefined;
  const edited = parsed.ok && !answers ? (editable?.restore(parsed.value) ?? parsed.value) : undefined;
  const changes = parsed.ok && !answers ? diffValues(original ?? {}, edited) : [];
  const changed = answers || changes.length > 0;
  const submit = async (): Promise<void> => {
    if (!parsed.ok) return;
    const receipt = await settle(
      answers ? approval.answer(parsed.value) : approval.allowEdited(edited),
      labels.decided[answers ? 'answer' : 'allow'],
    );
    if (!receipt || receipt.applied || receipt.why !== 'invalid_input') return;
    setIssues(receipt.issues ?? [{ path: [], message: labels.issues(1) }]);
    setAttempts((count) => count + 1);
  };
  const bad = !parsed.ok || issues.length > 0;

  const actions = (
    <div className="cm-actions">
      <span className="cm-spring" />
      <button type="button" className="cm-button" onClick={() => setPanel('ask')}>
        {labels.back}
      </button>
      <button
        type="button"
        className="cm-button"
        data-kind="primary"
        {...approval.guard.button(() => void submit(), !parsed.ok || !changed || approval.deciding)}
      >
        {answers ? labels.answer : labels.allowEdited}
      </button>
    </div>
  );

  if (!editable && !answers)
    return (
      <section className="cm-section" data-part="edit">
        <p className="cm-note" data-tone="warning">
          {labels.notEditable}
        </p>
        <button type="button" className="cm-link" onClick={() => setAnswers(true)}>
          {labels.giveResult}
        </button>
        {editFooter && createPortal(actions, editFooter)}
      </section>
    );
  return (
    <section className="cm-section" data-part="edit">
      <div className="cm-section-head">
        <h3>
          <label htmlFor={`${id}json`}>{answers ? labels.resultJson : labels.inputJson}</label>
        </h3>
        <button
          type="button"
          className="cm-link"
          onClick={() => {
            setIssues([]);
            setAnswers(!answers);
          }}
        >
          {answers ? labels.changeInput : labels.giveResult}
        </button>
      </div>
      <textarea
        ref={field}
        id={`${id}json`}
        className="cm-textarea cm-code"
        dir="ltr"
        rows={Math.min(14, Math.max(4, (answers ? result : text).split('\n').length + 1))}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={bad}
        aria-describedby={`${id}hint ${id}problems`}
        value={answers ? result : text}
        onChange={(event) => {
          setIssues([]);
          (answers ? setResult : setText)(event.target.value);
        }}
      />
      <p className="cm-muted" id={`${id}hint`}>
        {answers ? labels.answerHint : editable && editable.hidden > 0 ? labels.hiddenInEditor : ''}
      </p>
      <div id={`${id}problems`} className="cm-problems" role="alert">
        {!parsed.ok && <p>{labels.notJson(parsed.message)}</p>}
        {issues.length > 0 && (
          <>
            <p>{labels.issues(issues.length)}</p>
            <ul>
              {issues.map((issue, at) => (
                <li key={at}>
                  <code>{pathText(issue.path)}</code> <Text value={issue.message} labels={labels} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {!answers && parsed.ok && (
        <div className="cm-changes" data-part="changes">
          <p className="cm-muted">{changes.length === 0 ? labels.noChanges : labels.changes(changes.length)}</p>
          {parts.status === 'ready' && changes.length > 0 && <parts.value.ChangeList changes={changes} />}
          {parts.status === 'failed' && (
            <p className="cm-note" data-tone="warning">
              {labels.editorMissing}{' '}
              <button type="button" className="cm-link" onClick={() => void editParts.load()}>
                {labels.tryAgain}
              </button>
            </p>
          )}
        </div>
      )}
      {editFooter && createPortal(actions, editFooter)}
    </section>
  );
}

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
