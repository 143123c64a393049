import { type ErrorCode, isCodeModeError } from '../errors.ts';
import type { CallError } from '../journal/events.ts';
import { encode } from '../protocol/codec.ts';
import { type EncodedText, MAX_ERROR_DATA_CHARS, type WireError } from '../protocol/wire.ts';

const MAX_MESSAGE = 4_000;

/** An error as the program meets it. `name` is the class it gets there. */
export function callError(code: ErrorCode, message: string, data?: Readonly<Record<string, unknown>>): CallError {
  return { code, name: NAMES[code] ?? 'ToolError', message: clip(message), ...(data && { data }) };
}

const NAMES: Partial<Record<ErrorCode, string>> = {
  tool_denied: 'ToolDeniedError',
  approval_expired: 'ToolDeniedError',
  invalid_input: 'InvalidInputError',
  tool_not_found: 'ToolNotFoundError',
  tool_timeout: 'ToolTimeoutError',
};

/**
 * What a handler threw, without stack, cause or fields of the host. A `ToolError` passes message and data on purpose;
 * of any other error only the message passes, and not even that with `redact`.
 */
export function thrownError(tool: string, thrown: unknown, redact: boolean): CallError {
  if (isCodeModeError(thrown) && thrown.name === 'ToolError')
    return callError('tool_error', thrown.message || `${tool} failed`, plain(thrown.data));
  if (redact) return callError('tool_error', `${tool} failed. The application keeps the reason to itself.`);
  return callError('tool_error', describeThrown(thrown) || `${tool} failed without a message`);
}

function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name;
    if (typeof thrown === 'string') return thrown;
    if (typeof thrown === 'object' && thrown !== null) {
      // Its other fields are the host's: a response with its headers, say.
      const { message } = thrown as { message?: unknown };
      return typeof message === 'string' ? message : '';
    }
    return String(thrown);
  } catch {
    return '';
  }
}

function plain(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  try {
    return Object.keys(data).length > 0 ? (JSON.parse(JSON.stringify(data)) as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The same error as a message for the worker. Data that cannot cross (too deep, too large) stays here: the error itself must. */
export function wireError(error: CallError): WireError {
  const { code, name, message, data } = error;
  const text = data === undefined ? undefined : encoded(data);
  return { code, name, message, ...(text !== undefined && { data: text }) };
}

function encoded(data: unknown): EncodedText | undefined {
  try {
    return encode(data, { maxBytes: MAX_ERROR_DATA_CHARS });
  } catch {
    return undefined;
  }
}

function clip(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}… (${text.length - MAX_MESSAGE} more characters)` : text;
}
