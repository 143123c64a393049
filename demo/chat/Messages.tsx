import { type ChatStatus, type UIMessage, getToolName, isToolUIPart } from 'ai';
import type { ReactElement } from 'react';
import { CodeModeRun } from 'react-code-mode';
import { Icon } from '../shell/Icon.tsx';
import type { ExecuteCodeOutput } from './model-tools.ts';
import { useFollowEnd } from './use-follow-end.ts';

/** The conversation, oldest first; follows its end unless one has scrolled away from it. */
export function Messages({
  messages,
  status,
}: {
  readonly messages: readonly UIMessage[];
  readonly status: ChatStatus;
}): ReactElement {
  const follow = useFollowEnd();
  return (
    <div
      className="messages"
      ref={follow}
      role="log"
      aria-label="Conversation"
      aria-busy={status === 'streaming'}
      // A region that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <div className="message-list">
        {messages.map((message) => (
          <article key={message.id} className="message" data-role={message.role}>
            <h2 className="message-from">{message.role === 'user' ? 'You' : 'Assistant'}</h2>
            {message.parts.map((part, index) => (
              // Parts of a message are only ever added at its end.
              // oxlint-disable-next-line react/no-array-index-key
              <PartView key={index} part={part} />
            ))}
          </article>
        ))}
        {status === 'submitted' && <p className="thinking">Thinking</p>}
      </div>
    </div>
  );
}

function PartView({ part }: { readonly part: UIMessage['parts'][number] }): ReactElement | null {
  if (part.type === 'text') {
    return part.text === '' ? null : (
      <p className="message-text" dir="auto">
        {part.text}
      </p>
    );
  }
  if (!isToolUIPart(part)) return null;
  const name = getToolName(part);
  if (name !== 'executeCode')
    return <Lookup name={name} done={part.state === 'output-available'} failed={part.state === 'output-error'} />;
  if (part.state === 'input-streaming') return <ToolLine icon="program" text="Writing a program" />;
  return (
    <>
      <CodeModeRun runId={part.toolCallId} />
      {part.state === 'output-available' && !part.preliminary && <Refused output={part.output as ExecuteCodeOutput} />}
    </>
  );
}

/** Arguments that were refused before a run began leave no run to show. */
function Refused({ output }: { readonly output: ExecuteCodeOutput }): ReactElement | null {
  if (!('text' in output) || output.ok || output.started) return null;
  return <ToolLine icon="failed" text={output.text} />;
}

function Lookup({
  name,
  done,
  failed,
}: {
  readonly name: string;
  readonly done: boolean;
  readonly failed: boolean;
}): ReactElement {
  const words = name === 'getTools' ? 'for tools' : 'at a tool’s definition';
  return <ToolLine icon={failed ? 'failed' : 'trace'} text={`${done || failed ? 'Looked' : 'Looking'} ${words}`} />;
}

function ToolLine({ icon, text }: { readonly icon: 'program' | 'trace' | 'failed'; readonly text: string }): ReactElement {
  return (
    <p className="tool-line">
      <Icon name={icon} />
      {text}
    </p>
  );
}
