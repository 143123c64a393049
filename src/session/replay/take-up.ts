/** What is done about runs without an end when a page takes a session up: nothing runs, and nothing is shown as running. */
import { CodeModeError } from '../../errors.ts';
import type { RunError } from '../../journal/events.ts';
import type { Journal } from '../../journal/journal.ts';
import { openRuns } from '../../journal/open-runs.ts';
import { type RecordedCall, type RunRecording, recordingOf, waits } from '../../journal/recording.ts';
import { PROTOCOL_VERSION, type RunStats } from '../../protocol/wire.ts';
import { contextLost } from '../own-context.ts';
import { NO_ENGINE } from '../session-memory.ts';
import type { RunHandle } from '../run-types.ts';
import { otherVersion } from './divergence.ts';

export interface TakeUp {
  readonly journal: Journal;
  isLive(runId: string): boolean;
  /** Puts the run in its place again; it stands still there. */
  stand(recording: RunRecording): RunHandle;
}

/** Settles when every question of the session can be answered again. */
export async function takeUp({ journal, isLive, stand }: TakeUp): Promise<void> {
  const standing: Promise<void>[] = [];
  for (const runId of openRuns(journal.events)) {
    const recording = isLive(runId) ? undefined : recordingOf(journal.events, runId);
    if (!recording) continue;
    const why = whyOver(recording);
    if (why) {
      closeRun(journal, recording, why);
      continue;
    }
    for (const call of recording.calls.values()) if (isUnknown(call)) interrupt(journal, recording, call);
    if (isWaiting(recording)) standing.push(stand(recording).standing ?? Promise.resolve());
    else if (!recording.interrupted) journal.append('run.interrupted', {}, runId);
  }
  await Promise.all(standing);
}

/** True while somebody is waited for: a person, or whoever brings a result. */
function isWaiting({ calls, plan }: RunRecording): boolean {
  return (plan !== undefined && plan.decided === undefined) || [...calls.values()].some(waits);
}

/** It ran when the page was gone. */
function isUnknown({ started, approval, token, end }: RecordedCall): boolean {
  return started !== undefined && !approval && token === undefined && !end;
}

function interrupt(journal: Journal, { runId }: RunRecording, { ordinal, interrupted }: RecordedCall): void {
  if (!interrupted) journal.append('tool_call.interrupted', { callId: `${runId}:${ordinal}` }, runId);
}

type Over = { readonly cancelled: string | undefined } | { readonly error: RunError };

/** Runs that cannot go on, or were stopped and did not get to say so. */
function whyOver({ calls, started, undoes, queued }: RunRecording): Over | undefined {
  for (const { decision, end } of calls.values())
    if (decision?.decision === 'cancel_run' && !end) return { cancelled: decision.reason };
  if (undoes) return { error: interruptedUndo() };
  if (queued.ownContext) return { error: contextLost() };
  if (started && started.engine !== NO_ENGINE && started.protocol !== PROTOCOL_VERSION)
    return { error: otherVersion(started.protocol, PROTOCOL_VERSION) };
  const isDirect = started ? started.engine === NO_ENGINE : queued.direct === true;
  return isDirect && calls.size === 0 ? { error: notBegun() } : undefined;
}

/** Ends a run of an earlier life of the page. */
export function closeRun(journal: Journal, recording: RunRecording, how: Over): void {
  const { runId, calls } = recording;
  const reason = 'error' in how ? how.error.message : (how.cancelled ?? 'cancelled');
  for (const call of calls.values()) {
    if (call.end || call.kind !== 'tool') continue;
    if (isUnknown(call)) interrupt(journal, recording, call);
    else journal.append('tool_call.cancelled', { callId: `${runId}:${call.ordinal}`, reason }, runId);
  }
  const stats: RunStats = { computeMs: 0, peakMemoryBytes: 0, calls: calls.size, transferBytes: 0 };
  if ('error' in how) journal.append('run.failed', { error: how.error, warnings: [], stats }, runId);
  else
    journal.append(
      'run.cancelled',
      { ...(how.cancelled !== undefined && { reason: how.cancelled }), warnings: [], stats },
      runId,
    );
}

function interruptedUndo(): RunError {
  const message =
    'The page was closed before everything was taken back. What has been taken back stays so; undo the run again for the rest.';
  return { code: 'interrupted', name: 'CodeModeError', message };
}

function notBegun(): RunError {
  const message = 'The page was closed before the call began. Nothing was executed; call the tool again.';
  return { code: 'interrupted', name: 'CodeModeError', message };
}

/** @throws CodeModeError `invalid_options` */
export function unknownRun(method: string, id: string): CodeModeError {
  const message = `${method}: this session has no run or call ${JSON.stringify(id)} that this can be done with.`;
  return new CodeModeError('invalid_options', message, { id });
}
