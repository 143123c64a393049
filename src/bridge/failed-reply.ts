import type { ErrorCode, ErrorData } from '../errors.ts';
import type { ExecuteReply } from '../protocol/wire.ts';

/** What was measured of a run before it was cut off. Milliseconds and bytes. */
export interface Spent {
  readonly computeMs: number;
  readonly peakMemoryBytes: number;
}

const NAMES: Partial<Record<ErrorCode, string>> = {
  timeout: 'TimeoutError',
  cancelled: 'CancelledError',
  environment_unsupported: 'EnvironmentError',
};

/** The reply of a run that the bridge ended, not the program. */
export function failedReply(
  fault: { readonly code: ErrorCode; readonly message: string; readonly data?: ErrorData },
  spent: Spent = { computeMs: 0, peakMemoryBytes: 0 },
): ExecuteReply {
  const { code, message, data } = fault;
  return {
    status: 'failed',
    error: { code, name: NAMES[code] ?? 'ExecutorError', message, ...(data === undefined ? {} : { data: JSON.stringify(data) }) },
    warnings: [],
    notAwaited: [],
    computeMs: spent.computeMs,
    peakMemoryBytes: spent.peakMemoryBytes,
  };
}
