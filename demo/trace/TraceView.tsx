import { type ReactElement, useState } from 'react';
import { TracePanel, useTrace } from 'react-code-mode';
import { isCodeModeError, type RunView } from 'react-code-mode/core';
import type { RecordedRun } from 'react-code-mode/journal';
import { useDesk } from '../desk-context.ts';
import { FIRST_EXAMPLE } from '../program/examples.ts';
import { Empty } from '../shell/Empty.tsx';
import type { View } from '../shell/use-view.ts';

const STATUS: Record<RunView['status'], string> = {
  queued: 'queued',
  running: 'running',
  waiting: 'waiting for you',
  interrupted: 'interrupted',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** The trace of one run; of the newest one until another is chosen, or of a recording that was opened from a file. */
export function TraceView({ onView }: { onView(view: View): void }): ReactElement {
  const { program } = useDesk();
  const runs = useTrace((state) => state.runOrder.flatMap((id) => state.runs[id] ?? []));
  const [chosen, choose] = useState('');
  const [opened, setOpened] = useState<Opened>();
  const newest = runs.at(-1);
  const shown = runs.find((run) => run.id === chosen) ?? newest;

  if (opened?.recording) {
    return (
      <div className="trace">
        <div className="bar">
          <span className="choice-label recording-name">{opened.name}</span>
          <span className="bar-space" />
          <button type="button" className="button" onClick={() => setOpened(undefined)}>
            Close the recording
          </button>
        </div>
        <TracePanel key={opened.name} recording={opened.recording} />
      </div>
    );
  }
  if (!shown) {
    const start = (): void => {
      program.start(FIRST_EXAMPLE.source, FIRST_EXAMPLE.label);
      onView('program');
    };
    return (
      <section className="trace" aria-label="Trace">
        <div className="bar">
          <span className="bar-space" />
          <OpenRecording opened={opened} onOpen={setOpened} />
        </div>
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
        <OpenRecording opened={opened} onOpen={setOpened} />
      </div>
      <TracePanel run={shown.id} />
    </div>
  );
}

interface Opened {
  readonly name: string;
  readonly recording?: RecordedRun;
  /** Why there is none. */
  readonly fault?: string;
}

/** Takes the file that the trace's export made. Nothing in it is executed. */
function OpenRecording({ opened, onOpen }: { readonly opened: Opened | undefined; onOpen(opened: Opened): void }): ReactElement {
  const open = async (file: File): Promise<void> => {
    try {
      const { importRunFile } = await import('react-code-mode/journal');
      onOpen({ name: file.name, recording: importRunFile(JSON.parse(await file.text())) });
    } catch (error) {
      onOpen({ name: file.name, fault: faultOf(file.name, error) });
    }
  };
  return (
    <span className="choice file-choice">
      <span role="status" className="file-fault">
        {opened?.fault}
      </span>
      <label className="button file-button">
        Open a recording
        <input
          type="file"
          accept="application/json,.json"
          onChange={({ target }) => {
            const file = target.files?.[0];
            target.value = '';
            if (file) void open(file);
          }}
        />
      </label>
    </span>
  );
}

function faultOf(name: string, error: unknown): string {
  if (isCodeModeError(error)) return `${name}: ${error.message}`;
  if (error instanceof SyntaxError) return `${name} cannot be read: it is cut off, or no JSON.`;
  return `${name} cannot be read.`;
}
