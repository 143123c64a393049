/** AG-UI 1.0: a run ends with interrupts, the next one brings an answer to each. */
import type { Decision } from '../types.ts';
import type { PendingCall } from './pending-call.ts';
import { toDecision, toPlainDecision } from './plain.ts';

export interface AgUiInterrupt {
  readonly id: string;
  readonly reason: string;
  readonly message?: string;
  readonly toolCallId?: string;
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface AgUiResumeEntry {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  readonly payload?: unknown;
}

const RESPONSE_SCHEMA = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, editedArgs: {}, reason: { type: 'string' } },
  required: ['approved'],
} as const;

/** The question about a waiting call. Its id is the call's. */
export function toAgUiInterrupt({ callId, tool, question, input, expiresAt }: PendingCall): AgUiInterrupt {
  return {
    id: callId,
    reason: 'tool_call',
    message: question,
    toolCallId: callId,
    responseSchema: RESPONSE_SCHEMA,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    metadata: { tool, input },
  };
}

/** The waiting call of a question that `toAgUiInterrupt` made; nothing for another one. */
export function fromAgUiInterrupt({ id, message, expiresAt, metadata }: AgUiInterrupt): PendingCall | undefined {
  const tool = metadata?.['tool'];
  if (typeof tool !== 'string' || message === undefined) return undefined;
  const at = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt);
  return { callId: id, tool, question: message, input: metadata?.['input'], ...(!Number.isNaN(at) && { expiresAt: at }) };
}

/** What an answer decides about the call of that id. Abandoning the interrupt ends the run; what is not understood is no permission. */
export function fromAgUiResume({ interruptId, status, payload }: AgUiResumeEntry): {
  readonly callId: string;
  readonly decision: Decision;
} {
  if (status === 'cancelled') return { callId: interruptId, decision: { kind: 'cancelRun' } };
  if (typeof payload !== 'object' || payload === null)
    return { callId: interruptId, decision: { kind: status === 'resolved' && payload === true ? 'allow' : 'deny' } };
  const { approved, editedArgs, reason } = payload as { approved?: unknown; editedArgs?: unknown; reason?: unknown };
  const isApproved = status === 'resolved' && approved === true;
  return {
    callId: interruptId,
    decision: toDecision({
      approved: isApproved,
      ...(isApproved ? { input: editedArgs } : typeof reason === 'string' && { reason }),
    }),
  };
}

/** A decision as an answer; nothing where it says more than an answer can. */
export function toAgUiResume(callId: string, decision: Decision): AgUiResumeEntry | undefined {
  if (decision.kind === 'cancelRun')
    return decision.reason === undefined ? { interruptId: callId, status: 'cancelled' } : undefined;
  const plain = toPlainDecision(decision);
  if (!plain) return undefined;
  const { allowed: approved, input, reason } = plain;
  const payload = { approved, ...(input !== undefined && { editedArgs: input }), ...(reason !== undefined && { reason }) };
  return { interruptId: callId, status: 'resolved', payload };
}
