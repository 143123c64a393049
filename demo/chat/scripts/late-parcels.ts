import type { Script } from './script.ts';
import { factsOf, sayFailure } from './facts.ts';

const code = `// Orders that were shipped more than two weeks ago, and what the carriers say about them.
const { orders } = await tools.list_orders({ status: 'shipped', minAgeDays: 15, pageSize: 50 });
const tracked = await Promise.allSettled(orders.map((order) => tools.track_parcel({ orderId: order.id })));
const silent = tracked.filter((result) => result.status === 'rejected').length;

const oldest = orders.reduce((one, other) => (other.ageDays > one.ageDays ? other : one));
const summary = { late: orders.length, silent, order: oldest.id, ageDays: oldest.ageDays };
try {
  const refund = await tools.refund_order(
    { orderId: oldest.id, reason: 'late delivery' },
    { intent: 'the oldest parcel that has not arrived' },
  );
  return { ...summary, refund };
} catch (error) {
  return { ...summary, notRefunded: error.message };
}
`;

interface Facts {
  late: number;
  silent: number;
  order: number;
  ageDays: number;
  refund?: { id: string; amount: number };
  notRefunded?: string;
}

/** Read-only calls, a failing carrier, and one refund that a person decides. */
export const lateParcels: Script = {
  id: 'late-parcels',
  label: 'Refund a late parcel',
  prompt: 'Which parcels are more than two weeks late? Give the oldest one its money back.',
  words: /late|parcel.*refund|refund/i,
  next([answer]) {
    if (!answer) {
      return {
        say: 'I will look for parcels that left more than two weeks ago and ask the carriers. The refund of the oldest one will wait for your word.',
        call: { tool: 'executeCode', input: { title: 'Refund the oldest late parcel', code } },
      };
    }
    const facts = factsOf<Facts>(answer);
    if (!facts) return sayFailure(answer, 'No money was moved.');
    const carriers = facts.silent > 0 ? ` For ${facts.silent} of them the carrier gave no answer.` : '';
    const found = `${facts.late} parcels are late.${carriers} The oldest is order #${facts.order}, ${facts.ageDays} days old.`;
    if (facts.refund)
      return { say: `${found}\n\nI gave back ${facts.refund.amount.toFixed(2)} EUR (refund ${facts.refund.id}).` };
    return {
      say: `${found}\n\nThe refund did not happen: ${facts.notRefunded}\n\nNo money was moved. I will not try it again unless you ask.`,
    };
  },
};
