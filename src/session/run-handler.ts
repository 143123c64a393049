import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Progress } from '../catalog/tool.ts';
import { CallFailure, RunOver, timedOut } from './call-failure.ts';
import { thrownError } from './call-errors.ts';
import { createProgress } from './progress.ts';
import type { RunEnding, RunScope } from './run-scope.ts';

/** A call whose start is recorded. */
export interface StartedCall {
  readonly callId: string;
  readonly entry: CatalogEntry;
  /** Its own copy. */
  readonly input: unknown;
  onProgress(progress: Progress): void;
}

/**
 * Runs the application's handler, bounded by `toolTimeoutMs` and the end of the run; both abort its signal, and what it
 * gives afterwards is dropped.
 * @throws CallFailure, RunOver
 */
export async function runHandler<C>(scope: RunScope<C>, call: StartedCall): Promise<unknown> {
  const { limits, clock, redactErrors, runId, sessionId, context, ending } = scope;
  const { callId, entry, input } = call;
  const signal = lazySignal();
  const progress = createProgress(clock, call.onProgress);
  let expire: (() => void) | undefined;
  const timeout = new Promise<never>((_, reject) => {
    expire = clock.schedule(() => {
      const late = timedOut(entry, limits.toolTimeoutMs);
      signal.abort('TimeoutError', late.message);
      reject(late);
      // A timer may fire a little early; the limit itself is still allowed.
    }, limits.toolTimeoutMs + 1);
  });
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
  const work = (async () => entry.tool.execute(input, facts))();
  try {
    return await unlessOver(ending, Promise.race([work, timeout]), () => signal.abort('AbortError', 'The run ended.'));
  } catch (thrown) {
    if (thrown instanceof RunOver || thrown instanceof CallFailure) throw thrown;
    throw new CallFailure(thrownError(entry.name, thrown, redactErrors), 'handler');
  } finally {
    expire?.();
    progress.close();
  }
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

/** `work`, or `RunOver` as soon as the run ends. */
export function unlessOver<T>(ending: RunEnding, work: Promise<T>, onEnd: () => void = () => undefined): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const off = ending.onEnd(() => {
      onEnd();
      reject(new RunOver());
    });
    work.then(resolve, reject).finally(off);
  });
}
