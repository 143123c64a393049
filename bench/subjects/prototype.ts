/** The bare prototype as a subject. */
import { startPrototype } from '../prototype/host.ts';
import type { CreatePeer, Prototype } from '../prototype/host.ts';
import type { Opened, Subject } from '../subject.ts';

export function prototype(createPeer: CreatePeer): Subject {
  return {
    name: 'prototype',
    async open({ warm }) {
      const starting = startPrototype(createPeer);
      if (warm) await starting;
      return opened(starting, createPeer);
    },
  };
}

function opened(starting: Promise<Prototype>, createPeer: CreatePeer): Opened {
  const others: Promise<Prototype>[] = [];
  let current = starting;
  const anew = (): Promise<Prototype> => {
    const next = starting.then(({ module }) => startPrototype(createPeer, module));
    others.push(next);
    return next;
  };
  return {
    run: async (source) => (await current).run(source),
    start: (source) => ({
      outcome: current.then((worker) => worker.run(source)),
      cancel: () => {
        void current.then((worker) => worker.end());
        current = anew();
      },
    }),
    sessions: (count) =>
      Array.from({ length: count }, (_, i) => {
        const own = i === 0 ? current : anew();
        return async (source) => (await own).run(source);
      }),
    again: () => opened(anew(), createPeer),
    async close() {
      for (const worker of [starting, ...others]) (await worker).end();
    },
  };
}
