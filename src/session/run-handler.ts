import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Progress, ToolCallContext } from '../catalog/tool.ts';
import { CallFailure, RunOver, timedOut } from './call-failure.ts';
import { thrownError } from './call-errors.ts';
import { createProgress } from './progress.ts';
import type { RunScope } from './run-scope.ts';

/** A call whose start is recorded. */
export interface StartedCall {
  readonly callId: string;
  readonly entry: CatalogEntry;
  /** The application's part, with its own copy of the input. */
  work(call: ToolCallContext): unknown;
  onProgress(progress: Progress): void;
}

/**
 * Runs the application's handler, bounded by `toolTimeoutMs` and the end of the run; both abort its signal, and what it
 * gives afterwards is dropped. Rejects with CallFailure or RunOver.
 */
export function runHandler<C>(scope: RunScope<C>, call: StartedCall): Promise<unknown> {
  const { limits, clock, deadlines, redactErrors, runId, sessionId, context, ending } = scope;
  const { callId, entry } = call;
  const signal = lazySignal();
  const progress = createProgress(clock, call.onProgress);
  const facts = {
    callId,
    runId,
    sessionId,
    context,
    get signal() {
      return signal.get();
    },
    report: progress.report,
  };
  // One promise and no race: a thousand calls at once are nothing special.
  return new Promise((resolve, reject) => {
    const close = (): void => {
      expire();
      off();
      progress.close();
    };
    const fail = (error: CallFailure | RunOver): void => {
      close();
      reject(error);
    };
    const expire = deadlines.start(() => {
      const late = timedOut(entry, limits.toolTimeoutMs);
      signal.abort('TimeoutError', late.message);
      fail(late);
    });
    let off = (): unknown => undefined;
    off = ending.onEnd(() => {
      signal.abort('AbortError', 'The run ended.');
      fail(new RunOver());
    });
    const done = (output: unknown): void => {
      close();
      resolve(output);
    };
    const failed = (thrown: unknown): void => fail(new CallFailure(thrownError(entry.name, thrown, redactErrors), 'handler'));
    try {
      Promise.resolve(call.work(facts)).then(done, failed);
    } catch (thrown) {
      failed(thrown);
    }
  });
}

/** A signal made when a handler asks for it: most do not, and in Node one costs as much as the rest of the call. */
function lazySignal(): { get(): AbortSignal; abort(name: string, message: string): void } {
  let controller: AbortController | undefined;
  let reason: DOMException | undefined;
  return {
    get() {
      controller ??= new AbortController();
      if (reason) controller.abort(reason);
      return controller.signal;
    },
    abort(name, message) {
      reason ??= new DOMException(message, name);
      controller?.abort(reason);
    },
  };
}
