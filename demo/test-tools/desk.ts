/// <reference types="node" />
import { type CodeMode, type Session, type Tool, callById, createCodeMode } from 'react-code-mode/core';
import { createNodeExecutor } from 'react-code-mode/node';
import { createPause } from '../shop/pause.ts';
import { type Shop, createShop } from '../shop/shop.ts';
import { createShopTools } from '../shop/tools/shop-tools.ts';

/** The shop behind a real code mode in Node, without the waits of a back end. */
export interface TestDesk extends AsyncDisposable {
  readonly shop: Shop;
  readonly tools: readonly Tool[];
  readonly codeMode: CodeMode;
  readonly session: Session;
  /** Decides each call that asks, in the order of the asking, until the desk is disposed. */
  decideAll(decision: (tool: string) => Parameters<Session['decide']>[1]): void;
}

/** @param timeoutMs compute budget; measured in time, so a busy machine needs a generous one */
export function createTestDesk(timeoutMs = 20_000): TestDesk {
  const shop = createShop();
  const tools = createShopTools({ shop, pause: createPause(0) });
  const executor = createNodeExecutor();
  const codeMode = createCodeMode({ tools, executor, limits: { timeoutMs } });
  const session = codeMode.session({ id: 'test' });
  return {
    shop,
    tools,
    codeMode,
    session,
    decideAll(decision) {
      const asked = new Set<string>();
      session.store.subscribe((state) => {
        for (const id of state.pending) {
          const call = callById(state, id);
          if (!call || asked.has(id)) continue;
          asked.add(id);
          void session.decide(id, decision(call.tool));
        }
      });
    },
    async [Symbol.asyncDispose]() {
      await codeMode[Symbol.asyncDispose]();
      await executor[Symbol.asyncDispose]();
    },
  };
}
