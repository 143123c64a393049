'use client';
import { type ReactElement, useState } from 'react';
import type { Session } from '../../session/types.ts';
import type { CallView, RunView, SessionState } from '../../store/state.ts';
import { ApprovalInline } from '../approval/ApprovalInline.tsx';
import { ApprovalInput } from '../approval/ApprovalInput.tsx';
import { ApprovalIntent, ApprovalProgram } from '../approval/ApprovalParts.tsx';
import { review } from '../approval/approval-ui.ts';
import type { GuardPolicy } from '../approval/guard.ts';
import { questionWords } from '../approval/question-words.ts';
import { useCanReview } from '../approval/use-approval-ui.ts';
import { formatOf, useLabels } from '../context.ts';
import { Icon } from '../Icon.tsx';
import type { Labels } from '../labels.ts';
import { type LazyPart, lazyPart, usePartWhen } from '../lazy-part.ts';
import { ProgramExcerpt } from '../program/ProgramExcerpt.tsx';
import { compact } from '../text/describe-value.ts';
import { secretPaths } from '../../journal/secrets.ts';
import { Text } from '../text/Text.tsx';
import { visibleText } from '../text/visible-text.ts';
import { useSelected } from '../use-selected.ts';
import { useSession } from '../use-session.ts';
import { useValue } from '../use-value.ts';
import type { RunPhases } from './RunPhases.tsx';
import { RunContinue } from './RunContinue.tsx';
import { RUN_ICONS } from './status.ts';
import { runDuration } from './times.ts';
import { useNow } from './use-now.ts';

export interface CodeModeRunProps {
  readonly runId: string;
  /** @default the provider's session */
  readonly session?: Session;
  /** Shown until the session knows the run, e.g. while the model still writes it. */
  readonly code?: string;
  /** The message was there before this page: a run that the session does not know was interrupted. @default false */
  readonly restored?: boolean;
  /**
   * Where the run's questions are asked: in the message, where the dialog then leaves them alone until somebody presses *Review*;
   * in the dialog, with a line in the message; or in both, where one answer counts.
   * @default 'inline'
   */
  readonly approval?: 'inline' | 'dialog' | 'both';
  /** Quiet period before a decision counts, ms. @default 500 */
  readonly guardMs?: number;
  /** For component tests only (`testGuard()` of the testing entry). */
  readonly guard?: GuardPolicy;
  readonly labels?: Partial<Labels>;
  readonly className?: string;
}

/** What an opened message shows of a run; most stay closed. */
export const runPhases: LazyPart<typeof RunPhases> = /* @__PURE__ */ lazyPart(
  async () => (await import('./RunPhases.tsx')).RunPhases,
);

interface Shown {
  readonly run: RunView | undefined;
  readonly waiting: CallView | undefined;
  readonly failed: number;
  readonly denied: number;
}

/** A run as one quiet line of a chat message; it grows only while something needs a person or went wrong. */
export function CodeModeRun(props: CodeModeRunProps): ReactElement | null {
  const { runId, session: own, code, restored = false, approval = 'inline', labels: words, className = '' } = props;
  const session = useSession(own);
  const labels = useLabels(words);
  const format = formatOf(labels);
  const { run, waiting, failed, denied } = useSelected(session, (state) => pick(state, runId));
  const [open, setOpen] = useState(false);
  const now = useNow(run !== undefined && run.endedAt === undefined && run.status !== 'interrupted');
  const canReview = useCanReview(session);
  const phases = usePartWhen(open, runPhases);
  const source = run?.source ?? code;
  if (source === undefined) return null;
  const title = visibleText(run?.title ?? labels.untitledRun);
  const status = run?.status ?? (restored ? 'interrupted' : 'queued');
  return (
    <div
      role="group"
      aria-label={title}
      className={`cm-root cm-run ${className}`}
      data-status={status}
      data-cm-run={runId}
      tabIndex={-1}
    >
      {/* At the beginning of a line: at the end of one it would reach out of the page. */}
      <span className="cm-hidden" role="status">
        {run && `${title}: ${labels.runStatus[status]}`}
      </span>
      <button type="button" className="cm-run-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="cm-twisty" data-open={open || undefined}>
          <Icon name="chevron" />
        </span>
        <span className="cm-run-title">
          <Text value={run?.title ?? labels.untitledRun} labels={labels} />
        </span>
        {run && (
          <span className="cm-muted">
            · <bdi>{labels.calls(run.calls.length)}</bdi>
          </span>
        )}
        {failed > 0 && (
          <span className="cm-muted">
            · <bdi>{labels.failedInside(failed)}</bdi>
          </span>
        )}
        {denied > 0 && (
          <span className="cm-muted">
            ·{' '}
            <bdi>
              {format.number(denied)} {labels.callStatus.denied}
            </bdi>
          </span>
        )}
        {run && (
          <span className="cm-muted cm-number">
            · <bdi>{format.duration(runDuration(run, now))}</bdi>
          </span>
        )}
        <span className="cm-run-status" data-status={status}>
          <Icon name={RUN_ICONS[status]} />
          {labels.runStatus[status]}
        </span>
      </button>
      {approval !== 'dialog' && run?.endedAt === undefined && (
        <ApprovalInline
          runId={runId}
          session={session}
          guardMs={props.guardMs}
          guard={props.guard}
          labels={words}
          decided={false}
          shared={approval === 'both'}
        >
          <ApprovalInput />
          {/* Its line only: question and buttons stand on one screen, and the message has the whole program. */}
          <ApprovalProgram context={0} />
          <ApprovalIntent />
        </ApprovalInline>
      )}
      {approval === 'dialog' && waiting?.approval && (
        <div className="cm-run-waiting">
          <Icon name={waiting.approval.risk} />
          <span>
            <Text value={questionWords(waiting, labels)} labels={labels} />
          </span>
          {session && canReview && (
            <button type="button" className="cm-button" data-kind="primary" onClick={() => review(session, waiting.id)}>
              {labels.review}
            </button>
          )}
        </div>
      )}
      {run && session && <RunContinue run={run} session={session} labels={labels} />}
      {run?.error && (
        <p className="cm-note" data-tone="error">
          {run.error.site && `${labels.line(run.error.site.line)}: `}
          <Text value={run.error.message} labels={labels} />
        </p>
      )}
      {open && (
        <div className="cm-run-open">
          {run && phases.status === 'ready' && <phases.value run={run} session={session} labels={labels} now={now} />}
          {run && <Result run={run} session={session} labels={labels} />}
          <ProgramExcerpt source={source} line={undefined} labels={labels} context={Number.POSITIVE_INFINITY} />
        </div>
      )}
    </div>
  );
}

function Result({
  run,
  session,
  labels,
}: {
  readonly run: RunView;
  readonly session: Session | undefined;
  readonly labels: Labels;
}): ReactElement | null {
  const read = useValue(session, run.value);
  if (!run.value || read.status !== 'ready') return null;
  return (
    <p className="cm-run-result">
      <span className="cm-muted">{labels.result}</span>
      <code>
        <Text value={compact(read.value, 300, secretPaths(read.value))} labels={labels} />
      </code>
    </p>
  );
}

function pick(state: SessionState, runId: string): Shown {
  const run = Object.hasOwn(state.runs, runId) ? state.runs[runId] : undefined;
  const calls = run?.calls ?? [];
  return {
    run,
    waiting: calls.find((call) => call.status === 'waiting_approval'),
    failed: calls.filter((call) => call.status === 'failed').length,
    denied: calls.filter((call) => call.status === 'denied').length,
  };
}
