/**
 * One owner without Web Locks (pages without HTTPS): whoever is not contradicted within a moment has the session. Viewers ask
 * again every few seconds, so the session of a closed page goes to the next. Not watertight: a page that the browser froze
 * cannot contradict. Then both believe to be the owner until the first of them writes; the storage refuses the second writer
 * of a sequence number, so nothing is run twice.
 */
import type { Seat, SessionOwnership } from './ownership.ts';
import { openTabChannel, type TabChannel } from './tab-channel.ts';

/** How long an owner may take to contradict. Milliseconds; messages reach hidden pages, too. */
const CONTRADICT_MS = 250;
/** How often a viewer asks whether the owner is still there. Milliseconds. */
const ASK_EVERY_MS = 2_000;

export function leaseOwnership(name: string): SessionOwnership {
  return {
    join: (sessionId) => new Lease(openTabChannel(name, sessionId)).join(),
    async whileFree(sessionId, work) {
      const lease = new Lease(openTabChannel(name, sessionId));
      const seat = await lease.join();
      try {
        if (seat.role === 'owner') await work();
        return seat.role === 'owner';
      } finally {
        seat.leave();
      }
    },
  };
}

class Lease implements Seat {
  /** The lower of two claims that are made at once wins. */
  readonly #id = crypto.getRandomValues(new Uint32Array(4)).join('-');
  readonly #channel: TabChannel;
  #role: Seat['role'] = 'viewer';
  #changed: (role: Seat['role']) => void = () => undefined;
  #claiming: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left = false;

  constructor(channel: TabChannel) {
    this.#channel = channel;
    channel.onWord((word) => this.#hear(word));
  }

  async join(): Promise<Seat> {
    await this.#claim();
    return this;
  }

  /** Asks for the session; it is ours when nobody says otherwise. */
  async #claim(): Promise<void> {
    const contradicted = await new Promise<boolean>((resolve) => {
      this.#timer = setTimeout(() => resolve(false), CONTRADICT_MS);
      this.#claiming = () => resolve(true);
      this.#channel.post({ kind: 'claim', id: this.#id });
    });
    clearTimeout(this.#timer);
    this.#claiming = undefined;
    if (this.#left) return;
    if (contradicted) {
      this.#timer = setTimeout(() => void this.#claim(), ASK_EVERY_MS);
      return;
    }
    this.#set('owner');
    this.#channel.post({ kind: 'mine', id: this.#id });
  }

  #hear({ kind, id }: { readonly kind: string; readonly id?: string }): void {
    if (this.#left || id === undefined) return;
    if (kind === 'claim') {
      if (this.#role === 'owner') this.#channel.post({ kind: 'mine', id: this.#id });
      else if (this.#id < id && this.#claiming) this.#channel.post({ kind: 'claim', id: this.#id });
      else if (id < this.#id) this.#claiming?.();
    } else if (kind === 'mine') {
      this.#claiming?.();
      // It was frozen, or two claims crossed: the lower id keeps the session, the other one follows.
      if (this.#role === 'owner' && id < this.#id) this.#lose();
      else if (this.#role === 'owner') this.#channel.post({ kind: 'mine', id: this.#id });
    } else if (kind === 'left' && this.#role === 'viewer' && !this.#claiming) {
      clearTimeout(this.#timer);
      void this.#claim();
    }
  }

  #lose(): void {
    this.#set('viewer');
    this.#timer = setTimeout(() => void this.#claim(), ASK_EVERY_MS);
  }

  #set(role: Seat['role']): void {
    if (role === this.#role) return;
    this.#role = role;
    this.#channel.setOwner(role === 'owner');
    this.#changed(role);
  }

  get role(): Seat['role'] {
    return this.#role;
  }

  onRole(listener: (role: Seat['role']) => void): void {
    this.#changed = listener;
  }

  get publish(): Seat['publish'] {
    return this.#channel.publish;
  }

  get onEvents(): Seat['onEvents'] {
    return this.#channel.onEvents;
  }

  get ask(): Seat['ask'] {
    return this.#channel.ask;
  }

  get onAsk(): Seat['onAsk'] {
    return this.#channel.onAsk;
  }

  leave(): void {
    this.#left = true;
    clearTimeout(this.#timer);
    this.#claiming?.();
    if (this.#role === 'owner') this.#channel.post({ kind: 'left', id: this.#id });
    this.#channel.close();
  }
}
