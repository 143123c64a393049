/** Words between the pages that have one session open: what the owner wrote, questions, answers. Same-origin pages only. */
import { CodeModeError, type ErrorCode, type ErrorData, isCodeModeError } from '../errors.ts';
import type { JournalEvent } from './events.ts';

/** How long an owner may take to answer. Milliseconds. */
const ANSWER_MS = 10_000;

type Word =
  | { readonly kind: 'events'; readonly events: readonly JournalEvent[] }
  | { readonly kind: 'ask'; readonly id: string; readonly question: unknown }
  | { readonly kind: 'answer'; readonly id: string; readonly value: unknown }
  | {
      readonly kind: 'refusal';
      readonly id: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly data: ErrorData;
    }
  /** Of a lease: a page wants the session, has it, or leaves it. */
  | { readonly kind: 'claim' | 'mine' | 'left'; readonly id: string };

export interface TabChannel {
  post(word: Word): void;
  onWord(listener: (word: Word) => void): void;
  publish(events: readonly JournalEvent[]): void;
  onEvents(listener: (events: readonly JournalEvent[]) => void): void;
  ask(question: unknown): Promise<unknown>;
  onAsk(answer: (question: unknown) => Promise<unknown>): void;
  /** The page became the owner: it answers from now on, and nobody answers what it asked. */
  setOwner(owner: boolean): void;
  close(): void;
}

interface Open {
  resolve(value: unknown): void;
  reject(error: CodeModeError): void;
}

/** Opens the channel of a session; one that nobody hears where there is no BroadcastChannel. */
export function openTabChannel(name: string, sessionId: string): TabChannel {
  const channel =
    typeof BroadcastChannel === 'function' ? new BroadcastChannel(`react-code-mode/${name}/${sessionId}`) : undefined;
  const open = new Map<string, Open>();
  let owner = false;
  let onWord: (word: Word) => void = () => undefined;
  let onEvents: (events: readonly JournalEvent[]) => void = () => undefined;
  let answer: ((question: unknown) => Promise<unknown>) | undefined;

  const post = (word: Word): void => channel?.postMessage(word);
  const hear = (word: Word): void => {
    switch (word.kind) {
      case 'events':
        return owner ? undefined : onEvents(word.events);
      case 'ask':
        return owner ? void reply(word.id, word.question) : undefined;
      case 'answer':
        return open.get(word.id)?.resolve(word.value);
      case 'refusal':
        return open.get(word.id)?.reject(new CodeModeError(word.code, word.message, word.data));
      default:
        return onWord(word);
    }
  };
  const reply = async (id: string, question: unknown): Promise<void> => {
    if (!answer) return;
    try {
      post({ kind: 'answer', id, value: await answer(question) });
    } catch (error) {
      post(refusal(id, error));
    }
  };
  if (channel) channel.onmessage = ({ data }: MessageEvent<Word>) => hear(data);

  return {
    post,
    onWord(listener) {
      onWord = listener;
    },
    publish: (events) => post({ kind: 'events', events }),
    onEvents(listener) {
      onEvents = listener;
    },
    ask(question) {
      const id = crypto.getRandomValues(new Uint32Array(4)).join('-');
      return new Promise<unknown>((resolve, reject) => {
        const timer = setTimeout(() => reject(noAnswer()), ANSWER_MS);
        const end = <V>(settle: (value: V) => void): ((value: V) => void) => {
          return (value) => {
            clearTimeout(timer);
            open.delete(id);
            settle(value);
          };
        };
        open.set(id, { resolve: end(resolve), reject: end(reject) });
        try {
          post({ kind: 'ask', id, question });
        } catch (cause) {
          open.get(id)?.reject(unsendable(cause));
        }
      });
    },
    onAsk(listener) {
      answer = listener;
    },
    setOwner(value) {
      owner = value;
      if (value) for (const each of [...open.values()]) each.reject(noAnswer());
    },
    close() {
      for (const each of [...open.values()]) each.reject(noAnswer());
      channel?.close();
    },
  };
}

function refusal(id: string, error: unknown): Word {
  if (isCodeModeError(error)) return { kind: 'refusal', id, code: error.code, message: error.message, data: error.data };
  return {
    kind: 'refusal',
    id,
    code: 'storage_error',
    message: 'The page that runs this conversation failed to answer.',
    data: {},
  };
}

function noAnswer(): CodeModeError {
  return new CodeModeError(
    'storage_error',
    'The page that runs this conversation did not answer. What was asked of it may or may not have been done: look at the current state before you ask again.',
  );
}

function unsendable(cause: unknown): CodeModeError {
  return new CodeModeError(
    'serialization_error',
    'This cannot be handed to the page that runs the conversation: only plain data can (no functions).',
    {},
    { cause },
  );
}
