/** LangGraph's human interrupt: a person accepts, edits, responds instead of the tool, or ignores. */
import type { Decision } from '../types.ts';
import type { PendingCall } from './pending-call.ts';

export interface HumanInterrupt {
  readonly action_request: { readonly action: string; readonly args: Readonly<Record<string, unknown>> };
  readonly config: {
    readonly allow_ignore: boolean;
    readonly allow_respond: boolean;
    readonly allow_edit: boolean;
    readonly allow_accept: boolean;
  };
  readonly description?: string;
}

export interface HumanResponse {
  readonly type: 'accept' | 'ignore' | 'response' | 'edit';
  readonly args: null | string | HumanInterrupt['action_request'];
}

const EVERYTHING = { allow_ignore: true, allow_respond: true, allow_edit: true, allow_accept: true } as const;

/** The question about a waiting call. Its id travels beside it: this message has none. */
export function toHumanInterrupt({ tool, question, input }: Omit<PendingCall, 'callId'>): HumanInterrupt {
  return { action_request: { action: tool, args: argsOf(input) }, config: EVERYTHING, description: question };
}

/** What a response decides. A text stands for the tool's result, as there; what is not understood is no permission. */
export function fromHumanResponse({ type, args }: HumanResponse): Decision {
  if (type === 'accept') return { kind: 'allow' };
  if (type === 'response') return { kind: 'answer', output: args };
  if (type !== 'edit' || typeof args !== 'object' || args === null) return { kind: 'deny' };
  return typeof args.args === 'object' && args.args !== null ? { kind: 'allow', input: args.args } : { kind: 'deny' };
}

/** A decision as a response; nothing where it says more than a response can: a reason, a wider scope, the end of the run. */
export function toHumanResponse(tool: string, decision: Decision): HumanResponse | undefined {
  if (decision.kind === 'deny') return decision.reason === undefined ? { type: 'ignore', args: null } : undefined;
  if (decision.kind === 'answer')
    return typeof decision.output === 'string' && decision.reason === undefined
      ? { type: 'response', args: decision.output }
      : undefined;
  if (decision.kind !== 'allow' || (decision.scope ?? 'once') !== 'once') return undefined;
  if (decision.input === undefined) return { type: 'accept', args: null };
  return isRecord(decision.input) ? { type: 'edit', args: { action: tool, args: decision.input } } : undefined;
}

/** Arguments are an object there; any other input stands in one field. */
function argsOf(input: unknown): Readonly<Record<string, unknown>> {
  return isRecord(input) ? input : { input };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
