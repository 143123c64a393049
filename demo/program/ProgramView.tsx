import { type ReactElement, useRef, useState, useSyncExternalStore } from 'react';
import { useDesk } from '../desk-context.ts';
import { Icon } from '../shell/Icon.tsx';
import { type Draft, isEdited, readDraft, saveDraft, titleOf } from './draft.ts';
import { Editor } from './Editor.tsx';
import { EXAMPLES, GROUPS } from './examples.ts';
import { ResultPane } from './ResultPane.tsx';

/** Write a program, run it, see what came of it. */
export function ProgramView(): ReactElement {
  const { program } = useDesk();
  const state = useSyncExternalStore(program.subscribe, program.getState);
  const [draft, setDraft] = useState(readDraft);
  const result = useRef<HTMLElement>(null);
  const running = state.phase === 'running';
  const edit = (next: Draft): void => {
    setDraft(next);
    saveDraft(next);
  };
  const run = (): void => program.start(draft.source, titleOf(draft));
  const runFromResult = (): void => {
    run();
    // The button that was pressed goes away.
    result.current?.focus();
  };

  return (
    <section className="program" aria-label="Program">
      <div className="bar">
        <ExampleMenu draft={draft} onPick={edit} />
        <span className="bar-space" />
        <button type="button" className="button" aria-disabled={!running} onClick={program.cancel}>
          <Icon name="stop" />
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          title="Ctrl Enter or ⌘ Enter, in the editor"
          aria-disabled={running}
          onClick={run}
        >
          <Icon name="run" />
          Run
        </button>
      </div>
      <Editor label="Program text" source={draft.source} onChange={(source) => edit({ ...draft, source })} onRun={run} />
      <section ref={result} tabIndex={-1} className="result-pane" aria-label="Result">
        <ResultPane state={state} onRun={runFromResult} />
      </section>
    </section>
  );
}

function ExampleMenu({ draft, onPick }: { readonly draft: Draft; onPick(draft: Draft): void }): ReactElement {
  const pick = (id: string): void => {
    const example = EXAMPLES.find((one) => one.id === id);
    if (example) onPick({ example: example.id, source: example.source });
  };
  const edited = isEdited(draft);
  return (
    <>
      <label className="choice examples">
        <span className="choice-label">Example</span>
        <select className="select" value={draft.example} onChange={(event) => pick(event.target.value)}>
          {GROUPS.map((group) => (
            <optgroup key={group} label={group}>
              {EXAMPLES.filter((example) => example.group === group).map((example) => (
                <option key={example.id} value={example.id}>
                  {edited && example.id === draft.example ? `${example.label} (edited)` : example.label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      {edited && (
        <button type="button" className="button quiet" title="Back to the example as it was" onClick={() => pick(draft.example)}>
          <Icon name="reset" />
          <span>Undo edits</span>
        </button>
      )}
    </>
  );
}
