'use client';
import { type ReactElement, useState } from 'react';
import { useUndo } from '../approval/use-undo.ts';
import { Text } from '../text/Text.tsx';
import { useTraceModel } from './trace-context.ts';

/** Takes the calls of a run back: what would go and what stays is shown first, then a second press does it. */
export function TraceUndo({ runId }: { readonly runId: string }): ReactElement | null {
  const { session, labels } = useTraceModel();
  const { plan, running, outcome, undo } = useUndo(runId, { session });
  const [openFor, setOpenFor] = useState<string>();
  const open = openFor === runId;
  const isPossible = plan.calls.length > 0;
  if (!isPossible && !running && !outcome) return null;
  return (
    <section className="cm-undo" data-part="undo" tabIndex={-1}>
      <p className="cm-undo-line">
        {isPossible && !running && (
          <button
            type="button"
            className="cm-button"
            data-action="undo-open"
            aria-expanded={open}
            onClick={() => setOpenFor(open ? undefined : runId)}
          >
            {labels.undoRun}
          </button>
        )}
        <span role="status" className="cm-muted">
          {running ? labels.undoing : outcome ? labels.undone[outcome.status] : ''}
        </span>
      </p>
      {open && isPossible && !running && (
        <div className="cm-undo-plan">
          <ol>
            {plan.calls.map(({ callId, tool }) => (
              <li key={callId}>
                <Text value={tool} labels={labels} />
              </li>
            ))}
          </ol>
          {plan.stays.length > 0 && (
            <>
              <p>{labels.undoStays(plan.stays.length)}</p>
              <ul>
                {plan.stays.map(({ callId, tool, why }) => (
                  <li key={callId}>
                    <Text value={tool} labels={labels} /> <span className="cm-muted">{labels.undoWhy[why]}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
          <button
            type="button"
            className="cm-button"
            data-kind="primary"
            data-action="undo"
            onClick={({ currentTarget }) => {
              // This button goes away.
              currentTarget.closest<HTMLElement>('.cm-undo')?.focus();
              setOpenFor(undefined);
              void undo();
            }}
          >
            {labels.undoCalls(plan.calls.length)}
          </button>
          <span className="cm-muted"> {labels.undoHint}</span>
        </div>
      )}
    </section>
  );
}
