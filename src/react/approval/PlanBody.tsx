'use client';
import type { ReactElement, Ref } from 'react';
import type { PlannedTool } from '../../journal/events.ts';
import { formatOf } from '../context.ts';
import type { Labels } from '../labels.ts';
import { ProgramExcerpt } from '../program/ProgramExcerpt.tsx';
import { Text } from '../text/Text.tsx';
import { mixedScript } from '../text/visible-text.ts';
import type { PlanRequest } from './asked.ts';
import { RiskBadge } from './RiskBadge.tsx';
import { Quoted } from './Quoted.tsx';

export interface PlanBodyProps {
  readonly plan: PlanRequest;
  readonly labels: Labels;
  readonly questionId: string;
  readonly headingRef?: Ref<HTMLHeadingElement>;
}

/** The question, the tools that the program can reach with their risk, and the whole program. */
export function PlanBody({ plan: { run, plan }, labels, questionId, headingRef }: PlanBodyProps): ReactElement {
  const { tools, anyOf } = plan;
  return (
    <>
      <div data-part="question">
        <h2 className="cm-question" id={questionId} ref={headingRef} tabIndex={-1}>
          {labels.planQuestion}
        </h2>
        <p className="cm-muted cm-consequence">
          {labels.nothingRan}
          {plan.expiresAt !== undefined &&
            ` · ${labels.expiresIn(formatOf(labels).duration(Math.max(0, plan.expiresAt - plan.requestedAt)))}`}
        </p>
        {run.title !== undefined && run.title !== '' && (
          <Quoted data-part="intent" caption={labels.planTitle} words={run.title} labels={labels} />
        )}
      </div>
      <section className="cm-section" data-part="tools">
        <div className="cm-section-head">
          <h3>{tools.length === 0 ? labels.planNamesNone : labels.planTools(tools.length)}</h3>
        </div>
        {anyOf !== undefined && (
          <p className="cm-note" data-tone="warning">
            {labels.planAnyOf(anyOf, tools.length)}
          </p>
        )}
        {tools.length > 0 && (
          <ul className="cm-plan-tools">
            {tools.map((tool) => (
              <PlannedToolRow key={tool.tool} tool={tool} labels={labels} />
            ))}
          </ul>
        )}
        {tools.length > 0 && <p className="cm-muted cm-small">{labels.planCovers}</p>}
      </section>
      <section className="cm-section" data-part="program">
        <div className="cm-section-head">
          <h3>{labels.program}</h3>
          <span className="cm-muted">{labels.characters(run.source.length)}</span>
        </div>
        <ProgramExcerpt source={run.source} line={undefined} labels={labels} context={Number.POSITIVE_INFINITY} />
      </section>
    </>
  );
}

function PlannedToolRow({ tool, labels }: { readonly tool: PlannedTool; readonly labels: Labels }): ReactElement {
  const lines = [...new Set(tool.sites.map(({ line }) => line))];
  const script = mixedScript(tool.tool);
  return (
    <li>
      <RiskBadge risk={tool.risk} labels={labels} />
      <span className="cm-tool-name">
        <Text value={tool.tool} labels={labels} />
      </span>
      {tool.title !== tool.tool && (
        <span className="cm-muted">
          <Text value={tool.title} labels={labels} />
        </span>
      )}
      {lines.length > 0 && <span className="cm-muted">{labels.planLines(lines.join(', '), lines.length)}</span>}
      {tool.askedAnyway && <span className="cm-asked">{labels.planAsked}</span>}
      {script && (
        <span className="cm-note" data-tone="warning">
          {labels.mixedScript(script)}
        </span>
      )}
    </li>
  );
}
