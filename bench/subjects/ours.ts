/** This package as a subject: public API, default options, an echo tool and one with a big result. */
import type { CodeMode, Executor, JournalStorage, Session, createCodeMode } from 'react-code-mode/core';
import { HANDLERS } from '../data.ts';
import type { Opened, Started, Subject } from '../subject.ts';

const echo = {
  name: 'echo',
  inputSchema: { type: 'object', properties: { i: { type: 'number' } } },
  risk: 'read',
  execute: HANDLERS.echo,
} as const;

const orders = {
  name: 'orders',
  inputSchema: { type: 'object', properties: { megabytes: { type: 'number' } } },
  risk: 'read',
  execute: HANDLERS.orders,
} as const;

/** The package's entries, as they come in when they are first needed. */
interface Entries {
  readonly createCodeMode: typeof createCodeMode;
  /** A new executor, with no worker started. */
  createExecutor(options: { readonly spare: boolean }): Executor;
}

/** A journal of that kind, empty. @throws where there is none */
type CreateStorage = (kind: 'indexeddb') => Promise<JournalStorage>;

const noStorage: CreateStorage = () => Promise.reject(new Error('no such journal here'));

/** @param load imports the package */
export function ours(load: () => Promise<Entries>, createStorage: CreateStorage = noStorage): Subject {
  return {
    name: 'ours',
    async open({ warm, spare = true, storage }) {
      const entries = await load();
      const executor = entries.createExecutor({ spare });
      const journal = storage && (await createStorage(storage));
      const codeMode = entries.createCodeMode({ tools: [echo, orders], executor, ...(journal && { storage: journal }) });
      if (warm) await codeMode.warmUp();
      return sessionOf(codeMode, async () => {
        await codeMode[Symbol.asyncDispose]();
        await executor[Symbol.asyncDispose]();
      });
    },
  };
}

function sessionOf(codeMode: CodeMode, close: () => Promise<void>): Opened {
  const session = codeMode.session();
  return {
    run: (source) => start(session, source).outcome,
    start: (source) => start(session, source),
    sessions: (count) =>
      Array.from({ length: count }, () => {
        const own = codeMode.session();
        return (source) => start(own, source).outcome;
      }),
    again: () => sessionOf(codeMode, async () => undefined),
    close,
  };
}

function start(session: Session, source: string): Started {
  const run = session.run(source);
  const outcome = run.outcome.then((end) => {
    if (end.status === 'completed') return end.value;
    throw new Error(end.status === 'failed' ? end.error.message : end.reason);
  });
  return { outcome, cancel: () => run.cancel() };
}
