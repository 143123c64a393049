'use client';
import type React from 'react';
import type { ReactElement } from 'react';
import type { GrantView, PlanView, RunView } from '../../store/state.ts';
import { Icon } from '../Icon.tsx';
import { ProgramExcerpt } from '../program/ProgramExcerpt.tsx';
import { Text } from '../text/Text.tsx';
import { CallDetails } from './CallDetails.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Part, Value, Words } from './DetailParts.tsx';
import { lineOf, type TraceNode } from './nodes.ts';
import { rowTitle, statusWord } from './row-words.ts';
import { iconOf, statusOf } from './status.ts';
import { useTraceModel } from './trace-context.ts';

export interface TraceDetailsProps {
  readonly node: TraceNode;
  readonly run: RunView | undefined;
  readonly grants: readonly GrantView[];
  readonly now: number;
  readonly onClose: () => void;
}

/** Everything about one row. */
export function TraceDetails({ node, run, grants, now, onClose }: TraceDetailsProps): ReactElement {
  const { labels } = useTraceModel();
  const line = lineOf(node);
  // What had the focus goes away; the tree's one tab stop does not.
  const close = ({ currentTarget }: React.SyntheticEvent): void => {
    currentTarget.closest('.cm-trace')?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus();
    onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the parts inside, as they come up
    <section
      className="cm-details"
      aria-label={labels.details}
      data-part="details"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close(event);
      }}
    >
      <header className="cm-details-head">
        <span className="cm-status" data-status={statusOf(node)}>
          <Icon name={iconOf(node)} />
        </span>
        <h3>
          <Text value={rowTitle(node, labels)} labels={labels} />
        </h3>
        <span className="cm-muted">{statusWord(node, labels)}</span>
        <span className="cm-spring" />
        <CopyButton node={node} />
        <button
          type="button"
          className="cm-button cm-icon-button"
          data-kind="plain"
          aria-label={labels.close}
          title={labels.close}
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </header>
      <div className="cm-details-body">
        <NodeDetails node={node} grants={grants} now={now} />
        {run && line !== undefined && (
          <div className="cm-details-excerpt">
            <Part title={`${labels.inProgram} · ${labels.line(line)}`}>
              <ProgramExcerpt source={run.source} line={line} labels={labels} context={2} />
            </Part>
          </div>
        )}
      </div>
    </section>
  );
}

function NodeDetails({ node, grants, now }: Pick<TraceDetailsProps, 'node' | 'grants' | 'now'>): ReactElement | null {
  const { labels } = useTraceModel();
  switch (node.kind) {
    case 'call':
      return <CallDetails call={node.call} grants={grants} now={now} />;
    case 'group':
    case 'fold':
      return <p className="cm-muted">{labels.calls(node.calls.length)}</p>;
    case 'plan':
      return <PlanDetails plan={node.plan} />;
    case 'dropped':
      return null;
    case 'console':
      return <Words text={node.item.text} />;
    case 'emit':
      return <Value title={labels.emitted} stored={node.item.value} />;
    case 'result':
      return <Value title={labels.result} stored={node.value} />;
    case 'warning':
      return <Words text={node.warning.message} />;
    case 'error':
      return (
        <>
          <p className="cm-note" data-tone="error">
            <code>{node.error.code}</code> <Text value={node.error.message} labels={labels} />
          </p>
          {node.error.excerpt !== undefined && <Words text={node.error.excerpt} />}
          {node.error.stack && <Words text={node.error.stack.join('\n')} />}
        </>
      );
    case 'cancelled':
      return <Words text={node.reason} />;
    case 'run':
      return <RunDetails run={node.run} />;
  }
}

function RunDetails({ run }: { readonly run: RunView }): ReactElement {
  const { labels } = useTraceModel();
  return (
    <>
      {run.warnings.map((warning) => (
        <p className="cm-note" data-tone="warning" key={warning.message}>
          <Text value={warning.message} labels={labels} />
        </p>
      ))}
      {run.value && <Value title={labels.result} stored={run.value} />}
      <Part title={labels.program}>
        <ProgramExcerpt source={run.source} line={undefined} labels={labels} context={20} />
      </Part>
    </>
  );
}

/** Tools that an allowed program may call without a further question, or those it would have. */
function PlanDetails({ plan }: { readonly plan: PlanView }): ReactElement {
  const { labels } = useTraceModel();
  return (
    <>
      {plan.decisionReason !== undefined && <Words text={plan.decisionReason} />}
      <ul className="cm-facts">
        {plan.tools.map(({ tool, risk }) => (
          <li key={tool}>
            <code>
              <Text value={tool} labels={labels} />
            </code>{' '}
            <span className="cm-muted">{labels.risk[risk]}</span>
          </li>
        ))}
        {plan.anyOf !== undefined && <li>{labels.planAnyOf(plan.anyOf, plan.tools.length)}</li>}
      </ul>
    </>
  );
}
