/** The page half of the prototype: handlers are `x => x`, replies of one message go back as one message. */
import { HANDLERS } from '../data.ts';
import type { ToHost, ToWorker } from './engine.ts';

/** One worker, whatever the platform calls it. */
export interface Peer {
  post(message: ToWorker): void;
  onMessage(listener: (message: ToHost) => void): void;
  end(): void;
}

export type CreatePeer = () => Peer;

export interface Prototype {
  /** What the first worker compiled. */
  readonly module: WebAssembly.Module | undefined;
  run(source: string): Promise<unknown>;
  /** A program without tools and promises in a fresh context: the engine and one message there and back. */
  evaluate(source: string): Promise<unknown>;
  /** Turns a text into a value of the guest: `newString` and `JSON.parse` alone. */
  parse(json: string): Promise<unknown>;
  /** There and back without the engine. */
  echo(value: { readonly i: number }): Promise<{ readonly i: number }>;
  end(): void;
}

/** Resolves when the worker is up. @param module compiled earlier; absent: the worker compiles it and sends it along */
export function startPrototype(createPeer: CreatePeer, module?: WebAssembly.Module): Promise<Prototype> {
  const peer = createPeer();
  let finish: { resolve(value: unknown): void; reject(error: Error): void } | undefined;
  const echoes: ((value: { readonly i: number }) => void)[] = [];
  const answer = async (calls: [number, 'echo' | 'orders', string][]): Promise<void> => {
    const settled = await Promise.all(
      calls.map(async ([id, tool, json]) => [id, await HANDLERS[tool](JSON.parse(json))] as const),
    );
    peer.post({ settle: JSON.stringify(settled) });
  };
  const ask = (message: ToWorker): Promise<unknown> =>
    new Promise((resolve, reject) => {
      finish = { resolve, reject };
      peer.post(message);
    });
  const prototype = (compiled: WebAssembly.Module | undefined): Prototype => ({
    module: compiled,
    run: (source) => ask({ run: source }),
    evaluate: (source) => ask({ evaluate: source }),
    parse: (json) => ask({ parse: json }),
    echo: (value) =>
      new Promise((resolve) => {
        echoes.push(resolve);
        peer.post({ echo: value });
      }),
    end: () => {
      peer.end();
      finish?.reject(new Error('The worker was ended.'));
    },
  });
  return new Promise((up) => {
    peer.onMessage((message) => {
      if ('ready' in message) up(prototype(module ?? message.ready));
      else if ('calls' in message) void answer(message.calls);
      else if ('echo' in message) echoes.shift()?.(message.echo);
      else if ('done' in message) finish?.resolve(JSON.parse(message.done));
      else finish?.reject(new Error(message.failed));
    });
    peer.post({ init: module });
  });
}
