'use client';
import { type ReactElement, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { DecisionReceipt } from '../../policy/types.ts';
import { createPortal } from 'react-dom';
import { usePart } from '../lazy-part.ts';
import { diffValues } from '../text/diff-values.ts';
import { editableJson } from '../text/editable-json.ts';
import { useDialog } from './dialog-context.ts';
import { EditProblems } from './EditProblems.tsx';
import { JsonField } from './JsonField.tsx';
import { editParts } from './edit-parts.ts';
import { useFocusBack } from './use-focus-back.ts';

type Issues = NonNullable<Extract<DecisionReceipt, { applied: false }>['issues']>;
type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

const NO_MARKERS: ReadonlySet<string> = new Set();

/**
 * Another input, or the result itself: a form by the schema, or JSON. Problems are tied to their fields; changes are listed before
 * they count. What is loaded later (`edit-parts`) adds comfort only: without it JSON still edits, shows problems, counts changes
 * and sends.
 */
export function ApprovalEdit(): ReactElement {
  const { approval, request, labels, input, secrets, settle } = useDialog();
  const parts = usePart(editParts);
  const facts = approval.session?.tool?.(request.call.tool);
  // What may have happened is not run with another input: only its result can be given.
  const { doubt } = request.approval;
  const [answers, setAnswers] = useState(doubt === true);
  const [asForm, setAsForm] = useState(true);
  const editable = useMemo(() => (input.status === 'ready' ? editableJson(input.value, secrets) : undefined), [input, secrets]);
  const schema = answers ? facts?.outputJsonSchema : facts?.inputJsonSchema;
  const [text, setText] = useState(editable?.text ?? '');
  const [result, setResult] = useState(() => (hasFields(facts?.outputJsonSchema) ? '{}' : 'null'));
  const [issues, setIssues] = useState<Issues>([]);
  const [badFields, setBadFields] = useState<ReadonlySet<string>>(NO_MARKERS);
  const [attempts, setAttempts] = useState(0);
  const section = useRef<HTMLElement>(null);
  const problemsId = useId();
  const current = answers ? result : text;
  const parsed = useMemo(() => parse(current), [current]);
  const Form = parts.status === 'ready' ? parts.value.EditForm : undefined;
  const canForm = parts.status === 'ready' && parsed.ok && (hasFields(schema) || (isRecord(parsed.value) && !answers));
  const isForm = canForm && asForm;
  // The first field that is wrong, else the first one.
  useEffect(() => {
    const field = section.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (field ?? section.current?.querySelector<HTMLElement>('input, textarea, select'))?.focus();
  }, [answers, attempts, asForm]);

  const original = input.status === 'ready' ? input.value : undefined;
  const edited = parsed.ok && !answers ? (editable?.restore(parsed.value) ?? parsed.value) : undefined;
  const changes = parsed.ok && !answers ? diffValues(original ?? {}, edited) : [];
  const isReady = parsed.ok && badFields.size === 0 && (answers || changes.length > 0);
  const worded = (issue: Issues[number]): Issues[number] => {
    const problem = parts.status === 'ready' ? parts.value.schemaProblem(issue) : undefined;
    return problem ? { ...issue, message: labels.schemaProblem(problem, issue.message) } : issue;
  };
  const change = (next: string): void => {
    setIssues([]);
    (answers ? setResult : setText)(next);
  };
  const submit = async (): Promise<void> => {
    if (!parsed.ok || !isReady) return;
    const receipt = await settle(
      answers ? approval.answer(parsed.value) : approval.allowEdited(edited),
      labels.decided[answers ? 'answer' : 'allow'],
    );
    if (!receipt || receipt.applied || receipt.why !== 'invalid_input') return;
    setIssues((receipt.issues ?? [{ path: [], message: labels.issues(1) }]).map(worded));
    setAttempts((count) => count + 1);
  };
  const switchTo = (next: boolean): void => {
    setIssues([]);
    setBadFields(NO_MARKERS);
    setAnswers(next);
  };
  const footer = (
    <EditFooter answers={answers} isReady={isReady} onSubmit={() => void submit()}>
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
    </EditFooter>
  );

  if (!editable && !answers)
    return (
      <section className="cm-section" data-part="edit">
        <p className="cm-note" data-tone="warning">
          {labels.notEditable}
        </p>
        <button type="button" className="cm-link" onClick={() => switchTo(true)}>
          {labels.giveResult}
        </button>
        {footer}
      </section>
    );
  return (
    <section className="cm-section" data-part="edit" ref={section}>
      <div className="cm-section-head">
        <h3>{answers ? labels.result : labels.input}</h3>
        {canForm && (
          <div className="cm-segmented" role="group" aria-label={labels.editAs}>
            <button type="button" aria-pressed={isForm} onClick={() => setAsForm(true)}>
              {labels.form}
            </button>
            <button
              type="button"
              aria-pressed={!isForm}
              onClick={() => {
                setBadFields(NO_MARKERS);
                setAsForm(false);
              }}
            >
              {labels.json}
            </button>
          </div>
        )}
        {!doubt && (
          <button type="button" className="cm-link" onClick={() => switchTo(!answers)}>
            {answers ? labels.changeInput : labels.giveResult}
          </button>
        )}
      </div>
      {answers && <p className="cm-muted cm-small">{labels.answerHint}</p>}
      {isForm && Form !== undefined && parsed.ok ? (
        <Form
          key={String(answers)}
          value={parsed.value}
          schema={schema}
          issues={issues}
          labels={labels}
          markers={answers ? NO_MARKERS : (editable?.markers ?? NO_MARKERS)}
          onChange={(value) => change(JSON.stringify(value, null, 2))}
          onProblem={(path, bad) => setBadFields((old) => withPath(old, path, bad))}
        />
      ) : (
        <JsonField
          label={answers ? labels.resultJson : labels.inputJson}
          value={current}
          hint={!answers && editable && editable.hidden > 0 ? labels.hiddenInEditor : undefined}
          problem={parsed.ok ? undefined : labels.notJson(parsed.message)}
          isInvalid={issues.length > 0}
          problemsId={problemsId}
          onChange={change}
        />
      )}
      <EditProblems id={problemsId} issues={issues} labels={labels} />
      {footer}
    </section>
  );
}

interface EditFooterProps {
  readonly answers: boolean;
  readonly isReady: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** What is changed and the editor's buttons, in the pinned footer: the one is in sight when the other is pressed. */
function EditFooter({ children, ...props }: EditFooterProps): ReactElement | null {
  const { editFooter } = useDialog();
  return (
    editFooter &&
    createPortal(
      <>
        {children}
        <EditActions {...props} />
      </>,
      editFooter,
    )
  );
}

function EditActions({ answers, isReady, onSubmit }: Omit<EditFooterProps, 'children'>): ReactElement {
  const { approval, labels, setPanel } = useDialog();
  const actions = useRef<HTMLDivElement>(null);
  useFocusBack(actions, 'edit');
  return (
    <div className="cm-actions" ref={actions}>
      <span className="cm-spring" />
      <button type="button" className="cm-button" data-action="back" onClick={() => setPanel('ask')}>
        {labels.back}
      </button>
      <button
        type="button"
        className="cm-button"
        data-kind="primary"
        data-action={answers ? 'answer' : 'allow-edited'}
        {...approval.guard.button(onSubmit, !isReady || approval.deciding)}
      >
        {answers ? labels.answer : labels.allowEdited}
      </button>
    </div>
  );
}

function withPath(set: ReadonlySet<string>, path: string, isIn: boolean): ReadonlySet<string> {
  if (set.has(path) === isIn) return set;
  const next = new Set(set);
  if (isIn) next.add(path);
  else next.delete(path);
  return next;
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

function hasFields(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'properties' in schema && isRecord(schema.properties);
}

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
