/** Guards of the answers a worker gives: to `init`, `run` and `analyze`. Same rule as for frames: rebuilt or refused. */
import type { ErrorCode } from '../errors.ts';
import {
  type ModuleMessage,
  type ExecuteReply,
  MAX_ERROR_DATA_CHARS,
  type ProgramFacts,
  type ProgramFailure,
  type RunEnd,
  type SourcePosition,
  type ToolReference,
  type Warning,
  type WarningCode,
  type WireError,
  type WorkerLimits,
  type WorkerReady,
} from '../protocol/wire.ts';
import { clip, isAmount, isFields, isListOf, isSite, isString, isText, isWhole } from './guards.ts';

// What only informs is cut, not refused: a program may throw an error with any name.
const MAX_MESSAGE_CHARS = 65_536;
const MAX_NAME_CHARS = 1_024;
const MAX_STACK_FRAMES = 100;
const MAX_WARNINGS = 1_000;
const MAX_REFERENCES = 100_000;
/** Compiled code of the worker's file is about twice as long as the file. */
const MAX_CODE_BYTES = 8 * 1024 * 1024;

/** Codes that a program's end may carry. The other codes are the page's own to give. */
const PROGRAM_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'syntax_error',
  'unsupported_language',
  'program_error',
  'tool_error',
  'tool_not_found',
  'tool_denied',
  'invalid_input',
  'invalid_output',
  'invalid_options',
  'tool_timeout',
  'policy_failed',
  'approval_expired',
  'duration_limit',
  'transfer_limit',
  'timeout',
  'memory_limit',
  'stack_overflow',
  'call_limit',
  'source_too_large',
  'value_too_large',
  'serialization_error',
  'deadlock',
  'cancelled',
  'interrupted',
  'storage_error',
  'not_owner',
  'session_disposed',
  'replay_diverged',
  'executor_crashed',
  'environment_unsupported',
]);

/** Codes that a worker may warn with. `unknown_tool`, `unfit_input` and `state_lost` are the page's own. */
const WARNING_CODES: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'not_awaited',
  'timers_dropped',
  'unhandled_rejection',
  'nothing_called',
  'positional_argument',
  'output_truncated',
  'value_truncated',
  'no_value',
  'fences_removed',
  'other',
]);

const isCode = (value: unknown): value is ErrorCode => PROGRAM_CODES.has(value as ErrorCode);
const line = (text: string): string => clip(text, MAX_MESSAGE_CHARS);
const isCallId = (value: unknown): value is number => isWhole(value, 1, Number.MAX_SAFE_INTEGER);
const site = (value: SourcePosition | undefined): { site?: SourcePosition } =>
  value === undefined ? {} : { site: { line: value.line, column: value.column } };

/** The end of a run, or `undefined` when the worker's answer is none. */
export function readRunEnd(value: unknown, limits: WorkerLimits): RunEnd | undefined {
  if (!isFields(value) || typeof value.spent !== 'boolean' || !isWhole(value.frames, 0, Number.MAX_SAFE_INTEGER))
    return undefined;
  const reply = readReply(value.reply, limits);
  return reply && { reply, frames: value.frames, spent: value.spent };
}

function readReply(value: unknown, limits: WorkerLimits): ExecuteReply | undefined {
  if (!isFields(value) || !isAmount(value.computeMs) || !isAmount(value.peakMemoryBytes)) return undefined;
  if (!isListOf(value.notAwaited, limits.maxCalls, isCallId)) return undefined;
  const isFit = (item: unknown): item is Warning => isWarning(item, limits.maxCalls);
  if (!isListOf(value.warnings, MAX_WARNINGS, isFit)) return undefined;
  const shared = {
    warnings: value.warnings.map(copyWarning),
    notAwaited: [...value.notAwaited],
    computeMs: value.computeMs,
    peakMemoryBytes: value.peakMemoryBytes,
    ...(value.stateLost === true && { stateLost: true }),
  };
  if (value.status === 'completed') {
    if (value.value !== undefined && !isText(value.value, limits.maxResultBytes)) return undefined;
    return { ...shared, status: 'completed', value: value.value };
  }
  const error = value.status === 'failed' ? readFailure(value.error) : undefined;
  return error && { ...shared, status: 'failed', error };
}

