import { type Tool, defineTool } from 'react-code-mode/core';
import { z } from '../zod.ts';
import { type Mail, PRIORITIES, TICKET_STATUSES } from '../types.ts';
import { type Desk, findCustomer, findTicket } from './desk.ts';

const ticket = z.object({
  id: z.string(),
  customerId: z.number(),
  orderId: z.number(),
  subject: z.string(),
  status: z.enum(TICKET_STATUSES),
  priority: z.enum(PRIORITIES),
  openedOn: z.string(),
  notes: z.array(z.string()),
});

/** Conversations with customers: tickets and mails. */
export function ticketTools(desk: Desk): Tool[] {
  return [listTickets(desk), updateTicket(desk), sendEmail(desk)];
}

function listTickets({ shop, pause }: Desk): Tool {
  return defineTool({
    name: 'list_tickets',
    title: 'List tickets',
    description: 'Support tickets, oldest first.',
    annotations: { readOnlyHint: true },
    inputSchema: z.object({
      status: z.enum(TICKET_STATUSES).optional(),
      priority: z.enum(PRIORITIES).optional(),
      subject: z.string().optional().describe('Part of the subject'),
      limit: z.number().int().min(1).max(100).default(25),
    }),
    outputSchema: z.object({ total: z.number(), tickets: z.array(ticket) }),
    async execute({ status, priority, subject, limit }, { signal }) {
      await pause([60, 180], signal);
      const words = subject?.toLowerCase();
      const found = shop
        .tickets()
        .filter(
          (row) =>
            (!status || row.status === status) &&
            (!priority || row.priority === priority) &&
            (!words || row.subject.toLowerCase().includes(words)),
        )
        .sort((one, other) => one.openedOn.localeCompare(other.openedOn) || one.id.localeCompare(other.id));
      return { total: found.length, tickets: found.slice(0, limit) };
    },
  });
}

function updateTicket(desk: Desk): Tool {
  return defineTool({
    name: 'update_ticket',
    title: 'Update a ticket',
    description: 'Changes status or priority of a ticket, or adds an internal note.',
    risk: 'write',
    inputSchema: z.object({
      ticketId: z.string().regex(/^T-\d{4}$/),
      status: z.enum(TICKET_STATUSES).optional(),
      priority: z.enum(PRIORITIES).optional(),
      note: z.string().min(1).optional(),
    }),
    outputSchema: ticket,
    describeCall: ({ ticketId, status }) => (status ? `Set ticket ${ticketId} to ${status}?` : `Change ticket ${ticketId}?`),
    async execute({ ticketId, status, priority, note }, { signal }) {
      await desk.pause([60, 150], signal);
      const change = { ...(status && { status }), ...(priority && { priority }), ...(note && { note }) };
      const changed = desk.shop.changeTicket(findTicket(desk, ticketId), change);
      return { ...changed, notes: [...changed.notes] };
    },
  });
}

function sendEmail(desk: Desk): Tool {
  return defineTool({
    name: 'send_email',
    title: 'Send a mail',
    description: 'Sends a mail to a customer in the name of the shop.',
    risk: 'write',
    needsApproval: true,
    annotations: { openWorldHint: true },
    inputSchema: {
      type: 'object',
      properties: {
        customerId: { type: 'integer' },
        subject: { type: 'string', minLength: 1, maxLength: 120 },
        body: { type: 'string', minLength: 1, maxLength: 4000 },
      },
      required: ['customerId', 'subject', 'body'],
      additionalProperties: false,
    },
    describeCall({ customerId, subject }) {
      const customer = desk.shop.customer(customerId);
      return `Send the mail “${subject}” to ${customer ? `${customer.name}, ${customer.email}` : `customer ${customerId}`}?`;
    },
    async execute({ customerId, subject, body }, { signal }): Promise<Pick<Mail, 'id' | 'to'>> {
      await desk.pause([150, 350], signal);
      const { id, to } = desk.shop.send(findCustomer(desk, customerId), subject, body);
      return { id, to };
    },
  });
}
