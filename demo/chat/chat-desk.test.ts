import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDesk } from '../test-tools/desk.ts';
import { createChatDesk } from './chat-desk.ts';
import { createModelChoice } from './own-model.ts';
import { createScriptedModel } from './scripted-model.ts';
import { SCRIPTS } from './scripts.ts';

// A real worker starts first, perhaps on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const desk = createTestDesk();
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(() => desk.shop.reset());

const [late, , stock] = SCRIPTS;
const choice = createModelChoice();
const openChat = (): ReturnType<typeof createChatDesk> => createChatDesk(desk.session, choice, createScriptedModel(0));
const waiting = (): Promise<string> =>
  vi.waitFor(
    () => {
      const [id] = desk.session.store.getState().pending;
      if (id === undefined) throw new Error('nothing waits yet');
      return id;
    },
    { timeout: 5_000, interval: 10 },
  );

describe('the chat', () => {
  it('shows a run by the id of its tool call, and keeps only the text of its answer', async () => {
    const { chat } = openChat();
    await chat.sendMessage({ text: stock?.prompt ?? '' });
    expect(chat.status).toBe('ready');
    const parts = chat.lastMessage?.parts.filter((part) => part.type === 'tool-executeCode') ?? [];
    expect(parts).toHaveLength(1);
    const [part] = parts;
    if (part?.type !== 'tool-executeCode' || !('toolCallId' in part)) throw new Error('no call of executeCode');
    expect(desk.session.store.getState().runs[part.toolCallId]?.status).toBe('completed');
    expect(part).toMatchObject({ state: 'output-available', output: { ok: true, started: true } });
    expect(JSON.stringify(part.output).length).toBeLessThan(5_000);
  });

  it('can be stopped while a call waits, runs nothing then, and goes on with the next question', async () => {
    const { chat, stop } = openChat();
    const asked = chat.sendMessage({ text: late?.prompt ?? '' });
    await waiting();
    await stop();
    await asked;
    await vi.waitFor(() => expect(desk.session.store.getState().pending).toEqual([]));
    expect(desk.shop.changes()).toBe(0);
    await chat.sendMessage({ text: stock?.prompt ?? '' });
    expect(chat.error).toBeUndefined();
    expect(chat.lastMessage?.parts.at(-1)).toMatchObject({ type: 'text', text: expect.stringContaining('Revenue by category') });
  });

  it('puts a fault of the model into words', async () => {
    const { chat } = openChat();
    choice.set({ url: 'http://127.0.0.1:9/v1', model: 'm', key: '' });
    await chat.sendMessage({ text: 'hello' });
    expect(chat.error?.message).toContain('127.0.0.1:9 cannot be reached');
    choice.set(undefined);
    await chat.regenerate();
    expect(chat.error).toBeUndefined();
  });
});
