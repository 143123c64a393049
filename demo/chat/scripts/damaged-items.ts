import type { Script } from './script.ts';
import { factsOf, sayFailure } from './facts.ts';

const code = `// The three oldest open tickets about damaged items: one mail each, then the ticket waits for the customer.
const { tickets } = await tools.list_tickets({ status: 'open', subject: 'damaged', limit: 3 });

const results = await Promise.all(
  tickets.map(async (ticket) => {
    const customer = await tools.get_customer({ id: ticket.customerId });
    try {
      await tools.send_email({
        customerId: customer.id,
        subject: \`Your order #\${ticket.orderId}\`,
        body: \`Dear \${customer.name},\\n\\nwe are sorry that the item arrived damaged. A new one is on its way.\\n\\nThe support desk\`,
      });
    } catch (error) {
      return { ticket: ticket.id, sent: false, because: error.message };
    }
    await tools.update_ticket({ ticketId: ticket.id, status: 'pending', note: 'replacement announced by mail' });
    return { ticket: ticket.id, sent: true };
  }),
);

return results;
`;

type Facts = { ticket: string; sent: boolean; because?: string }[];

/** Several approvals in one queue; some may be denied. */
export const damagedItems: Script = {
  id: 'damaged-items',
  label: 'Answer three tickets',
  prompt: 'Write to the three oldest open tickets about damaged items and set them to pending.',
  words: /damaged|ticket|mail/i,
  next([answer]) {
    if (!answer) {
      return {
        say: 'I will write the three mails in one program. Each of them waits for you before it is sent.',
        call: { tool: 'executeCode', input: { title: 'Answer tickets about damaged items', code } },
      };
    }
    const facts = factsOf<Facts>(answer);
    if (!facts) return sayFailure(answer, 'Look into the trace to see which mails had been sent by then.');
    const sent = facts.filter((fact) => fact.sent).map((fact) => fact.ticket);
    const held = facts.filter((fact) => !fact.sent);
    const first = sent.length > 0 ? `Sent and set to pending: ${sent.join(', ')}.` : 'No mail was sent.';
    const second = held.map((fact) => `\n${fact.ticket} is untouched: ${fact.because}`).join('');
    return { say: `${first}${second && `\n${second}`}` };
  },
};
