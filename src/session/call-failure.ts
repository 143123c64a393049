/** How a call fails, in words that let a program be repaired. Every failure says whether the tool ran. */
import { issuesText } from '../catalog/validation.ts';
import type { CatalogEntry, SchemaIssue } from '../catalog/catalog.ts';
import type { ErrorCode } from '../errors.ts';
import type { CallError, EventData } from '../journal/events.ts';
import type { Verdict } from '../policy/evaluate.ts';
import { SerializationError } from '../protocol/codec.ts';
import { limitData, type Limits } from '../protocol/limits.ts';
import { callError } from './call-errors.ts';

export type FailurePhase = EventData['tool_call.failed']['phase'];

/** The call ends with an error that the program gets. */
export class CallFailure extends Error {
  readonly error: CallError;
  /** Absent for a denial, which is a fact of its own. */
  readonly phase: FailurePhase | undefined;

  constructor(error: CallError, phase?: FailurePhase) {
    super(error.message);
    this.error = error;
    this.phase = phase;
  }
}

/** The run ended first. */
export class RunOver extends Error {}

export function tooManyCalls(limit: number): CallFailure {
  const message = `This run may make ${limit} tool calls (maxCalls); this one is one more and did not run. Ask for more per call, or split the work into several programs.`;
  return failure('call_limit', message, 'input', limitData('maxCalls', limit));
}

/** `suggestions`: names that are close. */
export function toolNotFound(tool: string, suggestions: readonly string[], phase?: FailurePhase): CallFailure {
  const close = suggestions.map((name) => `tools[${JSON.stringify(name)}]`).join(' or ');
  const hint = close === '' ? 'Look for tools with codemode.search("…").' : `Did you mean ${close}?`;
  return failure('tool_not_found', `There is no tool ${JSON.stringify(tool)}. ${hint}`, phase, { tool, suggestions });
}

export function inputTooLarge(tool: string, bytes: number, limit: number): CallFailure {
  const message = `The input of ${tool} has ${bytes} bytes, the limit is ${limit} (maxInputBytes). Send less, or a reference to the data.`;
  return failure('value_too_large', message, 'input', limitData('maxInputBytes', limit, bytes));
}

export function inputUnreadable(tool: string, error: unknown): CallFailure {
  return failure('invalid_input', `The input of ${tool} is not readable: ${messageOf(error)}`, 'input', dataOf(error));
}

/** `byPolicy`: it is the application's or a person's change that does not fit. */
export function inputInvalid(tool: string, issues: readonly SchemaIssue[], byPolicy: boolean): CallFailure {
  const who = byPolicy ? 'as the application changed it ' : '';
  const message = `The input of ${tool} ${who}does not fit its schema: ${issuesText(issues)} It did not run; call it again with a corrected input.`;
  return failure('invalid_input', message, byPolicy ? 'policy' : 'input', { issues });
}

export function denied(
  tool: string,
  { reason, failed }: Pick<Verdict, 'reason' | 'failed'>,
  who: 'application' | 'person',
): CallFailure {
  if (failed) {
    return failure(
      'policy_failed',
      `${tool} was denied: the application's own check failed. It did not run; do not repeat it.`,
      undefined,
      {
        tool,
      },
    );
  }
  const because = reason === undefined || reason === '' ? '' : `: ${reason}`;
  const stop = /[.!?…]$/.test(because) ? '' : '.';
  const message = `${tool} was denied by the ${who}${because}${stop} It did not run; do not repeat it unchanged.`;
  return failure('tool_denied', message, undefined, { tool, ...(reason !== undefined && { reason }) });
}

/** A rehearsal that cannot go on. */
export function notSimulated({ name }: CatalogEntry): CallFailure {
  const message = `${name} was not simulated: no value that fits its output schema could be made. It did not run.`;
  return failure('policy_failed', message, 'policy', { tool: name });
}

export function approvalExpired(tool: string): CallFailure {
  const message = `${tool} was denied: nobody answered in time (expired). It did not run.`;
  return failure('approval_expired', message, undefined, { tool, reason: 'expired' });
}

export function toolChanged(tool: string): CallFailure {
  const message = `${tool} did not run: the application changed or removed the tool meanwhile. Look it up again.`;
  return failure('tool_denied', message, undefined, { tool });
}

/** It had started when its page was gone, and nobody repeats it. */
export function interrupted(tool: string, why: string): CallFailure {
  const message = `${tool} may have taken effect: its page was closed while it ran, and ${why}. Check before you repeat it.`;
  return failure('interrupted', message, 'handler', { tool });
}

export function timedOut({ name, risk }: CatalogEntry, limit: number): CallFailure {
  const effect =
    risk === 'read' ? 'It changes nothing; ask it for less.' : 'It may have had an effect; check before you repeat it.';
  const message = `${name} took longer than ${limit} ms (toolTimeoutMs). ${effect}`;
  return failure('tool_timeout', message, 'timeout', limitData('toolTimeoutMs', limit));
}

export function outputInvalid({ name }: CatalogEntry, issues: readonly SchemaIssue[]): CallFailure {
  const message = `${name} ran, but its result does not fit its output schema: ${issuesText(issues)} Do not repeat it; report the fault.`;
  return failure('invalid_output', message, 'output', { issues });
}

/** `redact`: a getter of the handler's may have thrown, and what it says is the application's. */
export function outputUnsendable({ name }: CatalogEntry, error: unknown, redact: boolean): CallFailure {
  const code = (error as { code?: ErrorCode } | null)?.code === 'value_too_large' ? 'value_too_large' : 'serialization_error';
  const path = error instanceof SerializationError ? error.path : 'it';
  const why = redact && code === 'serialization_error' ? `${path} cannot be read as plain data.` : messageOf(error);
  return failure(code, `${name} ran, but its result cannot be handed over: ${why}`, 'output', dataOf(error));
}

export function outputTooLarge({ name }: CatalogEntry, bytes: number, limit: number): CallFailure {
  const message = `${name} ran, but its result has ${bytes} bytes; the limit is ${limit} (maxResultBytes). Ask for less.`;
  return failure('value_too_large', message, 'output', limitData('maxResultBytes', limit, bytes));
}

export function transferExceeded({ maxTransferBytes }: Limits, phase: FailurePhase): CallFailure {
  return new CallFailure(transferError(maxTransferBytes), phase);
}

/** `maxTransferBytes` is used up. */
export function transferError(limit: number): CallError {
  const message = `The inputs and results of this run are more than ${limit} bytes together (maxTransferBytes). Ask for less, or split the work into several programs.`;
  return callError('transfer_limit', message, limitData('maxTransferBytes', limit));
}

function failure(code: ErrorCode, message: string, phase?: FailurePhase, data?: Readonly<Record<string, unknown>>): CallFailure {
  return new CallFailure(callError(code, message, data), phase);
}

/** Path and limit, where it is the codec that refused. */
function dataOf(error: unknown): Readonly<Record<string, unknown>> | undefined {
  return error instanceof SerializationError ? error.data : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
