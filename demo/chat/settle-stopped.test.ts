import { type UIMessage, convertToModelMessages } from 'ai';
import { describe, expect, it } from 'vitest';
import { STOPPED_TEXT, settleStopped } from './settle-stopped.ts';

type Part = UIMessage['parts'][number];
const stopped = (...parts: Part[]): UIMessage[] => [
  { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] },
  { id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'I begin.' }, ...parts] },
];
const call = { type: 'tool-executeCode', toolCallId: 'c1', input: { code: '1' } } as const;

describe('a conversation after a stop', () => {
  it('tells the model that the call was stopped, whether it had shown progress or not', async () => {
    for (const part of [
      { ...call, state: 'input-available' },
      { ...call, state: 'output-available', preliminary: true, output: { status: 'running', calls: 0, waiting: 0 } },
    ] as Part[]) {
      const messages = await convertToModelMessages(settleStopped(stopped(part)));
      expect(messages.at(-1)).toMatchObject({
        role: 'tool',
        content: [{ toolCallId: 'c1', output: { type: 'error-text', value: STOPPED_TEXT } }],
      });
    }
  });

  it('drops a call whose program was not written to its end', () => {
    const [, assistant] = settleStopped(stopped({ ...call, state: 'input-streaming', input: undefined } as Part));
    expect(assistant?.parts).toHaveLength(2);
  });

  it('leaves finished calls as they are', () => {
    const messages = stopped({ ...call, state: 'output-available', output: { ok: true, text: '1', started: true } } as Part);
    expect(settleStopped(messages)).toEqual(messages);
  });
});
