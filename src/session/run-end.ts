/** How a run ends: what executor and calls reported last, told as the run's last fact. */
import type { RunError } from '../journal/events.ts';
import { utf8Length } from '../protocol/utf8.ts';
import type { ExecuteReply, RunStats, Warning } from '../protocol/wire.ts';
import { callById } from '../store/calls.ts';
import type { CallView } from '../store/state.ts';
import { type Decoded, decodeSafely } from './outcome.ts';
import type { Preflight } from './preflight-question.ts';
import type { RunDeps, RunRequest } from './run-types.ts';
import { runError, valueTooLarge, valueUnreadable } from './run-failure.ts';

const LOST_NOW: Warning = {
  code: 'state_lost',
  message:
    'Everything that this and earlier programs of the session declared is gone, because this one had to be stopped. Declare again what the next one needs.',
};

/** Why the host ended a run before the program did. */
export type Stop =
  | { readonly kind: 'cancelled'; readonly reason: string | undefined }
  | { readonly kind: 'failed'; readonly error: RunError };

type Deps = Pick<RunDeps<any>, 'journal' | 'store' | 'memory' | 'limits' | 'decisions'>;

export class RunEnd {
  readonly #deps: Deps;
  readonly #request: RunRequest;
  readonly #preflight: Preflight;
  #end: ((stats: RunStats, warnings: readonly Warning[]) => void) | undefined;
  #warnings: readonly Warning[] = [];
  #value: Decoded | undefined;
  readonly #simulated: { readonly ordinal: number; readonly tool: string }[] = [];

  constructor(deps: Deps, request: RunRequest, preflight: Preflight) {
    this.#deps = deps;
    this.#request = request;
    this.#preflight = preflight;
  }

  /** The program's value, if it was readable and nobody else has it. */
  get value(): Decoded | undefined {
    return this.#value;
  }

  /** Takes over what the executor says. `stopped`: the host ended the run. `lost`: warnings of its start. */
  record(reply: ExecuteReply, lost: readonly Warning[], stopped: boolean): void {
    const { id: runId, source } = this.#request;
    const late = this.#lateFailures(reply.notAwaited);
    const doubts = this.#preflight.warnings(reply.status === 'failed' ? this.#failedCalls() : []);
    this.#warnings = [...lost, ...doubts, ...reply.warnings, ...late];
    if (reply.stateLost) {
      this.#deps.memory.lose();
      this.#warnings = [...this.#warnings, LOST_NOW];
    }
    if (reply.status === 'completed') return this.#complete(reply);
    if (reply.error.code === 'cancelled' && stopped) return;
    this.fail(this.#preflight.refusal ?? runError(reply.error, source, (n) => `${runId}:${n}`));
  }

  simulated(ordinal: number, tool: string): void {
    this.#simulated.push({ ordinal, tool });
  }

  fail(error: RunError): void {
    this.#end ??= (stats, warnings) => {
      this.#deps.journal.append('run.failed', { error, warnings, stats }, this.#request.id);
    };
  }

  /** The last fact of the run, after those of its calls. A stop from outside goes before what the program still reported. */
  conclude(stop: Stop | undefined, stats: RunStats): void {
    const { journal, decisions } = this.#deps;
    const { permissions, limitBook } = decisions();
    const runId = this.#request.id;
    for (const grantId of permissions.book.endRun(runId)) permissions.withdraw(grantId, 'run_ended', runId);
    limitBook.endRun(runId);
    const warnings = [...this.#warnings, ...this.#rehearsed()];
    if (stop?.kind === 'cancelled')
      journal.append('run.cancelled', { ...(stop.reason !== undefined && { reason: stop.reason }), warnings, stats }, runId);
    else if (stop) journal.append('run.failed', { error: stop.error, warnings, stats }, runId);
    else this.#end?.(stats, warnings);
  }

  #complete({ value, notAwaited }: Extract<ExecuteReply, { status: 'completed' }>): void {
    const { journal } = this.#deps;
    const runId = this.#request.id;
    if (value !== undefined) {
      // The worker checks the same; it is not believed.
      const { maxResultBytes, maxDepth } = this.#deps.limits;
      const bytes = utf8Length(value);
      if (bytes > maxResultBytes) return this.fail(valueTooLarge(maxResultBytes, bytes));
      const decoded = decodeSafely(value, maxDepth);
      if (!decoded) return this.fail(valueUnreadable());
      this.#value = decoded;
    }
    this.#end ??= (stats, warnings) => {
      const stored = value === undefined ? undefined : journal.store(value);
      const ids = notAwaited.map((n) => `${runId}:${n}`);
      journal.append('run.completed', { ...(stored && { value: stored }), warnings, notAwaited: ids, stats }, runId);
    };
  }

  /** Calls the program did not look at, and that failed: the model must not take the run for a clean success. */
  #lateFailures(notAwaited: readonly number[]): Warning[] {
    if (notAwaited.length === 0) return [];
    this.#deps.store.flush();
    const state = this.#deps.store.store.getState();
    return notAwaited.flatMap((n): Warning[] => {
      const call = callById(state, `${this.#request.id}:${n}`);
      if (!call?.error) return [];
      const message = `${call.tool} was called without await and ${call.status === 'denied' ? 'was denied' : 'failed'}: ${call.error.message}`;
      return [{ code: 'unhandled_rejection', message, calls: [n], ...(call.site && { site: call.site }) }];
    });
  }

  /** The model must not take a rehearsal for the deed. */
  #rehearsed(): Warning[] {
    const calls = this.#simulated;
    if (calls.length === 0) return [];
    const tools = [...new Set(calls.map(({ tool }) => tool))].join(', ');
    const message = `${calls.length} ${calls.length === 1 ? 'call was' : 'calls were'} only simulated (${tools}): nothing was done, and the results are made up.`;
    return [{ code: 'simulated', message, calls: calls.map(({ ordinal }) => ordinal) }];
  }

  #failedCalls(): readonly CallView[] {
    const run = this.#deps.store.store.getState().runs[this.#request.id];
    return run?.calls.filter((call) => call.error !== undefined) ?? [];
  }
}
