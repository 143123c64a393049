import { type ReactElement, useRef, useState } from 'react';
import { ApprovalBar, ApprovalDialog, ApprovalInline, GrantList, TracePanel, useRuns } from 'react-code-mode';
import type { Query } from './query.ts';

/** A chat as applications have it, with a composer whose Send becomes Stop; and the surfaces the address asks for. */
export function Surfaces({ query }: { readonly query: Query }): ReactElement {
  const [tab, setTab] = useState<'chat' | 'other'>('chat');
  const { length: runs } = useRuns();
  return (
    <main className="page">
      <nav>
        <button type="button" onClick={() => setTab('chat')}>
          Chat
        </button>
        <button type="button" onClick={() => setTab('other')}>
          Other
        </button>
      </nav>
      <div className="log">
        {tab === 'chat' ? (
          <>
            <p>{runs} runs</p>
            {query.view === 'inline' && <ApprovalInline runId="run-1" guardMs={query.guard} />}
            {query.view === 'bar' && <ApprovalBar />}
            {query.view === 'trace' && (
              <div className="trace">
                <TracePanel />
              </div>
            )}
            {query.view === 'grants' && <GrantList />}
            {query.mount === 'tab' && query.view !== 'inline' && <ApprovalDialog guardMs={query.guard} />}
          </>
        ) : (
          <p>Something else</p>
        )}
      </div>
      <Composer />
      {query.mount === 'page' && <ApprovalDialog guardMs={query.guard} />}
    </main>
  );
}

function Composer(): ReactElement {
  const [sent, setSent] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        setSent(sent + 1);
      }}
    >
      <textarea ref={field} aria-label="Message" rows={2} />
      <button type="submit" data-sent={sent}>
        Send
      </button>
    </form>
  );
}
