/**
 * One program from queue to outcome. The runner turns what the executor and the calls report into facts; the outcome is
 * read back from them. A run may stand still without a worker, and is then brought back to where it was by its record.
 *
 * Long, because it is one state machine: running, waiting, standing still and ended share every field.
 */
import type { ToolHost } from '../bridge/executor.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type RunRecording, recordingOf } from '../journal/recording.ts';
import type { PolicyInputs } from '../policy/evaluate.ts';
import { isHidden } from '../policy/rule-match.ts';
import {
  type ExecuteReply,
  type Frame,
  PREFLIGHT_ID,
  PROTOCOL_VERSION,
  type RunStats,
  type Warning,
  type WireCall,
  type WireError,
  type WireReply,
} from '../protocol/wire.ts';
import { callError, wireError } from './call-errors.ts';
import { createCallGate } from './call-gate.ts';
import { toolOf } from './call-question.ts';
import { createDeadlines } from './deadlines.ts';
import type { Decisions } from './decisions.ts';
import { outcomeOf } from './outcome.ts';
import { contextMissing } from './own-context.ts';
import { createBreathing } from './page-turn.ts';
import { Preflight } from './preflight-question.ts';
import { openReplay } from './replay/cursor.ts';
import { otherEngine } from './replay/divergence.ts';
import { recordedBytes } from './replay/recorded-bytes.ts';
import { restoreGlobals } from './replay/restore-globals.ts';
import { RunCalls } from './run-calls.ts';
import { RunEnd, type Stop } from './run-end.ts';
import { durationError, hostFailure, refuse, stoppedAt } from './run-failure.ts';
import { recordOutput } from './run-output.ts';
import { askPlan, type PlanOutcome, type RunPlan } from './run-plan.ts';
import { executeRequest, placeNow, type RunPlace, seedOf } from './run-request.ts';
import { RunEnding, type RunScope } from './run-scope.ts';
import type { RunDeps, RunHandle, RunRequest, SharedDecisions } from './run-types.ts';
import { Standstill } from './standstill.ts';
import { startStopwatch, type Stopwatch } from './stopwatch.ts';
import type { RunOutcome } from './types.ts';

const LOST_STATE =
  'What earlier programs of this session declared is gone: their worker had to be ended. Declare again what you need.';

/** Runs a queued program when it is its turn. @param queued rejects when the journal cannot be written */
export function runQueued<C>(deps: RunDeps<C>, request: RunRequest, queued: Promise<void>): RunHandle {
  const runner = new Runner(deps, request);
  const outcome = runner.run(queued);
  return {
    id: request.id,
    outcome,
    cancel: (reason) => runner.stop({ kind: 'cancelled', reason }),
    wake: () => runner.wake(),
    isDormant: () => runner.isDormant,
    standing: Promise.race([runner.standing.over, outcome]).then(() => undefined),
  };
}

class Runner<C> implements ToolHost {
  readonly #deps: RunDeps<C>;
  readonly #request: RunRequest;
  readonly #ending = new RunEnding();
  #abort = new AbortController();
  readonly #calls: RunCalls<C>;
  /** Calls that wait for a person, or for a result that is brought later. */
  readonly #open = new Set<string>();
  readonly #seed: ReturnType<typeof seedOf>;
  readonly #preflight: Preflight;
  readonly #end: RunEnd;
  /** Over when the run waits as it did before its page was gone. */
  readonly standing = new Standstill();
  #still: Standstill | undefined;
  /** Nothing of the program is under way. */
  #resting = false;
  #withdrawOffer: (() => void) | undefined;
  #lost: readonly Warning[] = [];
  #scope: RunScope<C> | undefined;
  #stopwatch: Stopwatch | undefined;
  #stop: Stop | undefined;
  #where: RunPlace | undefined;
  /** Engine of the first start in this page. */
  #started: string | undefined;
  #transferBytes = 0;
  /** In earlier lives of the page. */
  #ranMs = 0;
  #computeMs = 0;
  #peakMemoryBytes = 0;

