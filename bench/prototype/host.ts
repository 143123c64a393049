/** The page half of the prototype: handlers are `x => x`, replies of one message go back as one message. */
import type { ToHost, ToWorker } from './engine.ts';

/** One worker, whatever the platform calls it. */
export interface Peer {
  post(message: ToWorker): void;
  onMessage(listener: (message: ToHost) => void): void;
  end(): void;
}

export interface Prototype {
  run(source: string): Promise<unknown>;
  /** Milliseconds that a text takes to become a value of the guest. */
  parse(json: string): Promise<number>;
  end(): void;
}

const handler = async (input: unknown): Promise<unknown> => input;

/** Resolves when the worker is up. */
export function startPrototype(peer: Peer): Promise<Prototype> {
  let finish: { resolve(value: unknown): void; reject(error: Error): void } | undefined;
  const answer = async (calls: [number, string, string][]): Promise<void> => {
    const settled = await Promise.all(calls.map(async ([id, , json]) => [id, await handler(JSON.parse(json))] as const));
    peer.post({ settle: JSON.stringify(settled) });
  };
  const ask = (message: ToWorker): Promise<unknown> =>
    new Promise((resolve, reject) => {
      finish = { resolve, reject };
      peer.post(message);
    });
  const prototype: Prototype = {
    run: (source) => ask({ run: source }),
    parse: async (json) => Number(await ask({ parse: json })),
    end: () => peer.end(),
  };
  return new Promise((up) => {
    peer.onMessage((message) => {
      if ('ready' in message) up(prototype);
      else if ('calls' in message) void answer(message.calls);
      else if ('done' in message) finish?.resolve(JSON.parse(message.done));
      else finish?.reject(new Error(message.failed));
    });
  });
}
