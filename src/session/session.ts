/**
 * One conversation: puts journal, store, catalogue, policy and runs together. Long by the number of things a session offers; what
 * each does is in files of their own.
 */
import type { Executor } from '../bridge/executor.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { CodeModeError } from '../errors.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import type { JournalStorage } from '../journal/storage.ts';
import type { Clock } from '../protocol/clock.ts';
import { createSessionStore, frameScheduler } from '../store/create-store.ts';
import { bindSignal } from './bind-signal.ts';
import { createModelTools } from './create-model-tools.ts';
import { loadRuntime, type Runtime, runtimeNow } from './load-runtime.ts';
import { checkRunOptions, resolveLimits } from './options.ts';
import { inputText, newRunId, otherProgram, unknownRun } from './run-ids.ts';
import type { RunDeps, RunHandle, RunRequest } from './run-types.ts';
import { createSessionCatalog } from './session-catalog.ts';
import { createSessionPolicy, type SessionPolicy, whenReady } from './session-policy.ts';
import { createSessionResume, type SameProgram } from './session-resume.ts';
import { NO_ENGINE, SessionMemory } from './session-memory.ts';
import { answerViewers, beginWhenOwned, whereOwned } from './viewer.ts';
import { startRun } from './start-run.ts';
import type { CodeModeOptions, Run, RunOptions, Session, SessionOptions } from './types.ts';

/** What a session takes from its code mode. */
export interface SessionDeps<C> {
  readonly id: string;
  readonly clock: Clock;
  readonly storage: JournalStorage;
  /** The options as they are now. */
  options(): CodeModeOptions<C>;
  /** @throws EnvironmentError where programs cannot run */
  executor(): Executor;
  disposed(): void;
  /** Told by each session of the code mode when a stored permission was taken back. */
  readonly revocations: Set<(grantId: string) => void>;
  /** Ids of those: the application may still have them, and a session that looks later must not believe it. */
  readonly revoked: Set<string>;
}

