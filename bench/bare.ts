/** The bare prototype as a subject. */
import type { Subject } from './measure.ts';
import { type Peer, startPrototype } from './prototype/host.ts';

/** @param createPeer a new worker of the prototype */
export function bare(createPeer: () => Peer): Subject {
  return {
    name: 'prototype',
    async open(warm) {
      const starting = startPrototype(createPeer());
      if (warm) await starting;
      return {
        run: async (source) => (await starting).run(source),
        parse: async (json) => (await starting).parse(json),
        close: async () => (await starting).end(),
      };
    },
  };
}
