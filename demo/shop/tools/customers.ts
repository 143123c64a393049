import { type Tool, defineTool } from 'react-code-mode/core';
import { z } from '../zod.ts';
import { cents } from '../money.ts';
import { COUNTRIES, type Customer, TIERS } from '../types.ts';
import { type Desk, findCustomer } from './desk.ts';

const customer = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  country: z.enum(COUNTRIES),
  tier: z.enum(TIERS),
  since: z.string().describe('ISO day of the first order'),
});

/** The tools about people who buy. */
export function customerTools(desk: Desk): Tool[] {
  return [searchCustomers(desk), getCustomer(desk)];
}

function searchCustomers({ shop, pause }: Desk): Tool {
  return defineTool({
    name: 'search_customers',
    title: 'Search customers',
    description: 'Finds customers by name, mail address, country or tier. All given conditions must hold.',
    annotations: { readOnlyHint: true },
    inputSchema: z.object({
      query: z.string().optional().describe('Part of a name or mail address'),
      tier: z.enum(TIERS).optional(),
      country: z.enum(COUNTRIES).optional(),
      limit: z.number().int().min(1).max(100).default(20),
    }),
    outputSchema: z.object({ total: z.number().describe('How many match in all'), customers: z.array(customer) }),
    async execute({ query, tier, country, limit }, { signal }) {
      await pause([60, 160], signal);
      const words = query?.trim().toLowerCase();
      const found = shop.data.customers.filter(
        (row) =>
          (!words || row.name.toLowerCase().includes(words) || row.email.includes(words)) &&
          (!tier || row.tier === tier) &&
          (!country || row.country === country),
      );
      return { total: found.length, customers: found.slice(0, limit) };
    },
  });
}

interface CustomerCard extends Customer {
  readonly orders: number;
  readonly lifetimeValue: number;
  readonly openTickets: number;
}

function getCustomer(desk: Desk): Tool {
  return defineTool({
    name: 'get_customer',
    title: 'Customer card',
    description: 'One customer with the number of orders, what they paid so far and how many tickets are open.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'integer', minimum: 1, description: 'Customer number' } },
      required: ['id'],
      additionalProperties: false,
    },
    async execute({ id }, { signal }): Promise<CustomerCard> {
      await desk.pause([40, 120], signal);
      const row = findCustomer(desk, id);
      const orders = desk.shop.orders().filter((order) => order.customerId === id && order.status !== 'cancelled');
      const tickets = desk.shop.tickets().filter((ticket) => ticket.customerId === id && ticket.status !== 'closed');
      return {
        ...row,
        orders: orders.length,
        lifetimeValue: cents(orders.reduce((sum, order) => sum + order.total - order.refunded, 0)),
        openTickets: tickets.length,
      };
    },
  });
}
