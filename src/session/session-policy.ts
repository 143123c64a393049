/** What a session offers around decisions. What it takes is loaded with the first run; until then nothing waits. */
import type { CatalogEntry } from '../catalog/catalog.ts';
import { isTrusted } from '../catalog/risk.ts';
import type { ToolOrigin } from '../catalog/tool.ts';
import type { Journal } from '../journal/journal.ts';
import type { PolicyInputs } from '../policy/evaluate.ts';
import type { CallToExplain, DecisionReceipt, GrantPreview, PolicyExplanation, PolicyRule } from '../policy/types.ts';
import type { Clock } from '../protocol/clock.ts';
import type { SessionStore } from '../store/create-store.ts';
import type { Decisions } from './decisions.ts';
import { loadRuntime, runtimeNow } from './load-runtime.ts';
import type { WaitingCall } from './preview-grant.ts';
import type { RunExecutor, RunRequest } from './run-types.ts';
import type { SessionCatalog } from './session-catalog.ts';
import type { CodeModeOptions, Run, Session, UndoOutcome } from './types.ts';
import { undoPlanOf } from './undo-plan.ts';
import { whereOwned } from './viewer.ts';

export interface SessionPolicyDeps<C> {
  readonly sessionId: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly store: SessionStore;
  readonly context: C;
  readonly catalog: SessionCatalog;
  /** Rules of the session alone. */
  readonly ownRules: readonly PolicyRule<C>[] | undefined;
  toolTimeoutMs(): number;
  options(): CodeModeOptions<C>;
  /** Other sessions of the code mode drop a stored permission as well. */
  revokedElsewhere(grantId: string): void;
  /** Ids of those. */
  readonly revoked: Set<string>;
  /** Starts a run that is no program. */
  begin(title: string, executor: RunExecutor, reverts: RunRequest['reverts'], signal: AbortSignal | undefined): Run;
}

export interface SessionPolicy<C>
  extends Pick<Session<C>, 'decide' | 'decidePlan' | 'settle' | 'grants' | 'explainPolicy' | 'undoable' | 'undo'> {
  /** The code mode's rules and the session's; the same list as long as they are the same. */
  rules(): readonly PolicyRule<C>[];
  /** What decides about a call besides people. */
  inputs(entry: Pick<CatalogEntry, 'trusted'>): PolicyInputs<C>;
  /** Once the runtime is there and the journal is open. */
  decisions(): Decisions<C>;
  /** Another session of the code mode took a stored permission back. */
  drop(grantId: string): void;
}

const ENDED: DecisionReceipt = { applied: false, why: 'ended' };
const NOT_WAITING: GrantPreview = { ok: false, issues: [{ path: [], message: 'the call does not wait' }] };

