import { type ReactElement, useState } from 'react';
import { useTrace } from 'react-code-mode';
import { callById, type ModelResult, type OutputItem, type RunOutcome } from 'react-code-mode/core';
import { Empty } from '../shell/Empty.tsx';
import { Icon } from '../shell/Icon.tsx';
import { type Tab, TabPanel, Tabs, useTabsName } from '../shell/Tabs.tsx';
import { duration, jsonOf } from './inspect.ts';
import type { ProgramState } from './program-runner.ts';
import { ValueView } from './ValueView.tsx';

type Part = 'result' | 'json' | 'output' | 'warnings' | 'model';

/** What came of the editor's program: its value, its output, and the text a model would have read. */
export function ResultPane({ state, onRun }: { readonly state: ProgramState; onRun(): void }): ReactElement {
  switch (state.phase) {
    case 'idle':
      return (
        <Empty title="Nothing has run yet" action="Run this program" onAction={onRun}>
          The result will stand here, next to the text that a model would read. Calls that need your word will ask you first.
        </Empty>
      );
    case 'running':
      return <Running runId={state.runId} />;
    case 'done':
      return <Result result={state.result} runId={state.runId} />;
  }
}

function Running({ runId }: { readonly runId: string }): ReactElement {
  const status = useTrace((trace) => trace.runs[runId]?.status);
  const waiting = useTrace((trace) => trace.pending.filter((id) => callById(trace, id)?.runId === runId).length);
  const words =
    status === 'queued' || status === undefined
      ? 'Waiting for its turn'
      : waiting > 0
        ? `Waiting for you: ${waiting} ${waiting === 1 ? 'call' : 'calls'} to decide`
        : 'Running';
  return (
    <output className="run-state" data-status={waiting > 0 ? 'waiting' : 'running'}>
      <span className="dot" aria-hidden="true" />
      {words}
    </output>
  );
}

function Result({ result, runId }: { readonly result: ModelResult; readonly runId: string }): ReactElement {
  const name = useTabsName();
  const [chosen, choose] = useState<Part>('result');
  const tabs: readonly Tab<Part>[] = tabsOf(result.outcome);
  const selected: Part = tabs.some((tab) => tab.id === chosen) ? chosen : 'result';
  return (
    <div className="result">
      <ResultLine outcome={result.outcome} runId={runId} />
      <Tabs name={name} label="Result" className="part-tabs" tabs={tabs} selected={selected} onSelect={choose} />
      <TabPanel scrolls name={name} selected={selected} className="result-part">
        <PartView part={selected} result={result} />
      </TabPanel>
    </div>
  );
}

function tabsOf(outcome: RunOutcome | undefined): Tab<Part>[] {
  const completed = outcome?.status === 'completed';
  return [
    { id: 'result', label: completed ? 'Value' : 'What happened' },
    ...(completed ? [{ id: 'json', label: 'JSON' } as const] : []),
    { id: 'output', label: 'Output', count: outcome?.output.length ?? 0 },
    { id: 'warnings', label: 'Warnings', count: outcome?.warnings.length ?? 0 },
    { id: 'model', label: 'For the model' },
  ];
}

function ResultLine({ outcome, runId }: { readonly outcome: RunOutcome | undefined; readonly runId: string }): ReactElement {
  const took = useTrace((trace) => {
    const run = trace.runs[runId];
    return run?.endedAt !== undefined ? run.endedAt - (run.startedAt ?? run.queuedAt) : undefined;
  });
  const status = outcome?.status ?? 'failed';
  const facts = [
    { completed: 'Completed', failed: 'Failed', cancelled: 'Cancelled' }[status],
    took !== undefined && duration(took),
    outcome && `${outcome.calls.length} ${outcome.calls.length === 1 ? 'call' : 'calls'}`,
    outcome && `${duration(outcome.stats.computeMs)} computing`,
  ];
  return (
    <output className="run-state" data-status={status}>
      <Icon name={status === 'completed' ? 'done' : status === 'cancelled' ? 'stop' : 'failed'} />
      {facts.filter(Boolean).join(' · ')}
    </output>
  );
}

function PartView({ part, result }: { readonly part: Part; readonly result: ModelResult }): ReactElement {
  const { outcome, text } = result;
  switch (part) {
    case 'result':
      return <Happened outcome={outcome} text={text} />;
    case 'json':
      return <pre>{jsonOf(outcome?.status === 'completed' ? outcome.value : undefined)}</pre>;
    case 'output':
      return <Output items={outcome?.output ?? []} />;
    case 'warnings':
      return <Warnings items={outcome?.warnings ?? []} />;
    case 'model':
      return (
        <>
          <p className="hint">{`${text.length.toLocaleString('en')} characters; nothing else of this run reaches a model.`}</p>
          <pre>{text}</pre>
        </>
      );
  }
}

function Happened({ outcome, text }: { readonly outcome: RunOutcome | undefined; readonly text: string }): ReactElement {
  if (!outcome) return <pre>{text}</pre>;
  if (outcome.status === 'completed') return <ValueView value={outcome.value} />;
  if (outcome.status === 'cancelled') {
    return (
      <>
        <p>{outcome.reason ? `Cancelled: ${outcome.reason}.` : 'Cancelled.'}</p>
        <p className="hint">Calls that had not started did not run.</p>
      </>
    );
  }
  const { code, message, site, excerpt } = outcome.error;
  return (
    <>
      <p>
        <code>{code}</code>
        {site && ` in line ${site.line}`}
      </p>
      <p className="value-text">{message}</p>
      {excerpt && <pre>{excerpt}</pre>}
    </>
  );
}

function Output({ items }: { readonly items: readonly OutputItem[] }): ReactElement {
  if (items.length === 0) return <p className="hint">The program wrote nothing to its console.</p>;
  return (
    <ol className="output">
      {items.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} data-level={item.kind === 'console' ? item.level : 'emit'}>
          <span className="output-level">{item.kind === 'console' ? item.level : 'emit'}</span>
          <bdi className="output-text">{item.kind === 'console' ? item.text : jsonOf(item.value)}</bdi>
          {item.site && <span className="output-line">{`line ${item.site.line}`}</span>}
        </li>
      ))}
    </ol>
  );
}

function Warnings({ items }: { readonly items: RunOutcome['warnings'] }): ReactElement {
  if (items.length === 0) return <p className="hint">No warnings.</p>;
  return (
    <ul className="warnings">
      {items.map((warning, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Icon name="alert" />
          <span>
            <code>{warning.code}</code> {warning.message}
            {warning.site && ` (line ${warning.site.line})`}
          </span>
        </li>
      ))}
    </ul>
  );
}
