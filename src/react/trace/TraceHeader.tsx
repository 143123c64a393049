'use client';
import { type ReactElement, useMemo } from 'react';
import type { RunView } from '../../store/state.ts';
import { Icon } from '../Icon.tsx';
import { RUN_ICONS } from './status.ts';
import { bytesKeptOut, runDuration, runTimes } from './times.ts';
import { useTraceModel } from './trace-context.ts';

/** Status of the run and its budgets. */
export function TraceHeader({ run, now }: { readonly run: RunView; readonly now: number }): ReactElement {
  const { labels, format } = useTraceModel();
  const { stats, limits } = run;
  const kept = bytesKeptOut(run);
  return (
    <div className="cm-trace-header" data-part="header">
      <span className="cm-run-status" data-status={run.status}>
        <Icon name={RUN_ICONS[run.status]} />
        {labels.runStatus[run.status]}
        <bdi className="cm-muted">{format.duration(runDuration(run, now))}</bdi>
      </span>
      {stats && (
        <Budget
          name={labels.compute}
          used={stats.computeMs}
          limit={limits?.timeoutMs}
          words={
            limits
              ? labels.ofLimit(seconds(stats.computeMs, format.number), `${seconds(limits.timeoutMs, format.number)} s`)
              : format.duration(stats.computeMs)
          }
        />
      )}
      {stats && stats.peakMemoryBytes > 0 && (
        <Budget
          name={labels.memory}
          used={stats.peakMemoryBytes}
          limit={limits?.memoryBytes}
          words={
            limits
              ? labels.ofLimit(format.mebibytes(stats.peakMemoryBytes), `${format.mebibytes(limits.memoryBytes)} MiB`)
              : format.bytes(stats.peakMemoryBytes)
          }
        />
      )}
      <Budget
        name={labels.callCount}
        used={run.calls.length}
        limit={limits?.maxCalls}
        words={
          limits
            ? labels.ofLimit(format.number(run.calls.length), format.number(limits.maxCalls))
            : format.number(run.calls.length)
        }
      />
      <Spent run={run} now={now} />
      {kept > 0 && (
        <span className="cm-budget">
          <span className="cm-muted">{labels.keptOut}</span> <bdi>{format.bytes(kept)}</bdi>
        </span>
      )}
    </div>
  );
}

const PARTS = ['queued', 'program', 'tools', 'people'] as const;
/** A part below this share of the whole carries no words. */
const WORDS_FROM = 0.01;

/** Where the time went, as a bar and in words. */
function Spent({ run, now }: { readonly run: RunView; readonly now: number }): ReactElement | null {
  const { labels, format } = useTraceModel();
  const times = useMemo(() => runTimes(run, now), [run, now]);
  const all = PARTS.reduce((sum, part) => sum + times[part], 0);
  if (all < 1) return null;
  const parts = PARTS.filter((part) => times[part] > all * WORDS_FROM);
  return (
    <span className="cm-budget cm-spent" title={labels.timeSpent}>
      <span className="cm-spent-bar" aria-hidden="true">
        {parts.map((part) => (
          <span key={part} data-spent={part} style={{ flexGrow: times[part] / all }} />
        ))}
      </span>
      {parts.map((part) => (
        <span key={part} className="cm-spent-part">
          <span className="cm-swatch" data-spent={part} aria-hidden="true" />
          <span className="cm-muted">{labels.spent[part]}</span> <bdi>{format.duration(times[part])}</bdi>
        </span>
      ))}
    </span>
  );
}

/** Seconds with one digit below ten, without their unit. */
function seconds(ms: number, number: (value: number) => string): string {
  const value = ms / 1_000;
  return number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
}

interface BudgetProps {
  readonly name: string;
  readonly used: number;
  readonly limit: number | undefined;
  readonly words: string;
}

function Budget({ name, used, limit, words }: BudgetProps): ReactElement {
  const part = limit ? Math.min(1, used / limit) : 0;
  return (
    <span className="cm-budget" data-level={part > 0.9 ? 'high' : part > 0.6 ? 'mid' : 'low'}>
      <span className="cm-muted">{name}</span> <bdi>{words}</bdi>
      {limit !== undefined && (
        <span className="cm-gauge" aria-hidden="true">
          <span style={{ transform: `scaleX(${part})` }} />
        </span>
      )}
    </span>
  );
}
