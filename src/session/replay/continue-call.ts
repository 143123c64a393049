/** A call of a run that is brought back, from the step its facts had come to. */
import type { CatalogEntry } from '../../catalog/catalog.ts';
import type { RecordedCall } from '../../journal/recording.ts';
import { decode } from '../../protocol/codec.ts';
import type { EncodedText } from '../../protocol/wire.ts';
import type { CallFacts } from '../call-facts.ts';
import * as failures from '../call-failure.ts';
import { checkInput } from '../check-input.ts';
import type { Approved, CallJudge, Judged } from '../judge-call.ts';
import { laterResult } from '../later-result.ts';
import { rememberDecision } from '../remember-decision.ts';
import type { RunScope } from '../run-scope.ts';

/** What a call takes over from an earlier life of the page. */
export interface PastCall {
  readonly facts: RecordedCall;
  /** Of the tool as the program knew it. */
  readonly definitionHash: string | undefined;
  /** Called once the call waits as it did. */
  standing(): void;
}

/** What is to be done next; or the call has its result already. */
export type Next = Judged | { readonly settled: EncodedText };

/** @throws CallFailure where the tool is gone, or another one than the call was judged by */
export function checkTool(past: PastCall, entry: CatalogEntry | undefined): void {
  const { facts, definitionHash } = past;
  const isJudged = facts.policy ?? facts.approval ?? facts.started;
  if (!isJudged || (entry && (definitionHash === undefined || entry.definitionHash === definitionHash))) return;
  if (facts.started) throw failures.interrupted(facts.tool, 'the application changed or removed the tool meanwhile');
  throw failures.toolChanged(facts.tool);
}

export async function continueCall<C>(
  scope: RunScope<C>,
  judge: CallJudge<C>,
  facts: CallFacts,
  entry: CatalogEntry,
  proposed: Approved,
  past: PastCall,
): Promise<Next> {
  const { approval, decision, expired, started, token, policy } = past.facts;
  if (expired) throw failures.approvalExpired(entry.name);
  if (decision && approval) return decided(scope, judge, entry, proposed, past);
  if (approval) {
    const text = await scope.journal.load(approval.input);
    const current = { ...proposed, text, value: await checkInput(scope.ending, entry, decode(text), 'policy') };
    return judge.ask(entry, changed(current, proposed), askedFor(approval.reason, approval.doubt, approval.own), {
      approval,
      standing: past.standing,
    });
  }
  if (token !== undefined) return { settled: await laterResult(scope, facts, entry, past.standing) };
  if (started) {
    const text = started.input ? await scope.journal.load(started.input) : proposed.text;
    const current = { text, value: await checkInput(scope.ending, entry, decode(text), 'policy') };
    const approved = changed(current, proposed);
    if (started.repeatable && entry.idempotent) return { ...approved, agreed: 'person' };
    return judge.ask(entry, approved, askedFor(DOUBT, true));
  }
  if (policy?.effect === 'deny') throw failures.denied(entry.name, policy, 'application');
  // What the application allowed it judges anew: by now it may want a person to be asked. People need not say it twice.
  if (policy?.effect === 'allow' && (policy.by === 'grant' || policy.by === 'plan')) {
    const text = policy.input ? await scope.journal.load(policy.input) : proposed.text;
    const current = { text, value: await checkInput(scope.ending, entry, decode(text), 'policy') };
    return {
      ...changed(current, proposed),
      agreed: policy.by,
      ...(policy.grantId !== undefined && { grantId: policy.grantId }),
    };
  }
  return judge.judge(entry, proposed);
}

const NOT_AGAIN = 'a person decided not to run it again';
const DOUBT =
  'It had started when its page was closed, and nobody knows whether it took effect. Look first: give its result, or run it again.';

function askedFor(
  reason: string | undefined,
  doubt: true | undefined,
  own: true | undefined = doubt,
): Parameters<CallJudge<unknown>['ask']>[2] {
  return {
    effect: 'ask',
    by: 'default',
    ...(own && { own }),
    ...(reason !== undefined && { reason }),
    ...(doubt && { doubt }),
  };
}

function changed(current: Approved, proposed: Approved): Approved {
  return current.text === proposed.text ? current : { ...current, changed: true };
}

/** What a person decided before; nobody is asked again. */
async function decided<C>(
  scope: RunScope<C>,
  judge: CallJudge<C>,
  entry: CatalogEntry,
  proposed: Approved,
  { facts: { approval, decision, ordinal } }: PastCall,
): Promise<Next> {
  if (!decision || !approval) return proposed;
  switch (decision.decision) {
    case 'deny':
      if (approval.doubt) throw failures.interrupted(entry.name, NOT_AGAIN);
      throw failures.denied(entry.name, decision, 'person');
    case 'cancel_run':
      scope.cancelRun(decision.reason);
      throw failures.denied(entry.name, decision, 'person');
    case 'answer':
      return { answer: decision.output && decode(await scope.journal.load(decision.output)) };
    case 'allow': {
      const text = await scope.journal.load(decision.input ?? approval.input);
      const value = await checkInput(scope.ending, entry, decode(text), 'policy');
      const { grantId, scope: reach = 'once', match = 'tool' } = decision;
      const callId = `${scope.runId}:${ordinal}`;
      // The page was gone before it could remember what it was told to.
      const isKnown = scope.journal.events.some((event) => event.type === 'grant.created' && event.data.callId === callId);
      const ask = { callId, entry, text, reason: undefined, own: false, undoes: false };
      if (reach !== 'once' && grantId === undefined && !isKnown)
        await rememberDecision(scope, ask, { scope: reach, match }, text);
      const agreed = grantId === undefined ? ({ agreed: 'person' } as const) : ({ agreed: 'grant', grantId } as const);
      return { ...changed({ text, value }, proposed), ...agreed };
    }
  }
}
