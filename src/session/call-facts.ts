import type { EventData } from '../journal/events.ts';
import type { RunScope } from './run-scope.ts';

/** Writes down what happens to one call. After its last fact nothing more is written about it. */
export class CallFacts {
  readonly callId: string;
  readonly #scope: Pick<RunScope, 'journal' | 'runId'>;
  #over = false;
  #started = false;

  constructor(scope: Pick<RunScope, 'journal' | 'runId'>, callId: string) {
    this.#scope = scope;
    this.callId = callId;
  }

  /** True once the start was to be recorded: the handler may run, or may have run. */
  get started(): boolean {
    return this.#started;
  }

  /** True after the last fact. */
  get over(): boolean {
    return this.#over;
  }

  /**
   * Records the start; the handler runs when it is durable. What may be repeated waits for nothing: should the record be lost,
   * the call is made once more.
   */
  start(data: EventData['tool_call.started']): Promise<void> | undefined {
    this.#started = true;
    const { journal, runId } = this.#scope;
    if (data.repeatable !== true) return journal.appendDurably('tool_call.started', data, runId);
    journal.append('tool_call.started', data, runId);
    return undefined;
  }

  /** Records that the result comes later: from here on it is waited for, over reloads, too. */
  async defer(token: string): Promise<void> {
    if (!this.#over)
      await this.#scope.journal.appendDurably('tool_call.deferred', { callId: this.callId, token }, this.#scope.runId);
  }

  /** Records the result, or the failure, that was brought later, before anybody hears that it was taken. */
  async settle<T extends 'tool_call.succeeded' | 'tool_call.failed'>(type: T, data: EventData[T]): Promise<void> {
    this.#over = true;
    await this.#scope.journal.appendDurably(type, data, this.#scope.runId);
  }

  append<T extends keyof EventData>(type: T, data: EventData[T]): void {
    if (!this.#over) this.#scope.journal.append(type, data, this.#scope.runId);
  }

  /** A call has exactly one last fact. */
  finish<T extends keyof EventData>(type: T, data: EventData[T]): void {
    this.append(type, data);
    this.#over = true;
  }
}
