/** Counts what a Node process holds open: worker threads and message ports, by watching their constructors. */
import { getEventListeners } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import threads from 'node:worker_threads';

export interface Held {
  /** Worker threads that have not exited. */
  readonly workers: number;
  /** This side's ends of message channels that are open. */
  readonly ports: number;
  /** Handles that keep the process alive, by kind. */
  readonly active: Readonly<Record<string, number>>;
}

export interface NodeWatch {
  held(): Held;
  /** Listeners on a signal. */
  listeners(signal: AbortSignal): number;
  /** Collects garbage, finalizers included. */
  collect(): Promise<void>;
  /** Takes the watch off again. */
  stop(): void;
}

/** To be called before the executor is created. */
export function watchNode(): NodeWatch {
  const workers = new Set<threads.Worker>();
  const ports = new Set<MessagePort>();
  const { Worker } = threads;
  const { MessageChannel } = globalThis;
  threads.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      workers.add(this);
      this.once('exit', () => workers.delete(this));
    }
  };
  syncBuiltinESMExports();
  globalThis.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      const port = this.port1;
      ports.add(port);
      (port as unknown as threads.MessagePort).once('close', () => ports.delete(port));
    }
  };
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  // Workers that start later are to be as they are without it.
  setFlagsFromString('--no-expose-gc');
  return {
    held() {
      const active: Record<string, number> = {};
      for (const kind of process.getActiveResourcesInfo()) active[kind] = (active[kind] ?? 0) + 1;
      return { workers: workers.size, ports: ports.size, active };
    },
    listeners: (signal) => getEventListeners(signal, 'abort').length,
    async collect() {
      for (let i = 0; i < 3; i++) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    stop() {
      threads.Worker = Worker;
      syncBuiltinESMExports();
      globalThis.MessageChannel = MessageChannel;
    },
  };
}
