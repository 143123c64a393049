/**
 * One program from queue to outcome. The runner turns what the executor and the calls report into facts; the outcome is
 * read back from them.
 */
import type { Executor, ToolHost } from '../bridge/executor.ts';
import type { Catalog } from '../catalog/catalog.ts';
import {
  type ExecuteRequest,
  type Frame,
  PREFLIGHT_ID,
  PROTOCOL_VERSION,
  type RunStats,
  type Warning,
  type WireCall,
  type WireError,
  type WireReply,
} from '../protocol/wire.ts';
import type { SessionStore } from '../store/create-store.ts';
import { callError, wireError } from './call-errors.ts';
import { createCallGate } from './call-gate.ts';
import { createDeadlines } from './deadlines.ts';
import { answerQuestion, recordAnswer } from './catalog-questions.ts';
import { dispatchCall, type Revert } from './dispatch-call.ts';
import type { Decisions } from './decisions.ts';
import { RunEnd, type Stop } from './run-end.ts';
import { durationError, hostFailure, refuse, runError } from './run-failure.ts';
import { isHidden } from '../policy/rule-match.ts';
import { toolOf } from './call-question.ts';
import { answerResult } from './kept-results.ts';
import { outcomeOf } from './outcome.ts';
import { Preflight } from './preflight-question.ts';
import { createBreathing } from './page-turn.ts';
import { askPlan, type PlanOutcome, type RunPlan } from './run-plan.ts';
import { RunEnding, type RunScope } from './run-scope.ts';
import type { SessionMemory } from './session-memory.ts';
import { startStopwatch, type Stopwatch } from './stopwatch.ts';
import type { RunOutcome } from './types.ts';

/** What runs a program. Calls without one are not looked at beforehand. */
export type RunExecutor = Pick<Executor, 'execute' | 'engine'> & Partial<Pick<Executor, 'analyze'>>;

/** What the calls of all runs of a session share. */
type SharedDecisions = Pick<RunScope, 'approvals' | 'permissions' | 'grants' | 'limitBook'>;

/** What a run takes from its session. */
export interface RunDeps<C>
  extends Omit<
    RunScope<C>,
    | keyof SharedDecisions
    | 'hides'
    | 'runId'
    | 'catalog'
    | 'gate'
    | 'breathe'
    | 'deadlines'
    | 'ending'
    | 'plan'
    | 'simulated'
    | 'transfer'
    | 'waiting'
    | 'cancelRun'
    | 'loadPermissions'
  > {
  /** @throws EnvironmentError where programs cannot run */
  executor(): RunExecutor;
  /** What people of the session decided, and what waits for them. */
  decisions(): Decisions<C>;
  readonly store: SessionStore;
  readonly state: 'run' | 'session';
  readonly onToolFailure: 'throw' | 'stop';
  readonly place: { readonly locale: string; readonly timeZone: string };
  readonly memory: SessionMemory;
  catalogNow(): Catalog | Promise<Catalog>;
}

export interface RunRequest {
  readonly id: string;
  readonly source: string;
  readonly title: string | undefined;
  readonly restart: boolean;
  /** Judge the program before it runs. */
  readonly preflight: boolean;
  /** Put the program before a person before it runs. */
  readonly plan: 'off' | 'ask';
  /** What the calls take back, by number; never from a program. */
  readonly reverts?: ReadonlyMap<number, Revert>;
  /** Run of the session that goes first, and its end. */
  readonly after: { readonly id: string; readonly done: Promise<unknown> } | undefined;
}

export interface RunHandle {
  readonly id: string;
  readonly outcome: Promise<RunOutcome>;
  cancel(reason?: string): void;
}

const LOST_STATE =
  'What earlier programs of this session declared is gone: their worker had to be ended. Declare again what you need.';
/** Runs a queued program when it is its turn. @param queued rejects when the journal cannot be written */
export function runQueued<C>(deps: RunDeps<C>, request: RunRequest, queued: Promise<void>): RunHandle {
  const runner = new Runner(deps, request);
  return { id: request.id, outcome: runner.run(queued), cancel: (reason) => runner.stop({ kind: 'cancelled', reason }) };
}

class Runner<C> implements ToolHost {
  readonly #deps: RunDeps<C>;
  readonly #request: RunRequest;
  readonly #ending = new RunEnding();
  readonly #abort = new AbortController();
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #open = new Set<string>();
  readonly #seed = randomSeed();
  readonly #preflight: Preflight;
  readonly #end: RunEnd;
  #lost: readonly Warning[] = [];
  #scope: RunScope<C> | undefined;
  #stopwatch: Stopwatch | undefined;
  #stop: Stop | undefined;
  #group = 0;
  #calls = 0;
  #transferBytes = 0;
  #computeMs = 0;
  #peakMemoryBytes = 0;

  constructor(deps: RunDeps<C>, request: RunRequest) {
    this.#deps = deps;
    this.#request = request;
    this.#preflight = new Preflight(request.source);
    this.#end = new RunEnd(deps, request, this.#preflight);
  }