/** One list of calls can stand in every warning of a message: copying it must stay cheap. */
function isWarning(value: unknown, maxCalls: number): value is Warning {
  return (
    isFields(value) &&
    WARNING_CODES.has(value.code as WarningCode) &&
    isString(value.message) &&
    isSite(value.site) &&
    (value.calls === undefined || isListOf(value.calls, maxCalls, isCallId))
  );
}

function copyWarning({ code, message, site: at, calls }: Warning): Warning {
  return { code, message: line(message), ...site(at), ...(calls === undefined ? {} : { calls: [...calls] }) };
}

function readFailure(value: unknown): ProgramFailure | undefined {
  if (!isFields(value) || !isCode(value.code) || !isString(value.name) || !isString(value.message)) return undefined;
  if (!isSite(value.site) || (value.call !== undefined && !isCallId(value.call))) return undefined;
  if (value.stack !== undefined && !isListOf(value.stack, MAX_STACK_FRAMES, isString)) return undefined;
  if (value.data !== undefined && !isText(value.data, MAX_ERROR_DATA_CHARS)) return undefined;
  return {
    code: value.code,
    name: clip(value.name, MAX_NAME_CHARS),
    message: line(value.message),
    ...site(value.site),
    ...(value.call === undefined ? {} : { call: value.call }),
    ...(value.stack === undefined ? {} : { stack: value.stack.map(line) }),
    ...(value.data === undefined ? {} : { data: value.data }),
  };
}

/** Facts about a program, or `undefined` when the worker's answer is none. `maxChars` bounds each text in them. */
export function readFacts(value: unknown, maxChars: number): ProgramFacts | undefined {
  if (!isFields(value) || typeof value.computedName !== 'boolean') return undefined;
  if (!isListOf(value.freeIdentifiers, MAX_REFERENCES, isString)) return undefined;
  if (!isListOf(value.references, MAX_REFERENCES, (item): item is ToolReference => isReference(item, maxChars))) return undefined;
  const syntaxError = value.syntaxError === undefined ? undefined : readFailure(value.syntaxError);
  if (value.syntaxError !== undefined && syntaxError === undefined) return undefined;
  return {
    ...(syntaxError === undefined ? {} : { syntaxError }),
    references: value.references.map(({ tool, known, site: at, literalInput, unconditional }) => ({
      tool: clip(tool, MAX_NAME_CHARS),
      known,
      site: { line: at.line, column: at.column },
      ...(literalInput === undefined ? {} : { literalInput }),
      unconditional,
    })),
    computedName: value.computedName,
    freeIdentifiers: [...value.freeIdentifiers],
  };
}

function isReference(value: unknown, maxChars: number): value is ToolReference {
  return (
    isFields(value) &&
    isString(value.tool) &&
    typeof value.known === 'boolean' &&
    typeof value.unconditional === 'boolean' &&
    value.site !== undefined &&
    isSite(value.site) &&
    (value.literalInput === undefined || isText(value.literalInput, maxChars))
  );
}

/** A worker's first answer, or `undefined`. */
export function readReady(value: unknown): WorkerReady | undefined {
  if (!isFields(value) || !isWhole(value.protocol, 0, 1_000_000) || !isText(value.engine, MAX_NAME_CHARS)) return undefined;
  const error = value.error === undefined ? undefined : readWireError(value.error);
  if (value.error !== undefined && error === undefined) return undefined;
  return {
    protocol: value.protocol,
    engine: value.engine,
    compiled: value.compiled === true,
    ...(error === undefined ? {} : { error }),
  };
}

/** What a worker that has not run any program yet gives to those that come after it. */
export function readModule(message: unknown): ModuleMessage | undefined {
  if (!isFields(message) || !(message.module instanceof WebAssembly.Module)) return undefined;
  const { module, context, code } = message;
  const isCode = code instanceof Uint8Array && code.byteLength <= MAX_CODE_BYTES;
  return { module, context: isFields(context) ? context : undefined, code: isCode ? code : undefined };
}

function readWireError(value: unknown): WireError | undefined {
  if (!isFields(value) || !isCode(value.code) || !isString(value.name) || !isString(value.message)) return undefined;
  return { code: value.code, name: clip(value.name, MAX_NAME_CHARS), message: line(value.message) };
}
