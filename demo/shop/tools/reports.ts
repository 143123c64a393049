import { type Tool, defineTool } from 'react-code-mode/core';
import { z } from '../zod.ts';
import { cents } from '../money.ts';
import type { Order } from '../types.ts';
import type { Desk } from './desk.ts';

const GROUPS = ['category', 'country', 'month'] as const;
const KINDS = ['orders', 'customers', 'tickets'] as const;

/** Whole-shop answers: an aggregate, and an export that takes its time. */
export function reportTools(desk: Desk): Tool[] {
  return [salesReport(desk), buildExport(desk)];
}

function salesReport(desk: Desk): Tool {
  return defineTool({
    name: 'sales_report',
    title: 'Sales report',
    description: 'Revenue in EUR and pieces sold, grouped. Cancelled orders do not count; refunds are not deducted.',
    annotations: { readOnlyHint: true },
    inputSchema: z.object({
      groupBy: z.enum(GROUPS),
      maxAgeDays: z.number().int().min(1).default(90).describe('How far to look back'),
    }),
    outputSchema: z.object({
      groupBy: z.enum(GROUPS),
      days: z.number(),
      rows: z.array(z.object({ key: z.string(), orders: z.number(), pieces: z.number(), revenue: z.number() })),
    }),
    async execute({ groupBy, maxAgeDays }, { signal }) {
      await desk.pause([200, 400], signal);
      const orders = desk.shop.orders().filter((order) => order.ageDays < maxAgeDays && order.status !== 'cancelled');
      return { groupBy, days: maxAgeDays, rows: sales(desk, orders, groupBy) };
    },
  });
}

interface SalesRow {
  key: string;
  orders: number;
  pieces: number;
  revenue: number;
}

function sales(desk: Desk, orders: readonly Order[], groupBy: (typeof GROUPS)[number]): SalesRow[] {
  const groups = new Map<string, { orders: Set<number>; pieces: number; revenue: number }>();
  for (const order of orders) {
    for (const line of order.lines) {
      const key = groupKey(desk, order, line.productId, groupBy);
      const group = groups.get(key) ?? { orders: new Set(), pieces: 0, revenue: 0 };
      group.orders.add(order.id);
      group.pieces += line.quantity;
      group.revenue += line.quantity * line.unitPrice;
      groups.set(key, group);
    }
  }
  return [...groups]
    .map(([key, group]) => ({ key, orders: group.orders.size, pieces: group.pieces, revenue: cents(group.revenue) }))
    .sort((one, other) => (groupBy === 'month' ? one.key.localeCompare(other.key) : other.revenue - one.revenue));
}

function groupKey(desk: Desk, order: Order, productId: string, groupBy: (typeof GROUPS)[number]): string {
  if (groupBy === 'month') return order.placedOn.slice(0, 7);
  if (groupBy === 'country') return desk.shop.customer(order.customerId)?.country ?? 'unknown';
  return desk.shop.product(productId)?.category ?? 'unknown';
}

function buildExport({ shop, pause }: Desk): Tool {
  return defineTool({
    name: 'build_export',
    title: 'Build an export',
    description: 'Writes all rows of one kind into a file of the shop. Takes some seconds and reports how far it is.',
    annotations: { readOnlyHint: true },
    inputSchema: z.object({ kind: z.enum(KINDS) }),
    outputSchema: z.object({ file: z.string(), rows: z.number(), bytes: z.number() }),
    async execute({ kind }, { signal, report }) {
      const rows = { orders: shop.orders(), customers: shop.data.customers, tickets: shop.tickets() }[kind];
      const steps = 12;
      let bytes = 0;
      for (let step = 0; step < steps; step += 1) {
        await pause([220, 380], signal);
        const from = Math.floor((rows.length * step) / steps);
        const to = Math.floor((rows.length * (step + 1)) / steps);
        bytes += JSON.stringify(rows.slice(from, to)).length;
        report({ done: to, total: rows.length, message: to < rows.length ? 'writing rows' : 'closing the file' });
      }
      return { file: `${kind}.jsonl`, rows: rows.length, bytes };
    },
  });
}
