/** The platform alone: an engine without a bridge, messages without an engine, a text that becomes a value. */
import { orders } from '../data.ts';
import { startPrototype } from '../prototype/host.ts';
import type { CreatePeer, Prototype } from '../prototype/host.ts';
import { SETTLE_MS } from '../round.ts';
import type { Row } from '../rows.ts';
import type { Round, Subject } from '../subject.ts';

const WARM_UPS = 2;
const CALLS = 1000;

/** What stands for a row; `undefined`: nothing does. */
function workOf({ id, cpu, source }: Row): ((worker: Prototype) => Promise<unknown>) | undefined {
  if (cpu) return (worker) => worker.evaluate(`(() => { ${source} })()`);
  switch (id) {
    case 'warm-run':
      return (worker) => worker.evaluate('1 + 1');
    case 'calls-1':
      return async (worker) => {
        await worker.echo({ i: 7 });
        return 7;
      };
    case 'calls-sequential':
      return async (worker) => {
        let sum = 0;
        for (let i = 0; i < CALLS; i++) sum += (await worker.echo({ i })).i;
        return sum;
      };
    case 'calls-parallel':
      return async (worker) => {
        const all = await Promise.all(Array.from({ length: CALLS }, (_, i) => worker.echo({ i })));
        return all.reduce((sum, { i }) => sum + i, 0);
      };
    case 'result-1mb':
      return (worker) => worker.parse(orders(1).json);
    case 'result-10mb':
      return (worker) => worker.parse(orders(10).json);
    default:
      return undefined;
  }
}

export function platform(createPeer: CreatePeer): Subject {
  const open = async (row: Row): Promise<Round | undefined> => {
    const work = workOf(row);
    if (!work) return undefined;
    const worker = await startPrototype(createPeer);
    for (let i = 0; i < (row.cpu ? 1 : WARM_UPS); i++) await work(worker);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return { go: () => work(worker), close: async () => worker.end() };
  };
  return {
    name: 'platform',
    prepare: open,
    open: () => Promise.reject(new Error('It runs no programs.')),
  };
}
