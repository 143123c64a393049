import { SHOP_DAY, generateShop } from './generate.ts';
import { cents } from './money.ts';
import type { Customer, Mail, Order, Product, Refund, ShopData, Ticket } from './types.ts';

/** The shop's own back end, in memory. Tools ask it; nothing else changes it. */
export interface Shop {
  readonly data: Omit<ShopData, 'orders' | 'tickets' | 'refunds'>;
  orders(): readonly Order[];
  tickets(): readonly Ticket[];
  refunds(): readonly Refund[];
  /** Mails sent since the last reset, oldest first. */
  outbox(): readonly Mail[];
  customer(id: number): Customer | undefined;
  product(id: string): Product | undefined;
  order(id: number): Order | undefined;
  ticket(id: string): Ticket | undefined;
  refund(order: Order, amount: number, reason: string): Refund;
  cancel(order: Order): Order;
  /** Takes a cancellation back. */
  reopen(order: Order): Order;
  send(customer: Customer, subject: string, body: string): Mail;
  changeTicket(ticket: Ticket, change: Partial<Pick<Ticket, 'status' | 'priority'>> & { readonly note?: string }): Ticket;
  /** Back to the generated rows. */
  reset(): void;
  /** How many changes tools have made since the last reset. */
  changes(): number;
  /** Told after each change and reset. */
  subscribe(listener: () => void): () => void;
}

export function createShop(seed?: number): Shop {
  const generated = generateShop(seed);
  const customers = new Map(generated.customers.map((row) => [row.id, row]));
  const products = new Map(generated.products.map((row) => [row.id, row]));
  const listeners = new Set<() => void>();
  let rows = fresh(generated);

  const changed = (): void => {
    rows.changes += 1;
    for (const listener of listeners) listener();
  };

  return {
    data: { customers: generated.customers, products: generated.products },
    orders: () => [...rows.orders.values()],
    tickets: () => [...rows.tickets.values()],
    refunds: () => rows.refunds,
    outbox: () => rows.outbox,
    customer: (id) => customers.get(id),
    product: (id) => products.get(id),
    order: (id) => rows.orders.get(id),
    ticket: (id) => rows.tickets.get(id),
    refund(order, amount, reason) {
      const id = `R-${String(rows.refunds.length + 1).padStart(4, '0')}`;
      const refund: Refund = { id, orderId: order.id, amount, reason, on: SHOP_DAY };
      rows.refunds.push(refund);
      rows.orders.set(order.id, { ...order, refunded: cents(order.refunded + amount) });
      changed();
      return refund;
    },
    cancel(order) {
      const cancelled: Order = { ...order, status: 'cancelled' };
      rows.orders.set(order.id, cancelled);
      changed();
      return cancelled;
    },
    reopen(order) {
      const before = generated.orders.find((row) => row.id === order.id);
      const reopened: Order = { ...order, status: before?.status ?? 'paid' };
      rows.orders.set(order.id, reopened);
      changed();
      return reopened;
    },
    send(customer, subject, body) {
      const mail: Mail = { id: `M-${rows.outbox.length + 1}`, customerId: customer.id, to: customer.email, subject, body };
      rows.outbox.push(mail);
      changed();
      return mail;
    },
    changeTicket(ticket, { note, ...change }) {
      const next: Ticket = { ...ticket, ...change, notes: note === undefined ? ticket.notes : [...ticket.notes, note] };
      rows.tickets.set(ticket.id, next);
      changed();
      return next;
    },
    reset() {
      rows = fresh(generated);
      for (const listener of listeners) listener();
    },
    changes: () => rows.changes,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function fresh(data: ShopData): {
  orders: Map<number, Order>;
  tickets: Map<string, Ticket>;
  refunds: Refund[];
  outbox: Mail[];
  changes: number;
} {
  return {
    orders: new Map(data.orders.map((row) => [row.id, row])),
    tickets: new Map(data.tickets.map((row) => [row.id, row])),
    refunds: [...data.refunds],
    outbox: [],
    changes: 0,
  };
}
