import type { Move, Script } from './script.ts';
import { factsOf, sayFailure } from './facts.ts';

const guess = (order: number): string => `return tools.track_order({ orderId: ${order} });
`;

const mended = (order: number): string => `const order = await tools.get_order({ orderId: ${order} });

for (let attempt = 1; attempt <= 2; attempt++) {
  try {
    return await tools.track_parcel({ orderId: order.id });
  } catch (error) {
    if (error.data?.retry !== true) return { orderId: order.id, carrier: order.carrier, unknown: error.message };
  }
}
return { orderId: order.id, carrier: order.carrier, unknown: 'the carrier stayed busy' };
`;

interface Facts {
  orderId: number;
  carrier: string;
  state?: string;
  lastSeenOn?: string;
  unknown?: string;
}

const orderIn = (question: string): number => Number(/#?(1\d{4})/.exec(question)?.[1] ?? 11_352);

/** Guesses a tool's name, is told the right one, and mends its program. */
export const correction: Script = {
  id: 'correction',
  label: 'Mend a wrong program',
  prompt: 'Where is the parcel of order #11352?',
  words: /where|parcel|track|order/i,
  next([first, second], question) {
    const order = orderIn(question);
    const run = (code: string): Move['call'] => ({ tool: 'executeCode', input: { title: `Track order #${order}`, code } });
    if (!first) return { say: `I will ask the carrier about order #${order}.`, call: run(guess(order)) };
    if (!second && !first.ok && first.text.includes('track_parcel')) {
      return {
        say: 'There is no tool of that name; the answer suggests track_parcel. Once more with that.',
        call: run(mended(order)),
      };
    }
    const last = second ?? first;
    const facts = factsOf<Facts>(last);
    if (!facts) return sayFailure(last, 'Nothing was changed.');
    if (facts.unknown !== undefined)
      return { say: `Order #${facts.orderId} travels with ${facts.carrier}. Its whereabouts are unknown: ${facts.unknown}` };
    return {
      say: `Order #${facts.orderId} travels with ${facts.carrier}: ${facts.state?.replace('_', ' ')}, last seen on ${facts.lastSeenOn}.`,
    };
  },
};
