/** How a run fails, in words that say what to change. The counterpart of call-failure.ts. */
import { isCodeModeError } from '../errors.ts';
import type { RunError } from '../journal/events.ts';
import { DEFAULT_LIMITS, limitData } from '../protocol/limits.ts';
import { utf8Length } from '../protocol/utf8.ts';
import type { ExecuteReply, WireCall, WireError } from '../protocol/wire.ts';
import { excerptOf } from './excerpt.ts';
import { decodeSafely } from './outcome.ts';

/** Why a text is not even parsed. */
export function refuse(source: string, maxBytes: number): RunError | undefined {
  if (source.trim() === '') return error('syntax_error', 'The program is empty. Send the code of the program in `code`.');
  const bytes = utf8Length(source);
  if (bytes <= maxBytes) return undefined;
  return error(
    'source_too_large',
    `The program has ${bytes} bytes; the limit is ${maxBytes} (maxSourceBytes). Load data with tools instead of writing it into the program.`,
    limitData('maxSourceBytes', maxBytes, bytes),
  );
}

function error(code: RunError['code'], message: string, data?: Readonly<Record<string, unknown>>): RunError {
  return { code, name: 'CodeModeError', message, ...(data && { data }) };
}

/** `maxDurationMs` passed. */
export function durationError(limit: number): RunError {
  return error(
    'duration_limit',
    `The run took longer than ${limit} ms, not counting people (maxDurationMs). Calls that were running were aborted and may have had an effect: check before you repeat them, and do less in one program.`,
    limitData('maxDurationMs', limit),
  );
}

/** The program's value is over `maxResultBytes`. */
export function valueTooLarge(limit: number, bytes: number): RunError {
  const message = `The program's value has ${bytes} bytes; the limit is ${limit} (maxResultBytes). Return a summary.`;
  return error('value_too_large', message, limitData('maxResultBytes', limit, bytes));
}

/** What the host threw, without its own words unless they are ours. */
export function hostFailure(thrown: unknown): RunError {
  if (isCodeModeError(thrown)) return error(thrown.code, thrown.message, thrown.data);
  return error('executor_crashed', 'The executor failed in a way it must not. Nothing more will run in this program; try again.');
}

/** `onToolFailure: 'stop'`: the first failed call ended the run. */
export function stoppedAt(
  { id, tool, site }: WireCall,
  { code, name, message, data }: WireError,
  source: string,
  callId: (n: number) => string,
): RunError {
  const failure = {
    code,
    name,
    message: `The run stopped at its first failed call, ${tool}: ${message}`,
    call: id,
    ...(site && { site }),
    ...(data !== undefined && { data }),
  };
  return runError(failure, source, callId);
}

/** The failure as views and the model see it, with an excerpt of the program. */
export function runError(
  failure: Extract<ExecuteReply, { status: 'failed' }>['error'],
  source: string,
  callId: (n: number) => string,
): RunError {
  const { code, name, message, site, call, stack, data } = failure;
  const excerpt = site && excerptOf(source, site);
  return {
    code,
    name,
    message,
    ...(site && { site }),
    ...(excerpt !== undefined && { excerpt }),
    ...(call !== undefined && { callId: callId(call) }),
    ...(stack && { stack }),
    ...(data !== undefined && { data: decodeSafely(data, DEFAULT_LIMITS.maxDepth)?.value }),
  };
}

/** The value cannot be decoded. */
export function valueUnreadable(): RunError {
  return error('serialization_error', 'The value of the program is not readable. Return plain data.');
}
