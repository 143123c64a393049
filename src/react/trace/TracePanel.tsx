'use client';
import type { ReactElement } from 'react';
import { useLabels } from '../context.ts';
import { type LazyPart, lazyPart, usePart } from '../lazy-part.ts';
import { useSelected } from '../use-selected.ts';
import { useSession } from '../use-session.ts';
import type { TracePanelProps, TraceView } from './TraceView.tsx';

export type { TracePanelProps };

/** The rows, their details and the windowing of long lists: a page that shows no trace does without them. */
export const traceView: LazyPart<typeof TraceView> = /* @__PURE__ */ lazyPart(
  async () => (await import('./TraceView.tsx')).TraceView,
);

/** What happened in a run, live: rows as a tree or on a time axis, details of the selected one, the program beside. */
export function TracePanel(props: TracePanelProps): ReactElement {
  const view = usePart(traceView);
  return view.status === 'ready' ? <view.value {...props} /> : <Awaited {...props} failed={view.status === 'failed'} />;
}

/** The empty panel, until the view is there or because it cannot be loaded. */
function Awaited(props: TracePanelProps & { readonly failed: boolean }): ReactElement {
  const { run, failed, className = '' } = props;
  const session = useSession(props.session);
  const labels = useLabels(props.labels);
  const known = useSelected(session, (state) => (run === undefined ? state.runOrder.length : Number(run in state.runs)));
  const runs = props.recording ? 1 : known;
  return (
    <section
      className={`cm-root cm-trace ${className}`}
      aria-label={props.recording ? labels.recording : labels.trace}
      aria-busy={!failed && runs > 0}
      data-view={props.defaultView ?? 'tree'}
      data-empty=""
    >
      {failed ? (
        <div className="cm-empty" role="alert">
          <p className="cm-empty-title">{labels.traceMissing}</p>
          <button type="button" className="cm-button" onClick={() => void traceView.load()}>
            {labels.tryAgain}
          </button>
        </div>
      ) : (
        <div className="cm-empty" data-part="empty">
          {runs === 0 && (
            <>
              <p className="cm-empty-title">{labels.traceEmpty}</p>
              <p className="cm-muted">{labels.traceEmptyHint}</p>
            </>
          )}
        </div>
      )}
    </section>
  );
}