/** Opens one conversation's session. */
export function createSession<C>(deps: SessionDeps<C>, own: SessionOptions<C>): Session<C> {
  const { id, clock } = deps;
  const journal = openJournal(deps.storage, id, clock);
  const store = createSessionStore(id, journal.events, frameScheduler);
  journal.subscribe(store.push);
  if (journal.ownership === 'opening') store.setOwnership('opening');
  journal.onOwnership((ownership) => {
    if (store.store.getState().ownership === 'opening') store.load(journal.events);
    store.setOwnership(ownership);
  });
  const runs = new Map<string, Run>();
  const sources = new Map<string, string>();
  const live = new Set<RunHandle>();
  /** Runs that run, wait or stand still in this page, by id. */
  const present = new Map<string, RunHandle>();
  let last: RunHandle | undefined;
  const memory = new SessionMemory(() => journal.events);
  let disposing: Promise<void> | undefined;
  let direct: ReturnType<Runtime['createDirectTools']> | undefined;
  let newest: Catalog | undefined;

  const alive = (): void => {
    if (disposing)
      throw new CodeModeError('session_disposed', `The session ${id} is disposed. Open a new one with codeMode.session().`, {
        sessionId: id,
      });
  };
  const catalog = createSessionCatalog(
    deps.options,
    own.tools,
    own.context as C,
    () => policy.rules(),
    (changed) => {
      newest = changed;
      announce();
    },
  );
  /** In the journal of which this page is, or becomes, the owner. */
  const announce = (): void => {
    if (!newest || journal.ownership !== 'owner') return;
    const { version, entries } = newest;
    // A session that was opened again knows it already.
    const known = journal.events.findLast((event) => event.type === 'catalog.changed');
    if (known?.type === 'catalog.changed' && known.data.version === version && known.data.definitions.length > 0) return;
    const [tools, definitions] = [entries.map(({ name }) => name), entries.map(({ definitionHash }) => definitionHash)];
    journal.append('catalog.changed', { version, tools, definitions });
  };
  journal.onOwnership(announce);

  /** Until it is over, the end of the session ends it, too. */
  const keep = (handle: RunHandle): RunHandle => {
    live.add(handle);
    void handle.outcome.finally(() => {
      live.delete(handle);
      if (last === handle) last = undefined;
    });
    return handle;
  };

  const start = (
    source: string,
    executor: RunDeps<C>['executor'],
    { id: runId, title, context, restart = false, preflight = false, plan }: RunOptions<C> & { id: string },
    more: Pick<RunRequest, 'reverts' | 'resume' | 'retries'> = {},
  ): RunHandle => {
    const options = deps.options();
    const isProgram = executor === deps.executor;
    const began = more.resume?.recording.started;
    const handle = startRun(
      {
        sessionId: id,
        context: (context ?? own.context) as C,
        limits: began?.limits ?? resolveLimits(options.limits),
        journal,
        decisions: policy.decisions,
        clock,
        approvalTimeoutMs: options.approvalTimeoutMs,
        redactErrors: options.redactErrors ?? false,
        policy: policy.inputs,
        latest: catalog.latest,
        executor,
        store,
        // A call without a program neither has globals nor leaves any.
        state: isProgram ? (began?.state ?? options.state ?? 'run') : 'run',
        onToolFailure: options.onToolFailure ?? 'throw',
        place: began && { locale: began.locale, timeZone: began.timeZone },
        memory,
        catalogNow: catalog.now,
      },
      {
        id: runId,
        source,
        title,
        restart,
        preflight,
        // A call without a program is asked about by itself.
        plan: isProgram ? (plan ?? options.plan ?? 'off') : 'off',
        direct: !isProgram,
        ownContext: context !== undefined,
        ...more,
        // What stood when the page was opened stands before all else.
        after: last && !more.resume?.dormant ? { id: last.id, done: last.outcome } : undefined,
      },
    );
    last = keep(handle);
    present.set(runId, handle);
    void handle.outcome.finally(() => present.delete(runId));
    return handle;
  };

  const resume = createSessionResume({
    journal,
    store,
    live: (runId) => present.get(runId),
    carryOn(recording, dormant) {
      const { runId, queued, calls, started } = recording;
      const { source, title, restart, preflight, plan } = queued;
      const options = {
        id: runId,
        ...(title !== undefined && { title }),
        restart: restart === true,
        // What has run needs no judgement any more.
        preflight: preflight === true && calls.size === 0,
      };
      const call = queued.direct || started?.engine === NO_ENGINE ? calls.get(1) : undefined;
      const direct = call && runtimeNow()!.recordedCall(journal, call);
      return start(
        source,
        direct ? () => direct : deps.executor,
        { ...options, plan: plan ?? 'off' },
        { resume: { recording, dormant } },
      );
    },
  });

  const track = (
    source: string,
    options: RunOptions<C>,
    begin: (id: string) => RunHandle,
    /** The program as the journal has it; null: whatever it is. */
    recorded: SameProgram | null = { source },
  ): Run => {
    alive();
    const known = options.id === undefined ? undefined : runs.get(options.id);
    if (known && sources.get(known.id) !== source) throw otherProgram(known.id);
    if (known) return known;
    const runId = options.id ?? newRunId();
    const forget = (): void => {
      runs.delete(runId);
      sources.delete(runId);
    };
    const isRecorded = (): boolean => options.id !== undefined && Object.hasOwn(store.store.getState().runs, runId);
    const begun = (): RunHandle => (isRecorded() ? resume.attach(runId, recorded ?? undefined) : begin(runId));
    const handle = beginWhenOwned(journal, runId, begun, forget, resume.ready);
    if (!live.has(handle)) keep(handle);
    const made: Run = {
      id: handle.id,
      outcome: handle.outcome,
      cancel: (reason) => handle.cancel(reason),
      async *snapshots() {
        yield* (await loadRuntime()).snapshotsOf(store.store, handle.id, handle.outcome);
      },
    };
    runs.set(handle.id, made);
    sources.set(handle.id, source);
    void handle.outcome.finally(bindSignal(options.signal, (reason) => handle.cancel(reason)));
    return made;
  };
  const run = (code: string, options: RunOptions<C> = {}): Run => {
    checkRunOptions(code, options);
    return track(code, options, (runId) => start(code, deps.executor, { ...options, id: runId }));
  };
  const callTool = (tool: string, input: unknown, options: RunOptions<C> = {}): Run => {
    checkRunOptions(tool, options);
    const source = `return tools[${JSON.stringify(tool)}](…)`;
    let made: ReturnType<RunDeps<C>['executor']> | undefined;
    // Asked by the runtime, so it is there.
    const executor = () => (made ??= runtimeNow()!.directCall(tool, input));
    const begin = (runId: string): RunHandle => start(source, executor, { title: tool, ...options, id: runId });
    return track(`${source} ${inputText(input)}`, options, begin, { source, input });
  };
  /** A run of an earlier life of the page. */
  const again = (runId: string): Run => {
    const known = runs.get(runId);
    if (known) present.get(runId)?.wake?.();
    return known ?? track(`resume ${runId}`, { id: runId }, () => resume.attach(runId), null);
  };

  const policy: SessionPolicy<C> = createSessionPolicy<C>({
    sessionId: id,
    journal,
    clock,
    store,
    context: own.context as C,
    catalog,
    ownRules: own.policy,
    options: deps.options,
    toolTimeoutMs: () => resolveLimits(deps.options().limits).toolTimeoutMs,
    revoked: deps.revoked,
    revokedElsewhere(grantId) {
      for (const drop of deps.revocations) drop(grantId);
    },
    begin(title, executor, reverts, signal) {
      const options = { title, ...(signal && { signal }) };
      return track(title, options, (runId) => start(title, () => executor, { ...options, id: runId }, reverts && { reverts }));
    },
  });
  deps.revocations.add(policy.drop);
  const { decide, decidePlan, settle } = whenReady(resume.ready, policy);
  answerViewers(journal, { decide, decidePlan, settle, revoke: policy.grants.revoke });

  let unbind = (): void => {};
  const dispose = async (): Promise<void> => {
    unbind();
    await resume.ready();
    // What only waits since the page was opened waits on, for the next life of the session.
    const running = [...live].filter((handle) => handle.isDormant?.() !== true);
    for (const handle of running) handle.cancel('the session was disposed');
    await Promise.all(running.map((handle) => handle.outcome));
    endExecutor(deps, id);
    await journal.close();
    deps.revocations.delete(policy.drop);
    deps.disposed();
  };

  const session: Session<C> = {
    id,
    modelTools: createModelTools({
      catalog: catalog.now,
      // Servers that count their calls anew after a restart send one id for two programs.
      async run(code, options) {
        await journal.opened?.catch(() => undefined); // the run itself reports it
        const { id: asked = '' } = options;
        const known = sources.get(asked) ?? store.store.getState().runs[asked]?.source ?? code;
        return run(code, known === code ? options : { ...options, id: newRunId() });
      },
      options: deps.options,
      limits: () => resolveLimits(deps.options().limits),
      resultName: (runId) => {
        const { removedRuns, runOrder } = store.store.getState();
        return `r${removedRuns + runOrder.indexOf(runId) + 1}`;
      },
    }),
    run,
    callTool,
    async directTools() {
      alive();
      const { createDirectTools } = await loadRuntime();
      const maxModelChars = () => resolveLimits(deps.options().limits).maxModelChars;
      direct ??= createDirectTools({ callTool, maxModelChars });
      return direct(await catalog.now());
    },
    decide: (callId, decision) => whereOwned(journal, ['decide', callId, decision], () => decide(callId, decision)),
    decidePlan: (runId, decision) => whereOwned(journal, ['decidePlan', runId, decision], () => decidePlan(runId, decision)),
    settle: (callId, output) => whereOwned(journal, ['settle', callId, output], () => settle(callId, output)),
    resume(runId) {
      alive();
      return again(runId);
    },
    retry(runId, { code, ...options } = {}) {
      alive();
      const { source } = store.store.getState().runs[runId] ?? {};
      if (source === undefined) throw unknownRun('retry', runId);
      const program = code ?? source;
      checkRunOptions(program, options);
      return track(program, options, (newId) => start(program, deps.executor, { ...options, id: newId }, { retries: { runId } }));
    },
    retryFrom(callId) {
      alive();
      return track(`retry from ${callId}`, {}, (newId) => resume.fork(callId, newId));
    },
    grants: policy.grants,
    explainPolicy: policy.explainPolicy,
    undoable: policy.undoable,
    async undo(runId, options) {
      alive();
      return policy.undo(runId, options);
    },
    async analyze(code, { signal = new AbortController().signal } = {}) {
      alive();
      checkRunOptions(code, {});
      const { judge, patience, refuse, refused } = await loadRuntime();
      const refusal = refuse(code, resolveLimits(deps.options().limits).maxSourceBytes);
      if (refusal) return refused(refusal);
      const current = await catalog.now();
      return judge(await deps.executor().analyze(code, current.names, signal), current, patience(clock));
    },
    async restart() {
      alive();
      memory.forget();
      if (deps.options().state === 'session') journal.append('state.forgotten', {});
      endExecutor(deps, id);
    },
    readValue: async (stored) => (await loadRuntime()).readStored(journal, stored),
    tool(name) {
      const entry = catalog.latest(name);
      if (!entry) return undefined;
      const { title, description, inputJsonSchema, outputJsonSchema } = entry;
      const revertible = entry.tool.revert !== undefined;
      const worded = entry.tool.describeCall !== undefined;
      const output = outputJsonSchema !== undefined && { outputJsonSchema };
      return { title, description, inputJsonSchema, revertible, worded, ...output };
    },
    journal: readable(journal),
    store: store.store,
    [Symbol.asyncDispose]: () => (disposing ??= dispose()),
  };
  unbind = bindSignal(own.signal, () => void session[Symbol.asyncDispose]());
  return session;
}

function endExecutor<C>(deps: SessionDeps<C>, id: string): void {
  try {
    deps.executor().endSession(id);
  } catch {
    // no executor, so nothing is kept alive
  }
}

function readable(journal: Journal): Session['journal'] {
  return { events: journal.events, load: (value) => journal.load(value), subscribe: journal.subscribe };
}
