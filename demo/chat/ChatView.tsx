import { useChat } from '@ai-sdk/react';
import { type ReactElement, use, useRef, useState, useSyncExternalStore } from 'react';
import { useDesk } from '../desk-context.ts';
import { Empty } from '../shell/Empty.tsx';
import { Icon } from '../shell/Icon.tsx';
import { Composer } from './Composer.tsx';
import { Messages } from './Messages.tsx';
import { SCRIPTED_LABEL } from './own-model.ts';
import type { Script } from './scripts/script.ts';
import { SCRIPTS } from './scripts.ts';

/** A conversation whose model writes programs. Only a window: the chat itself lives in the desk. */
export function ChatView(): ReactElement {
  const { openChat, model } = useDesk();
  const desk = use(openChat());
  const { messages, status, error, sendMessage, regenerate } = useChat({ chat: desk.chat, throttle: 50 });
  const own = useSyncExternalStore(model.subscribe, model.get);
  const [draft, setDraft] = useState('');
  const view = useRef<HTMLElement>(null);
  const busy = status === 'submitted' || status === 'streaming';
  const send = (text: string): void => {
    setDraft('');
    void sendMessage({ text });
  };

  const sendSuggestion = (text: string): void => {
    send(text);
    // The button that was pressed goes away.
    view.current?.focus();
  };

  return (
    <section ref={view} tabIndex={-1} className="chat" aria-label="Chat">
      <div className="bar">
        <span className="model-line">
          <span className="dot" aria-hidden="true" data-own={own ? true : undefined} />
          {own ? `Answers come from ${own.model}` : SCRIPTED_LABEL}
        </span>
        <span className="bar-space" />
        <button type="button" className="button quiet" disabled={messages.length === 0} onClick={() => void desk.clear()}>
          <Icon name="clear" />
          Clear chat
        </button>
      </div>
      {messages.length === 0 ? (
        <div className="messages">
          <Start onSend={sendSuggestion} own={own !== undefined} />
        </div>
      ) : (
        <Messages messages={messages} status={status} />
      )}
      {error && (
        <div className="chat-error" role="alert">
          <Icon name="alert" />
          <p>{error.message}</p>
          <button type="button" className="button" onClick={() => void regenerate()}>
            Try again
          </button>
        </div>
      )}
      {messages.length > 0 && !busy && !own && <Suggestions short scripts={SCRIPTS} onSend={sendSuggestion} />}
      <Composer draft={draft} onDraft={setDraft} busy={busy} onSend={send} onStop={() => void desk.stop()} />
    </section>
  );
}

function Start({ onSend, own }: { onSend(text: string): void; readonly own: boolean }): ReactElement {
  const [first, ...others] = SCRIPTS;
  return (
    <>
      <Empty primary title="Ask the support desk" action={first?.label} onAction={() => first && onSend(first.prompt)}>
        {own
          ? 'The model can look up customers, orders, stock and tickets, and it asks you before it refunds, cancels or writes.'
          : 'The answers are scripted, the programs are not: they run in the sandbox, against the shop’s data, and wait for you where money moves.'}
      </Empty>
      <Suggestions scripts={others} onSend={onSend} />
    </>
  );
}

interface SuggestionsProps {
  readonly scripts: readonly Script[];
  /** Their labels instead of the whole questions. */
  readonly short?: boolean;
  onSend(text: string): void;
}

function Suggestions({ scripts, short, onSend }: SuggestionsProps): ReactElement {
  return (
    <ul className="suggestions" aria-label="Suggested questions">
      {scripts.map((script) => (
        <li key={script.id}>
          <button type="button" className="suggestion" onClick={() => onSend(script.prompt)}>
            {short ? script.label : script.prompt}
          </button>
        </li>
      ))}
    </ul>
  );
}
