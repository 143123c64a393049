import type { CatalogEntry } from '../catalog/catalog.ts';
import type { EventData } from '../journal/events.ts';
import type { ApprovalResult } from '../policy/approvals.ts';
import { decode } from '../protocol/codec.ts';
import { digest } from '../protocol/digest.ts';
import type { EncodedText } from '../protocol/wire.ts';
import { inDoubt, inUndo, plainQuestion } from './asked-words.ts';
import { settleCall } from './decide-call.ts';
import type { RunScope } from './run-scope.ts';

/** A call as it is put before a person. */
export interface Ask {
  readonly callId: string;
  readonly entry: CatalogEntry;
  /** The text that runs when it is allowed as it is. */
  readonly text: EncodedText;
  /** Why a person is asked. */
  readonly reason: string | undefined;
  /** Only a decision about this very call counts: a limit was passed. */
  readonly own: boolean;
  /** It takes another call back: its input is that call's and is not changed, and the tool gives no result. */
  readonly undoes: boolean;
  /** It may have had its effect already. */
  readonly doubt?: true;
  readonly again?: AskedAgain;
}

/** A question that an earlier life of the page asked, and that is still open. */
export interface AskedAgain {
  readonly approval: EventData['approval.requested'];
  /** Called once it can be decided. */
  standing(): void;
}

/** Opens an approval and waits for its end: a decision, the end of the run, or its own expiry. */
export async function askPerson<C>(scope: RunScope<C>, ask: Ask): Promise<ApprovalResult> {
  const { journal, clock, approvals, approvalTimeoutMs, runId } = scope;
  const { callId, entry, text, again, doubt } = ask;
  const inputDigest = digest(text);
  const { question, failed } = questionOf(ask);
  const reason = failed ?? ask.reason;
  const patience = approvalTimeoutMs === undefined ? undefined : clock.now() + approvalTimeoutMs;
  const expiresAt = again ? again.approval.expiresAt : patience;
  const { name: tool, definitionHash, risk } = entry;
  const isCoverable = !ask.own && !ask.undoes;
  const waited = approvals.wait({
    id: callId,
    runId,
    tool,
    input: text,
    ...(isCoverable && { coverable: { tool, definitionHash, risk, runId, input: text } }),
    ...(expiresAt !== undefined && { expiresAt }),
    settle: (decision, grantId) => settleCall(scope, { ...ask, inputDigest }, decision, grantId),
  });
  if (!again) {
    const said = {
      ...(reason !== undefined && { reason }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(doubt && { doubt }),
      ...(ask.own && { own: true as const }),
    };
    journal.append('approval.requested', { callId, question, risk, input: journal.store(text), inputDigest, ...said }, runId);
  }
  scope.waiting(callId, true);
  again?.standing();
  const left = expiresAt === undefined ? 0 : Math.max(0, expiresAt - clock.now());
  const cancelTimer = expiresAt === undefined ? undefined : clock.schedule(() => approvals.close(callId, 'expired'), left);
  const off = scope.ending.onEnd(() => approvals.close(callId, 'ended'));
  if (scope.ending.over) approvals.close(callId, 'ended');
  const result = await waited;
  cancelTimer?.();
  off();
  if (result.kind === 'expired' && !scope.ending.over) journal.append('approval.expired', { callId }, runId);
  // Before the run is said to go on: it does not.
  if (result.kind === 'cancel_run') scope.cancelRun(result.reason);
  scope.waiting(callId, false);
  return result;
}

function questionOf({ entry, text, undoes, doubt }: Ask): { question: string; failed?: string } {
  const asked = (words: string): string => {
    if (doubt) return inDoubt(words);
    return undoes ? inUndo(words) : words;
  };
  const neutral = asked(plainQuestion(entry.title));
  if (!entry.tool.describeCall) return { question: neutral };
  try {
    const words = entry.tool.describeCall(decode(text));
    if (typeof words === 'string' && words.trim() !== '') return { question: asked(words) };
    return { question: neutral, failed: '`describeCall` gave no sentence' };
  } catch {
    return { question: neutral, failed: '`describeCall` failed' };
  }
}
