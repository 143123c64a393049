import type { CodeMode, CodeModeOptions, Session, SessionOptions } from '../session/types.ts';

/** How long an unmounted owner keeps its code mode for a remount. Longer than a hot reload, shorter than anyone waits. */
export const GRACE_MS = 1_000;

export interface Owned {
  readonly codeMode: CodeMode;
  readonly session: Session;
}

/** What an owner makes its code mode from. */
export interface OwnerSettings {
  readonly options: CodeModeOptions;
  readonly session: SessionOptions;
}

/** One mounted component's code mode: made on demand, kept over remounts, disposed when nobody came back. */
export interface Owner {
  getSnapshot(): Owned | undefined;
  subscribe(listener: () => void): () => void;
  /** Settings of the latest render, for a code mode made later. */
  configure(settings: OwnerSettings | undefined): void;
  /** Counts a mount and makes sure there is a code mode; the returned function counts it out. */
  acquire(): () => void;
  /** The code mode, made now if need be. Only outside of rendering. */
  ensure(): Owned;
  /** Resolves when there is one. */
  ready(): Promise<Owned>;
}

interface Parked {
  readonly owned: Owned;
  readonly cancel: () => void;
}

/** Code modes whose component is gone for less than the grace period, by session id. */
const parked = new Map<string, Parked>();

/** @param create injected, so that a test can watch what is made */
export function createOwner(create: (options: CodeModeOptions) => CodeMode, initial: OwnerSettings | undefined): Owner {
  let settings = initial;
  let owned: Owned | undefined;
  let mounts = 0;
  let stopGrace: (() => void) | undefined;
  const listeners = new Set<() => void>();
  let waiting: ((owned: Owned) => void)[] = [];

  const set = (next: Owned | undefined): void => {
    owned = next;
    for (const listener of listeners) listener();
    if (!next) return;
    const resolvers = waiting;
    waiting = [];
    for (const resolve of resolvers) resolve(next);
  };

  const ensure = (): Owned => {
    if (owned) return owned;
    if (!settings) throw new Error('This owner has no options to make a code mode from.');
    const { options, session } = settings;
    const adopted = session.id === undefined ? undefined : parked.get(session.id);
    if (adopted) {
      adopted.cancel();
      adopted.owned.codeMode.update(options);
      set(adopted.owned);
    } else {
      const codeMode = create(options);
      set({ codeMode, session: codeMode.session(session) });
    }
    return owned!;
  };

  const release = (): void => {
    mounts -= 1;
    if (mounts > 0 || !owned) return;
    const left = owned;
    const id = left.session.id;
    const cancel = (): void => {
      clearTimeout(timer);
      if (parked.get(id)?.owned === left) parked.delete(id);
      stopGrace = undefined;
      if (owned === left && mounts === 0) owned = undefined;
    };
    const timer = setTimeout(() => {
      cancel();
      void left.codeMode[Symbol.asyncDispose]();
    }, GRACE_MS);
    parked.set(id, { owned: left, cancel });
    stopGrace = cancel;
  };

  return {
    getSnapshot: () => owned,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    configure(next) {
      settings = next;
    },
    acquire() {
      mounts += 1;
      stopGrace?.();
      ensure();
      let held = true;
      return () => {
        if (held) release();
        held = false;
      };
    },
    ensure,
    ready: () => (owned ? Promise.resolve(owned) : new Promise((resolve) => waiting.push(resolve))),
  };
}
