/** The soak on a page; `scripts/soak.mjs` plays it batch by batch and looks at the process from outside. */
import { createWebWorkerExecutor } from 'react-code-mode/core';
import { type Batch, createSoak } from '../soak.ts';

/** What the page itself can tell between batches. */
export interface PageHeld {
  /** This side's ends of message channels that are open. */
  readonly ports: number;
  readonly listeners: number;
  readonly handlersOpen: number;
  readonly journals: number;
  readonly poolBusy: number;
}

export interface PageSoak {
  batch(runs: number): Promise<Batch>;
  held(): Promise<PageHeld>;
  /** @returns ports that are open afterwards */
  dispose(): Promise<number>;
}

declare global {
  interface Window {
    createPageSoak(options: { readonly seed: number; readonly lanes: number }): PageSoak;
    pageSoak: PageSoak;
  }
}

const ports = new Set<MessagePort>();
const { MessageChannel } = window;
window.MessageChannel = class extends MessageChannel {
  constructor() {
    super();
    const port = this.port1;
    ports.add(port);
    const close = port.close.bind(port);
    port.close = () => {
      ports.delete(port);
      close();
    };
  }
};

/** Listeners that a signal has now. */
const listening = new Map<AbortSignal, number>();

function countListeners(signal: AbortSignal): void {
  const count = (by: number): void => void listening.set(signal, (listening.get(signal) ?? 0) + by);
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...given: unknown[]) => {
    count(1);
    Reflect.apply(addEventListener, signal, given);
  };
  signal.removeEventListener = (...given: unknown[]) => {
    count(-1);
    Reflect.apply(removeEventListener, signal, given);
  };
}

window.createPageSoak = (options) => {
  const executor = createWebWorkerExecutor();
  const soak = createSoak({ executor, ...options });
  countListeners(soak.signal);
  return (window.pageSoak = {
    batch: soak.batch,
    async held() {
      const { busy, idle, queued, waitingForSlot } = executor.load;
      return {
        ports: ports.size,
        listeners: listening.get(soak.signal) ?? 0,
        handlersOpen: soak.handlersOpen,
        journals: await soak.journals(),
        poolBusy: busy + idle + queued + waitingForSlot,
      };
    },
    async dispose() {
      await soak.dispose();
      await executor[Symbol.asyncDispose]();
      return ports.size;
    },
  });
};