  async run(queued: Promise<void>): Promise<RunOutcome> {
    const { journal, store } = this.#deps;
    const { after } = this.#request;
    try {
      await queued;
      if (after) await this.#unlessStopped(after.done);
      const catalog = this.#stop ? undefined : await this.#unlessStopped(Promise.resolve(this.#deps.catalogNow()));
      if (catalog) await this.#execute(catalog);
    } catch (error) {
      this.#end.fail(hostFailure(error));
    }
    this.#conclude();
    store.flush();
    return outcomeOf(store.store.getState(), this.#request.id, journal, this.#end.value);
  }

  /** Ends the run from outside; the first reason wins. */
  stop(stop: Stop): void {
    if (this.#stop || this.#ending.over) return;
    this.#stop = stop;
    this.#ending.end(stop.kind === 'cancelled' ? (stop.reason ?? 'cancelled') : stop.error.message);
    this.#abort.abort();
  }

  async #execute(catalog: Catalog): Promise<void> {
    if (this.#stop) return;
    const refusal = refuse(this.#request.source, this.#deps.limits.maxSourceBytes);
    if (refusal) return this.#end.fail(refusal);
    const plan = this.#request.plan === 'ask' ? await this.#planned(catalog) : NO_PLAN;
    if (plan.kind !== 'run') return;
    this.#scope = this.#createScope(catalog, plan.plan);
    const reply = await this.#deps.executor().execute(this.#executeRequest(catalog), this, this.#abort.signal);
    this.#computeMs = reply.computeMs;
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, reply.peakMemoryBytes);
    if (reply.status === 'completed' && !this.#stop) await this.#unlessStopped(Promise.all(this.#inFlight));
    this.#end.record(reply, this.#lost, this.#stop !== undefined);
  }

  /** Asks about the program as a whole. Where it cannot be looked at it does not run. */
  async #planned(catalog: Catalog): Promise<PlanOutcome> {
    const { signal } = this.#abort;
    const asking = { request: this.#request, catalog, ending: this.#ending, signal };
    const plan = await askPlan({ ...this.#deps, plans: this.#deps.decisions().plans }, this.#deps.executor(), asking);
    if (plan.kind === 'cancel') this.stop({ kind: 'cancelled', reason: plan.reason });
    return plan;
  }

  #createScope(catalog: Catalog, plan: RunPlan | undefined): RunScope<C> {
    const { limits } = this.#deps;
    const shared = sharedOf(this.#deps.decisions());
    const taken = shared.limitBook.taken(this.#request.id);
    let loading: Promise<void> | undefined;
    return {
      ...this.#deps,
      ...shared,
      runId: this.#request.id,
      policy: (entry) => ({ ...this.#deps.policy(entry), taken }),
      hides: (entry) => {
        const { rules } = this.#deps.policy(entry);
        return rules.length > 0 && isHidden(rules, toolOf(entry), this.#deps.context);
      },
      catalog,
      gate: createCallGate(limits.maxConcurrentCalls, this.#ending),
      breathe: createBreathing(),
      // A timer may fire a little early; the limit itself is still allowed.
      deadlines: createDeadlines(this.#deps.clock, limits.toolTimeoutMs + 1),
      ending: this.#ending,
      transfer: (bytes) => {
        this.#transferBytes += bytes;
        return this.#transferBytes <= limits.maxTransferBytes;
      },
      waiting: (callId, open) => this.#waiting(callId, open),
      cancelRun: (reason) => this.stop({ kind: 'cancelled', reason }),
      loadPermissions: () => (loading ??= shared.permissions.load()),
      simulated: (ordinal, tool) => this.#end.simulated(ordinal, tool),
      ...(plan && { plan }),
    };
  }

  #executeRequest(catalog: Catalog): ExecuteRequest {
    const { timeoutMs, memoryBytes, maxOutputBytes, maxInputBytes, maxResultBytes, maxCalls, maxDepth, maxWorkers } =
      this.#deps.limits;
    return {
      runId: this.#request.id,
      sessionId: this.#deps.sessionId,
      source: this.#request.source,
      names: catalog.names,
      limits: { timeoutMs, memoryBytes, maxOutputBytes, maxInputBytes, maxResultBytes, maxCalls, maxDepth },
      maxWorkers,
      seed: this.#seed,
      ...this.#deps.place,
      state: this.#deps.state,
      restart: this.#request.restart,
      preflight: this.#request.preflight,
    };
  }

  // ToolHost

  started({ fresh }: { readonly fresh: boolean }): void {
    if (this.#ending.over) return;
    const { journal, limits, clock, executor } = this.#deps;
    const catalogVersion = this.#scope?.catalog.version ?? '';
    journal.append(
      'run.started',
      {
        seed: this.#seed,
        ...this.#deps.place,
        engine: executor().engine,
        protocol: PROTOCOL_VERSION,
        catalogVersion,
        limits,
        state: this.#deps.state,
        fresh,
      },
      this.#request.id,
    );
    if (this.#deps.state === 'session' && this.#deps.memory.begins(fresh, this.#request.restart)) {
      journal.append('state.lost', { reason: LOST_STATE }, this.#request.id);
      this.#lost = [{ code: 'state_lost', message: LOST_STATE }];
    }
    this.#stopwatch = startStopwatch(clock, limits.maxDurationMs, () =>
      this.stop({ kind: 'failed', error: durationError(limits.maxDurationMs) }),
    );
  }

  frame(frame: Frame): void {
    if (this.#ending.over) return;
    const { journal, store } = this.#deps;
    const runId = this.#request.id;
    this.#group = frame.seq;
    this.#computeMs = frame.computeMs;
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, frame.memoryBytes);
    // Replay follows what the program got; the answer to the pre-flight came before it.
    const items = frame.delivered.filter(({ kind, id }) => kind !== 'call' || id !== PREFLIGHT_ID);
    if (items.length > 0 || frame.clock.length > 0) journal.append('delivery', { items, clock: frame.clock }, runId);
    for (const output of frame.output) {
      if (output.kind === 'emit')
        journal.append(
          'output.emitted',
          { value: journal.store(output.value), ...(output.site && { site: output.site }) },
          runId,
        );
      else
        journal.append(
          'output.written',
          { level: output.level, text: output.text, ...(output.site && { site: output.site }) },
          runId,
        );
    }
    store.setStats(this.#request.id, this.#stats());
  }

  call(call: WireCall): Promise<WireReply> {
    const scope = this.#scope;
    if (!scope || this.#ending.over || this.#preflight.refusal)
      return Promise.resolve({ id: call.id, ok: false, error: wireError(callError('cancelled', 'The run is over.')) });
    if (call.kind === 'preflight') return this.#preflight.answer(call, scope.catalog, this.#deps.clock);
    const isTool = call.kind === 'tool';
    const work = isTool ? dispatchCall(scope, call, this.#group, this.#request.reverts?.get(call.id)) : this.#answer(scope, call);
    if (isTool) this.#calls++;
    this.#inFlight.add(work);
    void work.then((reply) => {
      this.#inFlight.delete(work);
      // Before the program hears of it: nothing more may start.
      if (!reply.ok && isTool && this.#deps.onToolFailure === 'stop') this.#stopAt(call, reply.error);
    });
    return work;
  }

  /** A replay needs the answer: the catalogue may be another one by then. */
  async #answer(scope: RunScope<C>, call: WireCall): Promise<WireReply> {
    const turn = scope.breathe();
    if (turn) await turn;
    const reply = await this.#question(scope, call);
    if (!this.#ending.over) recordAnswer(scope, call, reply);
    return reply;
  }

  #question(scope: RunScope<C>, call: WireCall): Promise<WireReply> {
    if (call.kind !== 'result') return answerQuestion(scope, call);
    return answerResult({ ...scope, state: this.#deps.store.store.getState() }, call);
  }

  #stopAt({ id, tool, site }: WireCall, { code, name, message, data }: WireError): void {
    const failure = {
      code,
      name,
      message: `The run stopped at its first failed call, ${tool}: ${message}`,
      call: id,
      ...(site && { site }),
      ...(data !== undefined && { data }),
    };
    this.stop({ kind: 'failed', error: runError(failure, this.#request.source, (n) => `${this.#request.id}:${n}`) });
  }

  #waiting(callId: string, open: boolean): void {
    const { journal } = this.#deps;
    if (open) this.#open.add(callId);
    else this.#open.delete(callId);
    if (this.#ending.over) return;
    if (open && this.#open.size === 1) {
      this.#stopwatch?.pause();
      journal.append('run.waiting', { callIds: [callId] }, this.#request.id);
    } else if (!open && this.#open.size === 0) {
      this.#stopwatch?.resume();
      journal.append('run.resumed', {}, this.#request.id);
    }
  }

  /** Ends the calls, then the run. */
  #conclude(): void {
    this.#stopwatch?.stop();
    this.#ending.end('the run ended');
    this.#end.conclude(this.#stop, this.#stats());
  }

  /** What `work` gives, or nothing as soon as the run is stopped. */
  async #unlessStopped<T>(work: Promise<T>): Promise<T | undefined> {
    if (this.#ending.over) return undefined;
    let off: (() => void) | undefined;
    const stopped = new Promise<undefined>((resolve) => {
      off = this.#ending.onEnd(() => resolve(undefined));
    });
    return Promise.race([work, stopped]).finally(off);
  }

  #stats(): RunStats {
    return {
      computeMs: this.#computeMs,
      peakMemoryBytes: this.#peakMemoryBytes,
      calls: this.#calls,
      transferBytes: this.#transferBytes,
    };
  }
}

const NO_PLAN: PlanOutcome = { kind: 'run' };

function sharedOf<C>({ approvals, permissions, limitBook }: Decisions<C>): SharedDecisions {
  return { approvals, permissions, grants: permissions.book, limitBook };
}

function randomSeed(): [number, number, number, number] {
  const [a = 1, b = 2, c = 3, d = 4] = crypto.getRandomValues(new Uint32Array(4));
  return [a, b, c, d];
}
