/** The words between a session and its runs. Types only. */
import type { Executor } from '../bridge/executor.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { RunRecording } from '../journal/recording.ts';
import type { SessionStore } from '../store/create-store.ts';
import type { Decisions } from './decisions.ts';
import type { Revert } from './dispatch-call.ts';
import type { RunPlace } from './run-request.ts';
import type { RunScope } from './run-scope.ts';
import type { SessionMemory } from './session-memory.ts';
import type { RunOutcome } from './types.ts';

/** What runs a program. Calls without one are not looked at beforehand. */
export type RunExecutor = Pick<Executor, 'execute' | 'engine'> &
  Partial<Pick<Executor, 'analyze' | 'offerWorker' | 'endSession' | 'prepare'>>;

/** What the calls of all runs of a session share. */
export type SharedDecisions = Pick<RunScope, 'approvals' | 'permissions' | 'grants' | 'limitBook' | 'deferred'>;

/** What a run takes from its session. */
export interface RunDeps<C>
  extends Omit<
    RunScope<C>,
    | keyof SharedDecisions
    | 'hides'
    | 'runId'
    | 'catalog'
    | 'gate'
    | 'breathing'
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
  /** Where a run that was brought back had begun. */
  readonly place: RunPlace | undefined;
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
  /** It is one call without a program. */
  readonly direct?: boolean;
  /** Its context is not the session's. */
  readonly ownContext: boolean;
  /** What the calls take back, by number; never from a program. */
  readonly reverts?: ReadonlyMap<number, Revert>;
  /** It does an earlier run over. */
  readonly retries?: { readonly runId: string; readonly callId?: string };
  /** It is in the journal already, and goes on from where it was. */
  readonly resume?: Resume;
  /** Run of the session that goes first, and its end. */
  readonly after: { readonly id: string; readonly done: Promise<unknown> } | undefined;
}

export interface RunHandle {
  readonly id: string;
  readonly outcome: Promise<RunOutcome>;
  cancel(reason?: string): void;
  /** Continues a run that stands still; nothing for one that does not. */
  wake?(): void;
  /** The run waits as it did before its page was gone, or is over. */
  readonly standing?: Promise<void>;
  /** It stands still since the page was opened, and nobody has continued it. */
  isDormant?(): boolean;
}

export interface Resume {
  readonly recording: RunRecording;
  /** It stands still until a person decides, a result is brought, or somebody continues it. */
  readonly dormant: boolean;
}
