/** What a decision would permit, of what waits: as the owner's queue has it, or as a viewer reads it from the journal. Pure. */
import { GrantBook, type GrantedCall, wordsOf } from '../policy/grants.ts';
import { suggestGrantRule } from '../policy/grant-rule.ts';
import type { GrantPreview } from '../policy/types.ts';
import { decode } from '../protocol/codec.ts';
import type { EncodedText } from '../protocol/wire.ts';
import { callById } from '../store/calls.ts';
import type { SessionState } from '../store/state.ts';
import { defaultMatch } from './decide-call.ts';
import type { SessionGrants } from './types.ts';

/** A call that waits for a person. */
export interface WaitingCall {
  readonly id: string;
  readonly tool: string;
  /** Absent: too large to lie in the journal itself. */
  readonly input?: EncodedText;
  /** Absent where no permission can cover it. */
  readonly coverable?: GrantedCall;
}

/** What the owner's queue holds, as a page that follows it can tell. */
export function waitingCalls(state: SessionState): readonly WaitingCall[] {
  return state.pending.flatMap((id): WaitingCall[] => {
    const call = callById(state, id);
    if (!call?.approval) return [];
    const { tool, runId, undoes, approval } = call;
    const input = 'inline' in approval.input ? approval.input.inline : undefined;
    // One session has one definition of a tool at a time; the owner looks at it again.
    const covered = { tool, runId, definitionHash: '', risk: approval.risk, input: input ?? NO_TEXT };
    const isCoverable = undoes === undefined && !approval.own;
    return [{ id, tool, ...(input !== undefined && { input }), ...(isCoverable && { coverable: covered }) }];
  });
}

/** Of a call that is looked at alone: nothing is compared with it. */
const NO_TEXT = '' as EncodedText;

export function previewGrant(
  waiting: readonly WaitingCall[],
  callId: string,
  { scope, match = defaultMatch(scope) }: Parameters<SessionGrants['preview']>[1],
  canStore: boolean,
): GrantPreview {
  const pending = waiting.find(({ id }) => id === callId);
  if (!pending) return no([], 'the call does not wait');
  if (scope === 'once') return { ok: true, words: `${pending.tool}, this call`, alsoAllows: [] };
  const call = pending.coverable;
  if (!call) return no(['scope'], 'this call can only be decided by itself');
  if (call.risk === 'danger') return no(['scope'], 'a tool marked danger is asked about every time');
  if (scope === 'always' && !canStore) return no(['scope'], 'this application keeps no permissions');
  const words = wordsOf(call, { scope, match });
  if (typeof words !== 'string') return no(words.path, words.message);
  const trial = new GrantBook();
  trial.add(call, { scope, match });
  const others = waiting.filter(
    ({ id, input, coverable }) => id !== callId && input !== undefined && coverable && trial.use(coverable),
  );
  return { ok: true, words, alsoAllows: others.map(({ id }) => id) };
}

/** A rule that fits a waiting call. */
export function suggestRule(waiting: readonly WaitingCall[], callId: string): string | undefined {
  const text = waiting.find(({ id }) => id === callId)?.input;
  return text === undefined ? undefined : suggestGrantRule(decode(text));
}

function no(path: readonly string[], message: string): GrantPreview {
  return { ok: false, issues: [{ path, message }] };
}
