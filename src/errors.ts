/**
 * The stable codes of everything that can go wrong. A code never changes its meaning; messages may.
 * Codes of a failed run or call reach the program and the model, the others only the application.
 */
export type ErrorCode =
  | 'invalid_options'
  | 'invalid_tool'
  | 'policy_failed'
  | 'approval_expired'
  | 'duration_limit'
  | 'transfer_limit'
  | 'storage_error'
  | 'not_owner'
  | 'session_disposed'
  | 'interrupted'
  | 'executor_unavailable'
  | 'syntax_error'
  | 'unsupported_language'
  | 'program_error'
  | 'tool_error'
  | 'tool_not_found'
  | 'tool_denied'
  | 'invalid_input'
  | 'invalid_output'
  | 'tool_timeout'
  | 'timeout'
  | 'memory_limit'
  | 'stack_overflow'
  | 'call_limit'
  | 'source_too_large'
  | 'value_too_large'
  | 'serialization_error'
  | 'deadlock'
  | 'cancelled'
  | 'executor_crashed'
  | 'replay_diverged'
  | 'environment_unsupported';

/** Plain facts beside a message: names, paths, limits. JSON values only. */
export type ErrorData = Readonly<Record<string, unknown>>;

/** Base of every error this package throws. */
export class CodeModeError extends Error {
  override readonly name: string = 'CodeModeError';
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, message: string, data: ErrorData = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}

/** An option, a tool set or an argument was refused before anything ran. `data.path` says where. */
export class InvalidOptionsError extends CodeModeError {
  override readonly name = 'InvalidOptionsError';
}

/**
 * Thrown by a tool's `execute` to tell the program and the model something on purpose: `message` and `data` reach both
 * even with `redactErrors`.
 */
export class ToolError extends CodeModeError {
  override readonly name = 'ToolError';

  constructor(message: string, data: ErrorData = {}) {
    super('tool_error', message, data);
  }
}

/** The environment cannot run programs: no Worker, WebAssembly blocked by CSP, worker file unreachable. */
export class EnvironmentError extends CodeModeError {
  override readonly name = 'EnvironmentError';
}

/** True for a value that is one of this package's errors, also across two copies of the package. */
export function isCodeModeError(value: unknown): value is CodeModeError {
  return value instanceof Error && typeof (value as { code?: unknown }).code === 'string' && 'data' in value;
}
