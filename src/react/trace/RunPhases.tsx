'use client';
import { type ReactElement, useState } from 'react';
import type { Session } from '../../session/types.ts';
import type { RunView } from '../../store/state.ts';
import { formatOf } from '../context.ts';
import { Icon } from '../Icon.tsx';
import type { Labels } from '../labels.ts';
import { Text } from '../text/Text.tsx';
import { failuresIn, lineOf, type TraceNode } from './nodes.ts';
import { durationOf, rowTitle, statusWord } from './row-words.ts';
import { runChildren } from './run-nodes.ts';
import { iconOf, statusOf } from './status.ts';
import { TracePanel } from './TracePanel.tsx';

export interface RunPhasesProps {
  readonly run: RunView;
  readonly session: Session | undefined;
  readonly labels: Labels;
  /** Epoch ms, for what is not over. */
  readonly now: number;
}

/** Steps of a run that a message lists; the trace has them all. */
const MAX_PHASES = 8;
const SHOWN: ReadonlySet<TraceNode['kind']> = new Set(['plan', 'call', 'group', 'fold', 'emit', 'warning']);

/** What a run did, one line a step, and the whole trace on request. */
export function RunPhases({ run, session, labels, now }: RunPhasesProps): ReactElement {
  const [whole, setWhole] = useState(false);
  const steps = runChildren(run).filter((node) => SHOWN.has(node.kind));
  const before = steps.length - MAX_PHASES;
  return (
    <div className="cm-phases" data-part="phases">
      {!whole && steps.length > 0 && (
        <ol>
          {before > 0 && <li className="cm-muted">{labels.morePhases(before)}</li>}
          {steps.slice(-MAX_PHASES).map((node) => (
            <Phase key={node.id} node={node} labels={labels} now={now} />
          ))}
        </ol>
      )}
      {whole && (
        <div className="cm-phases-trace">
          <TracePanel session={session} run={run.id} labels={labels} />
        </div>
      )}
      <button type="button" className="cm-link" aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? labels.hideTrace : labels.showTrace}
      </button>
    </div>
  );
}

function Phase({ node, labels, now }: { readonly node: TraceNode; readonly labels: Labels; readonly now: number }): ReactElement {
  const duration = durationOf(node, now);
  const line = lineOf(node);
  const failures = node.children.length > 0 ? failuresIn(node) : 0;
  const status = failures > 0 ? labels.failedInside(failures) : statusWord(node, labels);
  return (
    <li className="cm-phase" data-kind={node.kind} data-status={statusOf(node)}>
      <span className="cm-status" data-status={statusOf(node)}>
        <Icon name={iconOf(node)} />
      </span>
      <span className="cm-phase-title">
        <Text value={phaseTitle(node, labels)} labels={labels} />
      </span>
      <span className="cm-muted">{status}</span>
      <span className="cm-spring" />
      {line !== undefined && <bdi className="cm-muted">{labels.line(line)}</bdi>}
      {duration !== undefined && <bdi className="cm-muted cm-number">{formatOf(labels).duration(duration)}</bdi>}
    </li>
  );
}

/** Parallel calls are named by their tools: what they did matters more than how. */
function phaseTitle(node: TraceNode, labels: Labels): string {
  if (node.kind !== 'group') return rowTitle(node, labels);
  const tools = new Map<string, number>();
  for (const { tool } of node.calls) tools.set(tool, (tools.get(tool) ?? 0) + 1);
  return [...tools].map(([tool, count]) => (count === 1 ? tool : `${tool} ${labels.times(count)}`)).join(', ');
}