  constructor(deps: RunDeps<C>, request: RunRequest) {
    this.#deps = deps;
    this.#request = request;
    this.#preflight = new Preflight(request.source);
    this.#end = new RunEnd(deps, request, this.#preflight);
    this.#seed = seedOf(request.resume?.recording.started?.seed);
    this.#calls = new RunCalls({
      deps,
      request,
      failed: (call, error) => {
        if (deps.onToolFailure === 'stop') this.#stopAt(call, error);
      },
      ended: (reason) => this.stop({ kind: 'cancelled', reason }),
    });
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

  get isDormant(): boolean {
    return this.#still !== undefined && this.#started === undefined && !this.#stop;
  }

  /** Continues a run that stands still. */
  wake(): void {
    this.#still?.wake();
  }

  async #execute(catalog: Catalog): Promise<void> {
    if (this.#stop) return;
    const refusal =
      refuse(this.#request.source, this.#deps.limits.maxSourceBytes) ?? contextMissing(this.#deps.journal, this.#request);
    if (refusal) return this.#end.fail(refusal);
    const planning = this.#request.plan === 'ask' ? this.#planned(catalog) : NO_PLAN;
    if (this.#request.resume?.recording.plan) this.standing.wake();
    const plan = await planning;
    if (plan.kind !== 'run') return;
    this.#scope = this.#createScope(catalog, plan.plan);
    const reply = await this.#perform(this.#scope, catalog);
    if (!reply) return;
    this.#computeMs = reply.computeMs;
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, reply.peakMemoryBytes);
    if (reply.status === 'completed' && !this.#stop) {
      const missing = this.#calls.missing();
      if (missing) return this.#end.fail(missing);
      await this.#unlessStopped(this.#calls.idle());
    }
    this.#end.record(reply, this.#lost, this.#stop !== undefined);
  }

  /** Runs the program, as often as it takes: a run that gave its worker up begins anew with its record. */
  async #perform(scope: RunScope<C>, catalog: Catalog): Promise<ExecuteReply | undefined> {
    const { resume } = this.#request;
    if (resume) await this.#stand(scope, resume.recording, resume.dormant);
    for (let isAgain = resume !== undefined; ; isAgain = true) {
      if (this.#still) await this.#unlessStopped(this.#still.over);
      this.#still = undefined;
      if (this.#stop) return undefined;
      // As it is now: since it stood still something was decided, or brought.
      const known = isAgain ? recordingOf(this.#deps.journal.events, this.#request.id) : undefined;
      const record = known?.started && known;
      if (record?.interrupted) this.#deps.journal.append('run.resumed', {}, this.#request.id);
      if (record) this.#time();
      const replay = record && (await openReplay(record, this.#deps.journal));
      if (replay) this.#calls.replay(replay.cursor);
      if (this.#deps.state === 'session') await restoreGlobals(this.#deps, this.#request, catalog, record, this.#abort.signal);
      const request = executeRequest(this.#deps, this.#place, this.#request, catalog, this.#seed, replay?.script);
      const reply = await this.#deps.executor().execute(request, this, this.#abort.signal);
      this.#withdraw();
      if (!this.#still || this.#stop) return reply;
      this.#abort = new AbortController();
    }
  }

  /** Takes the place again that the run had when its page was gone. */
  async #stand(scope: RunScope<C>, recording: RunRecording, dormant: boolean): Promise<void> {
    this.#ranMs = recording.ranMs;
    this.#transferBytes = await recordedBytes(recording, this.#deps);
    scope.limitBook.restoreRun(scope.journal.events, this.#request.id);
    if (dormant) this.#still = new Standstill();
    await this.#calls.stand(scope, recording);
    const [first] = this.#open;
    if (first !== undefined && !recording.waiting && !this.#ending.over)
      scope.journal.append('run.waiting', { callIds: [...this.#open] }, this.#request.id);
    // A question may have been answered by itself: its time was over, its tool is gone.
    if (first === undefined) this.wake();
    this.standing.wake();
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
    let judged: { readonly base: PolicyInputs<C>; readonly inputs: PolicyInputs<C> } | undefined;
    let loading: Promise<void> | undefined;
    return {
      ...this.#deps,
      ...shared,
      runId: this.#request.id,
      policy: (entry) => {
        const base = this.#deps.policy(entry);
        if (base !== judged?.base) judged = { base, inputs: { ...base, taken } };
        return judged.inputs;
      },
      hides: (entry) => {
        const { rules } = this.#deps.policy(entry);
        return rules.length > 0 && isHidden(rules, toolOf(entry), this.#deps.context);
      },
      catalog,
      gate: createCallGate(limits.maxConcurrentCalls, this.#ending),
      breathing: createBreathing(),
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

  // ToolHost

  started({ fresh }: { readonly fresh: boolean }): void {
    if (this.#ending.over) return;
    const { journal, limits, executor } = this.#deps;
    if (this.#again()) return;
    this.#time();
    const catalogVersion = this.#scope?.catalog.version ?? '';
    journal.append(
      'run.started',
      {
        seed: this.#seed,
        ...this.#place,
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
  }

  get #place(): RunPlace {
    return (this.#where ??= this.#deps.place ?? placeNow());
  }

  /** True for a program that has started before: nothing of it is recorded twice. */
  #again(): boolean {
    const was = this.#started ?? this.#request.resume?.recording.started?.engine;
    const { engine } = this.#deps.executor();
    this.#started = engine;
    if (was === undefined) return false;
    if (this.#deps.state === 'session') this.#deps.memory.begins(false, true);
    if (was !== engine) this.stop({ kind: 'failed', error: otherEngine(was, engine) });
    return true;
  }

  /** Time runs from the start, and in a run that is brought back from when it goes on. */
  #time(): void {
    if (this.#stopwatch) return;
    const { clock, limits } = this.#deps;
    this.#stopwatch = startStopwatch(clock, Math.max(0, limits.maxDurationMs - this.#ranMs), () =>
      this.stop({ kind: 'failed', error: durationError(limits.maxDurationMs) }),
    );
    if (this.#open.size > 0) this.#stopwatch.pause();
  }

  frame(frame: Frame): void {
    if (this.#ending.over) return;
    const { journal, store } = this.#deps;
    const runId = this.#request.id;
    this.#scope?.breathing.turn();
    this.#computeMs = frame.computeMs;
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, frame.memoryBytes);
    const { output, diverged } = this.#calls.frame(frame);
    if (diverged) return this.stop({ kind: 'failed', error: diverged });
    // Replay follows what the program got; the answer to the pre-flight came before it.
    const items = frame.delivered.filter(({ kind, id }) => kind !== 'call' || id !== PREFLIGHT_ID);
    if (items.length > 0 || frame.clock.length > 0) journal.append('delivery', { items, clock: frame.clock }, runId);
    if (output.length > 0) recordOutput(journal, runId, output);
    this.#resting = frame.quiescent && frame.nextTimerMs === undefined;
    if (this.#open.size > 0 && this.#resting) this.#offer();
    store.setStats(this.#request.id, this.#stats());
  }

  replayed(call: WireCall): boolean {
    return !this.#ending.over && this.#calls.replayed(call);
  }

  call(call: WireCall): Promise<WireReply> {
    const scope = this.#scope;
    if (!scope || this.#ending.over || this.#preflight.refusal)
      return Promise.resolve({ id: call.id, ok: false, error: wireError(callError('cancelled', 'The run is over.')) });
    if (call.kind === 'preflight') return this.#preflight.answer(call, scope.catalog, this.#deps.clock);
    return this.#calls.answer(scope, call);
  }

  #stopAt(call: WireCall, failure: WireError): void {
    const { id, source } = this.#request;
    this.stop({ kind: 'failed', error: stoppedAt(call, failure, source, (n) => `${id}:${n}`) });
  }

  #waiting(callId: string, open: boolean): void {
    const { journal } = this.#deps;
    if (open) this.#open.add(callId);
    else this.#open.delete(callId);
    if (this.#ending.over) return;
    if (!open) this.wake();
    // A run that takes its place again waits already.
    const isKnown = this.#still !== undefined && open;
    if (open && this.#open.size === 1) {
      this.#stopwatch?.pause();
      if (!isKnown) journal.append('run.waiting', { callIds: [callId] }, this.#request.id);
    } else if (!open && this.#open.size === 0) {
      this.#time();
      this.#stopwatch?.resume();
      journal.append('run.resumed', {}, this.#request.id);
    }
    if (open && this.#resting) this.#offer();
  }

  // Giving the worker up

  /** Nobody but people, and results that come later, is waited for: another program may have the worker. */
  #offer(): void {
    if (this.#deps.state !== 'run' || this.#withdrawOffer) return;
    this.#withdrawOffer = this.#deps.executor().offerWorker?.(() => this.#park());
  }

  #withdraw(): void {
    this.#withdrawOffer?.();
    this.#withdrawOffer = undefined;
  }

  /** @returns false when the run needs its worker itself */
  #park(): boolean {
    this.#withdrawOffer = undefined;
    const isIdle = this.#resting && this.#open.size > 0 && this.#calls.open === this.#open.size;
    if (!isIdle || this.#ending.over || this.#still) return false;
    this.#still = new Standstill();
    this.#abort.abort();
    return true;
  }

  /** Ends the calls, then the run. */
  #conclude(): void {
    this.#stopwatch?.stop();
    this.#ending.end('the run ended');
    this.#withdraw();
    this.#calls.close(this.#ending.reason ?? 'the run ended');
    this.#scope?.deadlines.close();
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
      calls: this.#calls.count,
      transferBytes: this.#transferBytes,
    };
  }
}

const NO_PLAN: PlanOutcome = { kind: 'run' };

function sharedOf<C>({ approvals, permissions, limitBook, deferred }: Decisions<C>): SharedDecisions {
  return { approvals, permissions, grants: permissions.book, limitBook, deferred };
}
