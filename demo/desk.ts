import { type CodeMode, type Session, createCodeMode } from 'react-code-mode/core';
import type { ChatDesk } from './chat/chat-desk.ts';
import { type ModelChoice, createModelChoice } from './chat/own-model.ts';
import { type ProgramRunner, createProgramRunner } from './program/program-runner.ts';
import { keptPermissions } from './permissions.ts';
import { createPause } from './shop/pause.ts';
import { type Shop, createShop } from './shop/shop.ts';
import { createShopTools } from './shop/tools/shop-tools.ts';

/** Everything that outlives a view: the shop, code mode, its session, the chat and the editor's program. */
export interface Desk {
  readonly shop: Shop;
  readonly codeMode: CodeMode;
  readonly session: Session;
  readonly model: ModelChoice;
  /** Loads the AI SDK at the first call; always the same chat. */
  openChat(): Promise<ChatDesk>;
  readonly program: ProgramRunner;
}

/** The one session of the playground; the editor and the chat share it, so that one trace shows both. */
export const SESSION_ID = 'support-desk';

/** Compute budget of a program. Short, so that the endless loop of the examples ends while one is watching. */
const TIMEOUT_MS = 5_000;

/**
 * Made once, outside of React: leaving a view, StrictMode's second mount or a re-render ends nothing.
 * @param plan whether each program is put before the person as a whole; `codeMode.update` changes it
 */
export function createDesk(plan: 'off' | 'ask'): Desk {
  const shop = createShop();
  const codeMode = createCodeMode({
    tools: createShopTools({ shop, pause: createPause() }),
    limits: { timeoutMs: TIMEOUT_MS },
    warmUp: 'idle',
    plan,
    grants: keptPermissions,
  });
  const session = codeMode.session({ id: SESSION_ID });
  const model = createModelChoice();
  let chat: Promise<ChatDesk> | undefined;
  const openChat = (): Promise<ChatDesk> => {
    chat ??= import('./chat/chat-desk.ts').then(({ createChatDesk }) => createChatDesk(session, model));
    return chat;
  };
  return { shop, codeMode, session, model, openChat, program: createProgramRunner(session) };
}
