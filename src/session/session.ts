import type { Executor } from '../bridge/executor.ts';
import { CodeModeError, InvalidOptionsError } from '../errors.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import type { JournalStorage } from '../journal/storage.ts';
import type { Clock } from '../protocol/clock.ts';
import { createSessionStore, frameScheduler } from '../store/create-store.ts';
import { createModelTools } from './create-model-tools.ts';
import { loadRuntime, runtimeNow } from './load-runtime.ts';
import { checkRunOptions, resolveLimits } from './options.ts';
import type { RunDeps, RunHandle, RunRequest } from './run.ts';
import { createSessionCatalog } from './session-catalog.ts';
import { createSessionPolicy, type SessionPolicy } from './session-policy.ts';
import { SessionMemory } from './session-memory.ts';
import { snapshotsOf } from './snapshots.ts';
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
}

let nextRun = 1;

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
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  let last: RunHandle | undefined;
  const memory = new SessionMemory(() => journal.events);
  let disposing: Promise<void> | undefined;

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
    ({ version, entries }) => {
      const announce = (): void => {
        // A session that was opened again knows it already.
        const known = journal.events.findLast((event) => event.type === 'catalog.changed');
        if (known?.type === 'catalog.changed' && known.data.version === version && known.data.definitions.length > 0) return;
        const [tools, definitions] = [entries.map(({ name }) => name), entries.map(({ definitionHash }) => definitionHash)];
        journal.append('catalog.changed', { version, tools, definitions });
      };
      const opened = journal.opened;
      if (opened) opened.then(announce, () => undefined);
      else announce();
    },
  );

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
    reverts?: RunRequest['reverts'],
  ): RunHandle => {
    const options = deps.options();
    const handle = startRun(
      {
        sessionId: id,
        context: (context ?? own.context) as C,
        limits: resolveLimits(options.limits),
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
        state: executor === deps.executor ? (options.state ?? 'run') : 'run',
        onToolFailure: options.onToolFailure ?? 'throw',
        place: { locale, timeZone },
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
        plan: executor === deps.executor ? (plan ?? options.plan ?? 'off') : 'off',
        ...(reverts && { reverts }),
        after: last && { id: last.id, done: last.outcome },
      },
    );
    last = keep(handle);
    return handle;
  };

  const track = (source: string, options: RunOptions<C>, begin: (id: string) => RunHandle): Run => {
    alive();
    const known = options.id === undefined ? undefined : runs.get(options.id);
    if (known && sources.get(known.id) !== source) throw otherProgram(known.id);
    if (known) return known;
    const runId = options.id ?? newRunId();
    const forget = (): void => {
      runs.delete(runId);
      sources.delete(runId);
    };
    const handle = beginWhenOwned(journal, runId, () => begin(runId), forget);
    if (!live.has(handle)) keep(handle);
    const made: Run = {
      id: handle.id,
      outcome: handle.outcome,
      cancel: (reason) => handle.cancel(reason),
      snapshots: () => snapshotsOf(store.store, handle.id, handle.outcome),
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
    return track(`${source} ${inputText(input)}`, options, (runId) =>
      start(source, executor, { title: tool, ...options, id: runId }),
    );
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
    revokedElsewhere(grantId) {
      for (const drop of deps.revocations) drop(grantId);
    },
    begin(title, executor, reverts, signal) {
      const options = { title, ...(signal && { signal }) };
      return track(title, options, (runId) => start(title, () => executor, { ...options, id: runId }, reverts));
    },
  });
  deps.revocations.add(policy.drop);
  const { decide, decidePlan } = policy;
  answerViewers(journal, { decide, decidePlan, revoke: policy.grants.revoke });

  let unbind = (): void => {};
  const dispose = async (): Promise<void> => {
    unbind();
    for (const handle of live) handle.cancel('the session was disposed');
    await Promise.all([...live].map((handle) => handle.outcome));
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
      run: (code, options) => {
        const taken = options.id !== undefined && (sources.get(options.id) ?? code) !== code;
        return run(code, taken ? { ...options, id: newRunId() } : options);
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
    decide: (callId, decision) => whereOwned(journal, ['decide', callId, decision], () => decide(callId, decision)),
    decidePlan: (runId, decision) => whereOwned(journal, ['decidePlan', runId, decision], () => decidePlan(runId, decision)),
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
      endExecutor(deps, id);
    },
    readValue: async (stored) => (await loadRuntime()).readStored(journal, stored),
    tool(name) {
      const entry = catalog.latest(name);
      if (!entry) return undefined;
      const { title, description, inputJsonSchema, outputJsonSchema } = entry;
      const revertible = entry.tool.revert !== undefined;
      return { title, description, inputJsonSchema, revertible, ...(outputJsonSchema !== undefined && { outputJsonSchema }) };
    },
    journal: readable(journal),
    store: store.store,
    [Symbol.asyncDispose]: () => (disposing ??= dispose()),
  };
  unbind = bindSignal(own.signal, () => void session[Symbol.asyncDispose]());
  return session;
}

/** Calls `abort` when the signal fires, at once when it already has. @returns lets go of the signal, which may live for longer */
function bindSignal(signal: AbortSignal | undefined, abort: (reason: string | undefined) => void): () => void {
  if (!signal) return () => {};
  const fire = (): void => abort(reasonOf(signal));
  if (signal.aborted) {
    fire();
    return () => {};
  }
  signal.addEventListener('abort', fire, { once: true });
  return () => signal.removeEventListener('abort', fire);
}

function reasonOf({ reason }: AbortSignal): string | undefined {
  if (typeof reason === 'string') return reason;
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : undefined;
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

/** Tells two direct calls of one id apart. */
function inputText(input: unknown): string {
  try {
    return JSON.stringify(input ?? {}, (_key, value: unknown) => {
      if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return `${typeof value} ${value}`;
      return value instanceof Map || value instanceof Set ? [value.constructor.name, ...value] : value;
    });
  } catch {
    return '';
  }
}

function otherProgram(id: string): InvalidOptionsError {
  const message = `run: the id ${JSON.stringify(id)} belongs to another program of this session. Ids are for starting one program once; give this one an id of its own.`;
  return new InvalidOptionsError('invalid_options', message, { path: 'id', id });
}

function newRunId(): string {
  return `run-${nextRun++}-${Math.random().toString(36).slice(2, 8)}`;
}
