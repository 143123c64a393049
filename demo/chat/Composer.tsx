import { type FormEvent, type KeyboardEvent, type ReactElement, useRef } from 'react';
import { Icon } from '../shell/Icon.tsx';

export interface ComposerProps {
  readonly draft: string;
  onDraft(text: string): void;
  readonly busy: boolean;
  onSend(text: string): void;
  onStop(): void;
}

/** Where the question is written. Enter sends, Shift Enter breaks the line; Stop takes the place of Send. */
export function Composer({ draft, onDraft, busy, onSend, onStop }: ComposerProps): ReactElement {
  const field = useRef<HTMLTextAreaElement>(null);
  const text = draft.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy || !text) return;
    onSend(text);
    // The button gives way to the other one; the focus must not go with it.
    field.current?.focus();
  };
  const stop = (): void => {
    onStop();
    field.current?.focus();
  };
  const key = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!busy && text) onSend(text);
  };
  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        ref={field}
        aria-label="Message"
        placeholder="Ask the support desk"
        rows={2}
        dir="auto"
        value={draft}
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={key}
      />
      {busy ? (
        <button type="button" className="button" onClick={stop}>
          <Icon name="stop" />
          Stop
        </button>
      ) : (
        <button type="submit" className="button primary" disabled={!text}>
          <Icon name="send" />
          Send
        </button>
      )}
    </form>
  );
}
