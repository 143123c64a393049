import { type ReactElement, useState } from 'react';
import { TracePanel, useTrace } from 'react-code-mode';
import type { RunView } from 'react-code-mode/core';
import { useDesk } from '../desk-context.ts';
import { FIRST_EXAMPLE } from '../program/examples.ts';
import { Empty } from '../shell/Empty.tsx';
import type { View } from '../shell/use-view.ts';

const STATUS: Record<RunView['status'], string> = {
  queued: 'queued',
  running: 'running',
  waiting: 'waits for you',
  interrupted: 'interrupted',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** The trace of one run; of the newest one until another is chosen. */
export function TraceView({ onView }: { onView(view: View): void }): ReactElement {
  const { program } = useDesk();
  const runs = useTrace((state) => state.runOrder.flatMap((id) => state.runs[id] ?? []));
  const [chosen, choose] = useState('');
  const newest = runs.at(-1);
  const shown = runs.find((run) => run.id === chosen) ?? newest;

  if (!shown) {
    const start = (): void => {
      program.start(FIRST_EXAMPLE.source, FIRST_EXAMPLE.label);
      onView('program');
    };
    return (
      <section className="trace" aria-label="Trace">
        <Empty title="No run to look at" action="Run the first example" onAction={start}>
          Every call of a program appears here while it runs: what went in, what came out, how long it took, who allowed it.
        </Empty>
      </section>
    );
  }
  return (
    <div className="trace">
      <div className="bar">
        <label className="choice">
          <span className="choice-label">Run</span>
          <select className="select" value={shown === newest ? '' : shown.id} onChange={(event) => choose(event.target.value)}>
            {runs.toReversed().map((run, index) => (
              <option key={run.id} value={index === 0 ? '' : run.id}>
                {`${index === 0 ? 'Newest: ' : `${runs.length - index}. `}${run.title ?? 'Program'} (${STATUS[run.status]})`}
              </option>
            ))}
          </select>
        </label>
      </div>
      <TracePanel run={shown.id} />
    </div>
  );
}
