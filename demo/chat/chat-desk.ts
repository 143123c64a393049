import { Chat } from '@ai-sdk/react';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { type ChatTransport, DirectChatTransport, ToolLoopAgent, type UIMessage, isStepCount } from 'ai';
import type { Session } from 'react-code-mode/core';
import { explainFault } from './faults.ts';
import { chatTools } from './model-tools.ts';
import { connectModel } from './connect-model.ts';
import type { ModelChoice } from './own-model.ts';
import { createScriptedModel } from './scripted-model.ts';
import { settleStopped } from './settle-stopped.ts';

/** The chat. Lives beside the session: a view that unmounts stops nothing. */
export interface ChatDesk {
  readonly chat: Chat<UIMessage>;
  /** Stops the answer and the run it waits for, and leaves a conversation that can go on. */
  stop(): Promise<void>;
  /** Stops and forgets all messages. */
  clear(): Promise<void>;
}

/** Model turns per question; a loop that needs more has lost its way. */
const MAX_STEPS = 20;

const INSTRUCTIONS =
  'You work at the support desk of an online shop. Use one program for what needs several tool calls. ' +
  'Some calls wait for a person; when one is denied, say so and do not try again unasked. Answer briefly, in plain text.';

export function createChatDesk(
  session: Session,
  choice: ModelChoice,
  scripted: LanguageModelV4 = createScriptedModel(),
): ChatDesk {
  // The SDK keeps the first transport for ever; this one asks for the model of the moment.
  const transport: ChatTransport<UIMessage> = {
    sendMessages(options) {
      const own = choice.get();
      return directTransport(session, own ? connectModel(own) : scripted).sendMessages(options);
    },
    reconnectToStream: async () => null,
  };
  const chat = new Chat<UIMessage>({ transport });
  const stop = async (): Promise<void> => {
    await chat.stop();
    chat.messages = settleStopped(chat.messages);
  };

  return {
    chat,
    stop,
    async clear() {
      await stop();
      chat.clearError();
      chat.messages = [];
    },
  };
}

function directTransport(session: Session, model: LanguageModelV4): ChatTransport<UIMessage> {
  const agent = new ToolLoopAgent({
    model,
    instructions: INSTRUCTIONS,
    tools: chatTools(session),
    stopWhen: isStepCount(MAX_STEPS),
    // The person has a button for that, and sees why it failed first.
    maxRetries: 0,
    // The chat shows the fault; without this the SDK writes it to the console as well.
    onError: () => {},
  });
  return new DirectChatTransport({ agent, onError: explainFault }) as ChatTransport<UIMessage>;
}
