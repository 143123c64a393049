import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Progress, ToolCallContext } from '../catalog/tool.ts';
import type { CallFacts } from './call-facts.ts';
import { CallFailure, RunOver, timedOut } from './call-failure.ts';
import { thrownError } from './call-errors.ts';
import { createProgress, type ProgressReports } from './progress.ts';
import type { RunScope } from './run-scope.ts';

/**
 * The application's handler at work, for one call whose start is recorded: bounded by `toolTimeoutMs` and by `stop`; both
 * abort its signal, and what it gives afterwards is dropped.
 */
export class HandlerRun<C> {
  readonly #scope: RunScope<C>;
  readonly #facts: CallFacts;
  readonly #entry: CatalogEntry;
  #reject: (error: CallFailure | RunOver) => void = () => {};
  #expire: () => void = () => {};
  #over = false;
  #progress: ProgressReports | undefined;
  /** Made when the handler asks for its signal: most do not, and in Node one costs as much as the rest of the call. */
  #controller: AbortController | undefined;
  #abortReason: DOMException | undefined;

  constructor(scope: RunScope<C>, facts: CallFacts, entry: CatalogEntry) {
    this.#scope = scope;
    this.#facts = facts;
    this.#entry = entry;
  }

  /**
   * One promise and no race: a thousand calls at once are nothing special.
   * @param work the application's part, with its own copy of the input
   * @throws CallFailure, RunOver
   */
  start(work: (call: ToolCallContext) => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#expire = this.#scope.deadlines.start(() => this.#late());
      const failed = (thrown: unknown): void => {
        const { name } = this.#entry;
        this.#fail(new CallFailure(thrownError(name, thrown, this.#scope.redactErrors), 'handler'));
      };
      try {
        Promise.resolve(work(this.#context())).then((output) => {
          if (this.#close()) resolve(output);
        }, failed);
      } catch (thrown) {
        failed(thrown);
      }
    });
  }

  /** The run is over. */
  stop(): void {
    if (this.#over) return;
    this.#abort('AbortError', 'The run ended.');
    this.#fail(new RunOver());
  }

  #late(): void {
    const late = timedOut(this.#entry, this.#scope.limits.toolTimeoutMs);
    this.#abort('TimeoutError', late.message);
    this.#fail(late);
  }

  #fail(error: CallFailure | RunOver): void {
    if (this.#close()) this.#reject(error);
  }

  /** @returns false when it was over already */
  #close(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#expire();
    this.#progress?.close();
    return true;
  }

  #abort(name: string, message: string): void {
    this.#abortReason ??= new DOMException(message, name);
    this.#controller?.abort(this.#abortReason);
  }

  #context(): ToolCallContext<C> {
    const { runId, sessionId, context } = this.#scope;
    const signal = (): AbortSignal => {
      this.#controller ??= new AbortController();
      if (this.#abortReason) this.#controller.abort(this.#abortReason);
      return this.#controller.signal;
    };
    return {
      callId: this.#facts.callId,
      runId,
      sessionId,
      context,
      get signal() {
        return signal();
      },
      report: (progress) => this.#report(progress),
    };
  }

  #report(progress: Progress): void {
    if (this.#over) return;
    const { callId } = this.#facts;
    this.#progress ??= createProgress(this.#scope.clock, (latest) =>
      this.#facts.append('tool_call.progressed', { callId, ...latest }),
    );
    this.#progress.report(progress);
  }
}
