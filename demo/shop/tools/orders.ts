import { type Tool, ToolError, defineTool } from 'react-code-mode/core';
import { z } from '../zod.ts';
import { cents, euros } from '../money.ts';
import { CARRIERS, ORDER_STATUSES, type Order, type Refund } from '../types.ts';
import { type Desk, findOrder } from './desk.ts';

const orderRow = z.object({
  id: z.number(),
  customerId: z.number(),
  placedOn: z.string(),
  ageDays: z.number().describe('Days since the order was placed'),
  status: z.enum(ORDER_STATUSES),
  carrier: z.enum(CARRIERS),
  total: z.number().describe('EUR'),
  refunded: z.number().describe('EUR already given back'),
});

const orderId = { type: 'integer', description: 'Order number, 10001 to 11500' } as const;

/** Reading, refunding and cancelling orders. */
export function orderTools(desk: Desk): Tool[] {
  return [listOrders(desk), getOrder(desk), refundOrder(desk), cancelOrder(desk)];
}

function rowOf({ lines: _lines, ...row }: Order): Omit<Order, 'lines'> {
  return row;
}

function buyerOf({ shop }: Desk, order: Order | undefined): string {
  return (order && shop.customer(order.customerId)?.name) ?? 'an unknown customer';
}

function listOrders({ shop, pause }: Desk): Tool {
  return defineTool({
    name: 'list_orders',
    title: 'List orders',
    description: 'Orders, newest first, in pages. Without the lines; get_order has them.',
    annotations: { readOnlyHint: true },
    inputSchema: z.object({
      page: z.number().int().min(1).default(1),
      pageSize: z.number().int().min(1).max(100).default(50),
      status: z.enum(ORDER_STATUSES).optional(),
      customerId: z.number().int().optional(),
      minAgeDays: z.number().int().min(0).optional(),
      maxAgeDays: z.number().int().min(0).optional(),
    }),
    outputSchema: z.object({ page: z.number(), pages: z.number(), total: z.number(), orders: z.array(orderRow) }),
    async execute({ page, pageSize, status, customerId, minAgeDays = 0, maxAgeDays = Infinity }, { signal }) {
      await pause([90, 260], signal);
      const found = shop
        .orders()
        .toReversed()
        .filter(
          (order) =>
            (!status || order.status === status) &&
            (customerId === undefined || order.customerId === customerId) &&
            order.ageDays >= minAgeDays &&
            order.ageDays <= maxAgeDays,
        );
      const from = (page - 1) * pageSize;
      return {
        page,
        pages: Math.max(1, Math.ceil(found.length / pageSize)),
        total: found.length,
        orders: found.slice(from, from + pageSize).map(rowOf),
      };
    },
  });
}

function getOrder(desk: Desk): Tool {
  return defineTool({
    name: 'get_order',
    title: 'Order with lines',
    description: 'One order with its lines: product, name, quantity and unit price in EUR.',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { orderId }, required: ['orderId'], additionalProperties: false },
    async execute({ orderId: id }, { signal }) {
      await desk.pause([40, 140], signal);
      const order = findOrder(desk, id);
      const lines = order.lines.map((line) => ({ ...line, name: desk.shop.product(line.productId)?.name ?? '' }));
      return { ...order, lines };
    },
  });
}

function refundOrder(desk: Desk): Tool {
  return defineTool({
    name: 'refund_order',
    title: 'Refund an order',
    description: 'Gives money back to the customer. Without an amount: everything that is left. Cannot be undone.',
    risk: 'danger',
    needsApproval: true,
    annotations: { destructiveHint: true },
    inputSchema: z.object({
      orderId: z.number().int(),
      amount: z.number().positive().optional().describe('EUR; default: the total less earlier refunds'),
      reason: z.string().min(3),
    }),
    outputSchema: z.object({
      id: z.string(),
      orderId: z.number(),
      amount: z.number(),
      reason: z.string(),
      on: z.string(),
    }),
    describeCall({ orderId: id, amount }) {
      const order = desk.shop.order(id);
      const sum = amount ?? (order ? cents(order.total - order.refunded) : undefined);
      return `Refund ${sum === undefined ? 'everything' : euros(sum)} to ${buyerOf(desk, order)} for order #${id}?`;
    },
    async execute({ orderId: id, amount, reason }, { signal }): Promise<Refund> {
      await desk.pause([180, 400], signal);
      const order = findOrder(desk, id);
      const left = cents(order.total - order.refunded);
      const sum = cents(amount ?? left);
      if (sum > left || sum <= 0) {
        throw new ToolError(`Order #${id} has ${euros(left)} left to refund, not ${euros(sum)}.`, { orderId: id, left });
      }
      return desk.shop.refund(order, sum, reason);
    },
  });
}

function cancelOrder(desk: Desk): Tool {
  return defineTool({
    name: 'cancel_order',
    title: 'Cancel an order',
    description: 'Cancels an order that has not been shipped yet (status paid or packed). Can be undone.',
    risk: 'write',
    needsApproval: true,
    inputSchema: {
      type: 'object',
      properties: { orderId, reason: { type: 'string', minLength: 3 } },
      required: ['orderId', 'reason'],
      additionalProperties: false,
    },
    describeCall({ orderId: id, reason }) {
      const order = desk.shop.order(id);
      const worth = order ? ` (${euros(order.total)})` : '';
      return `Cancel order #${id} of ${buyerOf(desk, order)}${worth}? Reason given: “${reason}”.`;
    },
    async execute({ orderId: id }, { signal }) {
      await desk.pause([120, 300], signal);
      const order = findOrder(desk, id);
      if (order.status !== 'paid' && order.status !== 'packed') {
        throw new ToolError(`Order #${id} is ${order.status}; only paid or packed orders can be cancelled.`, {
          orderId: id,
          status: order.status,
        });
      }
      return rowOf(desk.shop.cancel(order));
    },
    async revert({ orderId: id }, _cancelled, { signal }) {
      await desk.pause([120, 300], signal);
      desk.shop.reopen(findOrder(desk, id));
    },
  });
}
