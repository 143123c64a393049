import { ToolError } from 'react-code-mode/core';
import type { Pause } from '../pause.ts';
import type { Shop } from '../shop.ts';
import type { Customer, Order, Product, Ticket } from '../types.ts';

/** What the tools work with. */
export interface Desk {
  readonly shop: Shop;
  readonly pause: Pause;
}

/** @throws ToolError with a hint where to find ids */
export function findCustomer(desk: Desk, id: number): Customer {
  const customer = desk.shop.customer(id);
  if (customer) return customer;
  throw new ToolError(`There is no customer ${id}. search_customers finds ids.`, { customerId: id });
}

/** @throws ToolError with the range of order numbers */
export function findOrder(desk: Desk, id: number): Order {
  const order = desk.shop.order(id);
  if (order) return order;
  throw new ToolError(`There is no order #${id}. Order numbers run from 10001 to 11500; list_orders finds them.`, {
    orderId: id,
  });
}

/** @throws ToolError with a hint where to find ids */
export function findProduct(desk: Desk, id: string): Product {
  const product = desk.shop.product(id);
  if (product) return product;
  throw new ToolError(`There is no product ${id}. search_products finds ids.`, { productId: id });
}

/** @throws ToolError with a hint where to find ids */
export function findTicket(desk: Desk, id: string): Ticket {
  const ticket = desk.shop.ticket(id);
  if (ticket) return ticket;
  throw new ToolError(`There is no ticket ${id}. list_tickets finds ids.`, { ticketId: id });
}
