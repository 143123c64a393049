import { type UIMessage, isToolUIPart } from 'ai';

/** Told to the model when it reads the conversation again. */
export const STOPPED_TEXT = 'The person stopped this call before it ended. Do not repeat it unasked.';

/**
 * Settles tool calls that a stop left open. Without this the SDK refuses the next message (`input-available`), or
 * takes a progress snapshot for the result (`preliminary`).
 */
export function settleStopped(messages: readonly UIMessage[]): UIMessage[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || !message.parts.some(isOpen)) return message;
    return { ...message, parts: message.parts.flatMap((part) => (isOpen(part) ? settled(part) : [part])) };
  });
}

type Part = UIMessage['parts'][number];
type ToolPart = Extract<Part, { toolCallId: string; state: string }>;

function isOpen(part: Part): part is ToolPart {
  if (!isToolUIPart(part)) return false;
  return (
    part.state === 'input-streaming' ||
    part.state === 'input-available' ||
    (part.state === 'output-available' && part.preliminary === true)
  );
}

/** A call whose input was still on its way never started: it is dropped. */
function settled(part: ToolPart): Part[] {
  if (part.state === 'input-streaming') return [];
  const { type, toolCallId, input } = part;
  const name = 'toolName' in part ? { toolName: part.toolName } : {};
  return [{ type, ...name, toolCallId, input, state: 'output-error', errorText: STOPPED_TEXT } as Part];
}