export function createSessionPolicy<C>(deps: SessionPolicyDeps<C>): SessionPolicy<C> {
  const { sessionId, journal, clock, store, context, catalog } = deps;
  const rules = combined(deps);
  let made: Decisions<C> | undefined;
  // What a viewer knew when it first looked is old once it is the owner.
  journal.onOwnership((now) => {
    if (now === 'owner') made = undefined;
  });

  const decisions = (): Decisions<C> => {
    const runtime = runtimeNow();
    if (!runtime) throw new Error('decisions are made once programs can run');
    const { flush } = store;
    const grantStore = () => deps.options().grants;
    const { revokedElsewhere, revoked } = deps;
    const from = { journal, clock, context, store: store.store, grantStore, flush, revokedElsewhere, revoked };
    made ??= new runtime.Decisions<C>(from);
    return made;
  };
  const loaded = async (): Promise<Decisions<C>> => {
    await Promise.all([loadRuntime(), journal.opened]);
    return decisions();
  };
  // A viewer knows what waits from the journal, and offers what its owner would.
  const waiting = (): readonly WaitingCall[] =>
    (journal.ownership === 'viewer' ? runtimeNow()?.waitingCalls(store.store.getState()) : made?.approvals.pending) ?? [];
  // Asked for several times with each call: the same object for as long as nothing has changed.
  const kept: Partial<Record<'true' | 'false', PolicyInputs<C>>> = {};
  const inputs = ({ trusted }: Pick<CatalogEntry, 'trusted'>): PolicyInputs<C> => {
    const { onToolCall } = deps.options();
    const all = rules();
    const last = kept[`${trusted}`];
    if (last?.rules === all && last.onToolCall === onToolCall) return last;
    return (kept[`${trusted}`] = { rules: all, trusted, ...(onToolCall && { onToolCall }) });
  };
  const after = async <R>(decided: Promise<R>): Promise<R> => {
    const receipt = await decided;
    store.flush();
    return receipt;
  };

  return {
    rules,
    inputs,
    decisions,
    drop: (grantId) => made?.permissions.drop(grantId),
    // The claim is taken before these return.
    decide: async (callId, decision) => (made ? after(made.decide(callId, decision)) : ENDED),
    decidePlan: async (runId, decision) => (made ? after(made.decidePlan(runId, decision)) : ENDED),
    settle: async (callId, output) =>
      made ? after(made.deferred.settle(callId, output)) : { applied: false, why: 'not_waiting' },
    grants: {
      get list() {
        return store.store.getState().grants;
      },
      get canStore() {
        return deps.options().grants !== undefined;
      },
      preview: (callId, offer) =>
        runtimeNow()?.previewGrant(waiting(), callId, offer, deps.options().grants !== undefined) ?? NOT_WAITING,
      suggestRule: (callId) => runtimeNow()?.suggestRule(waiting(), callId),
      revoke: (grantId) => whereOwned(journal, ['revoke', grantId], async () => (await loaded()).permissions.revoke(grantId)),
      async refresh() {
        await (await loaded()).permissions.load();
        store.flush();
      },
    },
    async explainPolicy(call: CallToExplain): Promise<PolicyExplanation> {
      const made = await loaded();
      const { explainCall } = await loadRuntime();
      const current = await catalog.now();
      const { trust } = deps.options();
      const from = {
        sessionId,
        context,
        clock,
        toolTimeoutMs: deps.toolTimeoutMs(),
        decisions: made,
        entry: (name: string) => current.get(name),
        defined: catalog.defined,
        policy: inputs,
        trust: (origin: ToolOrigin | undefined) => isTrusted(origin, trust),
      };
      return explainCall(from, call);
    },
    undoable(runId) {
      const { calls, stays } = undoPlanOf(store.store.getState(), runId, catalog.latest);
      return { calls, stays };
    },
    async undo(runId, { signal } = {}): Promise<UndoOutcome> {
      const { undoRun } = await loadRuntime();
      return undoRun({ journal, store: store.store, catalog, begin: deps.begin }, runId, signal);
    },
  };
}

/** The code mode's rules, then the session's. A new list only when one of them changed: catalogues are built by it. */
function combined<C>({ options, ownRules }: SessionPolicyDeps<C>): () => readonly PolicyRule<C>[] {
  let from: readonly PolicyRule<C>[] | undefined;
  let list: readonly PolicyRule<C>[] = ownRules ?? [];
  return () => {
    const { policy } = options();
    if (!ownRules?.length) return policy ?? list;
    if (policy !== from) list = [...(policy ?? []), ...ownRules];
    from = policy;
    return list;
  };
}

type Deciding<C> = Pick<SessionPolicy<C>, 'decide' | 'decidePlan' | 'settle'>;

/** Decisions that come while the session is taken up wait until it is known what they are about. */
export function whenReady<C>(ready: () => Promise<void> | undefined, policy: Deciding<C>): Deciding<C> {
  const after = <R>(work: () => Promise<R>): Promise<R> => {
    const waiting = ready();
    return waiting ? waiting.then(work) : work();
  };
  return {
    decide: (callId, decision) => after(() => policy.decide(callId, decision)),
    decidePlan: (runId, decision) => after(() => policy.decidePlan(runId, decision)),
    settle: (callId, output) => after(() => policy.settle(callId, output)),
  };
}
