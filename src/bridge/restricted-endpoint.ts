/**
 * What a worker may say to Comlink on this side: answers to questions that were asked, as data, and nothing else.
 *
 * An ordinary Comlink endpoint lets its peer call, read and write whatever is exposed and hand over live proxies. This
 * side exposes nothing; of what arrives only `{ id, type: 'RAW', value }` and thrown errors for an open id pass, rebuilt
 * field by field and without stacks. Everything else is dropped and counted.
 */
import type { Endpoint } from 'comlink';
import { isFields, isText } from './guards.ts';
import type { WorkerPort } from './worker-port.ts';

type Listener = (event: MessageEvent) => void;

export interface RestrictedEndpoint extends Endpoint {
  /** Messages that did not pass. */
  readonly dropped: number;
  /** Forgets the questions that are still open. */
  close(): void;
}

// Comlink's ids are four random numbers in hexadecimal.
const MAX_ID_CHARS = 100;
const MAX_MESSAGE_CHARS = 4_096;

export function restrictEndpoint(port: WorkerPort, onDropped: () => void = () => {}): RestrictedEndpoint {
  const open = new Set<string>();
  const listeners = new Set<Listener>();
  let dropped = 0;

  port.onMessage((data) => {
    const answer = readAnswer(data);
    if (answer === undefined || !open.delete(answer.id)) {
      dropped++;
      onDropped();
      return;
    }
    for (const listener of listeners) listener({ data: answer } as MessageEvent);
  });

  return {
    postMessage(message: { id?: unknown }, transfer?: Transferable[]) {
      if (typeof message.id === 'string') open.add(message.id);
      port.post(message, transfer);
    },
    addEventListener(_type: string, listener: EventListenerOrEventListenerObject) {
      listeners.add(listener as Listener);
    },
    removeEventListener(_type: string, listener: EventListenerOrEventListenerObject) {
      listeners.delete(listener as Listener);
    },
    get dropped() {
      return dropped;
    },
    close() {
      open.clear();
      listeners.clear();
    },
  };
}

type Answer =
  | { readonly id: string; readonly type: 'RAW'; readonly value: unknown }
  | { readonly id: string; readonly type: 'HANDLER'; readonly name: 'throw'; readonly value: ThrownError };

interface ThrownError {
  readonly isError: true;
  readonly value: { readonly name: string; readonly message: string };
}

function readAnswer(data: unknown): Answer | undefined {
  if (!isFields(data) || !isText(data.id, MAX_ID_CHARS)) return undefined;
  const { id } = data;
  if (data.type === 'RAW') return { id, type: 'RAW', value: data.value };
  if (data.type !== 'HANDLER' || data.name !== 'throw') return undefined;
  return { id, type: 'HANDLER', name: 'throw', value: { isError: true, value: readThrown(data.value) } };
}

/** A thrown thing becomes an error with a short message; its other fields and its stack stay outside. */
function readThrown(thrown: unknown): { name: string; message: string } {
  const fields = isFields(thrown) && isFields(thrown.value) ? thrown.value : undefined;
  const message =
    fields !== undefined && typeof fields.message === 'string' ? fields.message : 'The worker threw something that is no error.';
  return { name: 'Error', message: message.slice(0, MAX_MESSAGE_CHARS) };
}
