/** The permissions of one session over their life: given, stored, loaded, taken back. */
import type { EventData, StoredValue } from '../journal/events.ts';
import type { Journal } from '../journal/journal.ts';
import type { ApprovalQueue } from '../policy/approvals.ts';
import { type Extent, type Grant, GrantBook, type GrantedCall, wordsOf } from '../policy/grants.ts';
import type { GrantStore, StoredGrant } from '../policy/types.ts';
import type { Clock } from '../protocol/clock.ts';
import type { EncodedText } from '../protocol/wire.ts';
import type { ReadonlyStore, SessionState } from '../store/state.ts';
import { within } from './stopwatch.ts';

/** An application's store may ask a server; the person waits for the answer. Milliseconds. */
const STORE_PATIENCE_MS = 10_000;

export interface PermissionsDeps<C> {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly context: C;
  readonly approvals: ApprovalQueue;
  readonly store: ReadonlyStore<SessionState>;
  /** Of the options as they are now. */
  grantStore(): GrantStore<C> | undefined;
  /** Brings the read model up to date. */
  flush(): void;
  /** Lets the other sessions of the page drop a stored permission. */
  revokedElsewhere(grantId: string): void;
  /** Stored permissions that some session of the page took back, whatever the application still has. */
  readonly revoked: Set<string>;
}

/** What runs see of it. */
export interface RunPermissions {
  readonly canStore: boolean;
  /** Reads the application's store; nothing to wait for when there is none. */
  load(): Promise<void> | undefined;
  /** Hands a permission to the application's store, and takes it over when it is kept. */
  store(call: GrantedCall, extent: Extent): Promise<Grant | undefined>;
  /** Records that a permission is in force. */
  announce(grant: Grant, from: { readonly callId?: string; readonly runId?: string; readonly loaded?: boolean }): void;
  /** Records that it no longer is. */
  withdraw(grantId: string, why: EventData['grant.revoked']['why'], runId?: string): void;
}

export class Permissions<C> implements RunPermissions {
  readonly book = new GrantBook(newGrantId);
  readonly #deps: PermissionsDeps<C>;

  constructor(deps: PermissionsDeps<C>) {
    this.#deps = deps;
  }

  get canStore(): boolean {
    return this.#deps.grantStore() !== undefined;
  }

  /** Takes over what an earlier life of the session left in the journal. Of runs that ended nothing is left. */
  restore(): void {
    const { journal, flush, store } = this.#deps;
    flush();
    const { grants, runs } = store.getState();
    const views = new Map(grants.map((view) => [view.id, view]));
    for (const event of journal.events) {
      // What it let go and has not started asks again.
      if (event.type === 'grant.revoked' && (event.data.why === 'person' || event.data.why === 'removed'))
        this.book.revoke(event.data.grantId);
      const view = event.type === 'grant.created' && views.get(event.data.grantId);
      if (!view || event.type !== 'grant.created') continue;
      const ofRun = view.scope !== 'session' && view.scope !== 'always';
      if (ofRun && runs[event.runId ?? '']?.endedAt !== undefined) this.withdraw(view.id, 'run_ended');
      else if (view.left === 0) this.withdraw(view.id, 'used_up');
      else if (view.scope !== 'always') this.book.restore(event, inlineText(event.data.input), view.used);
    }
  }

  load(): Promise<void> | undefined {
    const store = this.#deps.grantStore();
    return store && this.#load(store);
  }

  async #load(store: GrantStore<C>): Promise<void> {
    // What is given or taken back meanwhile is newer than the list that comes.
    const before = this.book.list;
    let stored: readonly StoredGrant[];
    try {
      stored = await within(this.#deps.clock, STORE_PATIENCE_MS, store.load(this.#deps.context), 'loading permissions');
      if (!Array.isArray(stored)) return;
      stored = stored.filter((each: StoredGrant | null) => typeof each === 'object' && each !== null);
    } catch {
      return; // a person is asked instead
    }
    const ids = new Set(stored.map(({ id }) => id));
    for (const { id, scope } of before) if (scope === 'always' && !ids.has(id)) this.drop(id);
    for (const each of stored) {
      const grant = this.#deps.revoked.has(each.id) ? undefined : this.book.adopt(each);
      if (grant) this.announce(grant, { loaded: true });
    }
  }

  async store(call: GrantedCall, extent: Extent): Promise<Grant | undefined> {
    const store = this.#deps.grantStore();
    const words = wordsOf(call, extent);
    if (!store || typeof words !== 'string') return undefined;
    const { tool, definitionHash, input } = call;
    const { match } = extent;
    const stored: StoredGrant = {
      v: 1,
      id: newGrantId(),
      tool,
      definitionHash,
      match,
      ...(match === 'input' && { input }),
      words,
      createdAt: this.#deps.clock.now(),
    };
    try {
      await within(this.#deps.clock, STORE_PATIENCE_MS, store.save(stored, this.#deps.context), 'storing a permission');
    } catch {
      return undefined;
    }
    return this.book.adopt(stored);
  }

  announce(
    { id, tool, definitionHash, scope, match, input, words }: Grant,
    { runId, callId, loaded }: Parameters<RunPermissions['announce']>[1],
  ): void {
    const { journal } = this.#deps;
    journal.append(
      'grant.created',
      {
        grantId: id,
        tool,
        definitionHash,
        scope,
        match,
        ...(input !== undefined && { input: journal.store(input) }),
        words,
        ...(callId !== undefined && { callId }),
        ...(loaded && { loaded }),
      },
      runId,
    );
  }

  withdraw(grantId: string, why: EventData['grant.revoked']['why'], runId?: string): void {
    this.#deps.journal.append('grant.revoked', { grantId, why }, runId);
  }

  /** Another session took it back, or the application. */
  drop(grantId: string): void {
    if (this.book.revoke(grantId)) this.withdraw(grantId, 'removed');
  }

  /** @returns false when it is not in force. Rejects when the application could not forget it; it is out of force all the same */
  async revoke(grantId: string): Promise<boolean> {
    const isStored = this.book.list.some(({ id, scope }) => id === grantId && scope === 'always');
    const { clock, context, journal, flush } = this.#deps;
    // First here, so that nothing starts by it while it is written down and the application forgets it.
    const known = this.book.revoke(grantId);
    const written = known ? journal.appendDurably('grant.revoked', { grantId, why: 'person' }) : undefined;
    flush();
    if (isStored) {
      this.#deps.revoked.add(grantId);
      this.#deps.revokedElsewhere(grantId);
      await within(clock, STORE_PATIENCE_MS, this.#deps.grantStore()?.remove(grantId, context), 'removing a permission');
    }
    await written;
    return known;
  }
}

/** Large inputs lie in the value store and are not waited for: a permission for one is asked for anew. */
function inlineText(value: StoredValue | undefined): EncodedText | undefined {
  return value && 'inline' in value ? value.inline : undefined;
}

/** Stored permissions of many sessions and pages stand side by side. */
function newGrantId(): string {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return `grant-${[...random].map((word) => word.toString(36)).join('')}`;
}
