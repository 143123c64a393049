import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIRST_ORDER, SIZES, daysAgo, generateShop } from './generate.ts';
import { cents } from './money.ts';
import { createRandom } from './random.ts';

const shop = generateShop();

describe('the generated shop', () => {
  it('is the same every time, and another one for another seed', () => {
    expect(generateShop()).toEqual(shop);
    expect(generateShop(8)).not.toEqual(shop);
  });

  it('has a few thousand rows, numbered without gaps', () => {
    const lines = shop.orders.flatMap((order) => order.lines).length;
    expect(shop.customers.length + shop.products.length + shop.orders.length + shop.tickets.length + lines).toBeGreaterThan(
      5_000,
    );
    expect(shop.orders.map((order) => order.id)).toEqual(Array.from({ length: SIZES.orders }, (_, index) => FIRST_ORDER + index));
  });

  it('names people and addresses by number only', () => {
    for (const customer of shop.customers) {
      expect(customer.name).toMatch(/^Customer \d{4}$/);
      expect(customer.email).toMatch(/^customer-\d{4}@example\.test$/);
    }
  });

  it('refers only to rows that exist', () => {
    const customers = new Set(shop.customers.map((row) => row.id));
    const products = new Map(shop.products.map((row) => [row.id, row]));
    const orders = new Map(shop.orders.map((row) => [row.id, row]));
    for (const order of shop.orders) {
      expect(customers.has(order.customerId)).toBe(true);
      for (const line of order.lines) expect(products.get(line.productId)?.price).toBe(line.unitPrice);
    }
    for (const ticket of shop.tickets) expect(orders.get(ticket.orderId)?.customerId).toBe(ticket.customerId);
    for (const refund of shop.refunds) expect(orders.get(refund.orderId)?.refunded).toBe(refund.amount);
  });

  it('adds up', () => {
    for (const order of shop.orders) {
      expect(order.total).toBe(cents(order.lines.reduce((sum, line) => sum + line.quantity * line.unitPrice, 0)));
      expect(order.refunded).toBeLessThanOrEqual(order.total);
      expect(order.placedOn).toBe(daysAgo(order.ageDays));
    }
    for (const product of shop.products) expect(product.reserved).toBeLessThanOrEqual(product.onHand);
  });

  it('has what the examples look for: late parcels, and open tickets about damaged items', () => {
    expect(shop.orders.filter((order) => order.status === 'shipped' && order.ageDays > 14).length).toBeGreaterThanOrEqual(4);
    expect(
      shop.tickets.filter((ticket) => ticket.status === 'open' && /damaged/.test(ticket.subject)).length,
    ).toBeGreaterThanOrEqual(3);
  });
});

describe('the random numbers', () => {
  it('stay within their bounds and depend on the seed alone', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -50, max: 50 }), fc.nat(100), (seed, low, width) => {
        const one = createRandom(seed);
        const other = createRandom(seed);
        for (let i = 0; i < 20; i += 1) {
          const value = one.between(low, low + width);
          expect(value).toBeGreaterThanOrEqual(low);
          expect(value).toBeLessThanOrEqual(low + width);
          expect(other.between(low, low + width)).toBe(value);
        }
      }),
    );
  });

  it('reach every face of a die about equally often', () => {
    const random = createRandom(1);
    const faces = new Map<number, number>();
    for (let i = 0; i < 6_000; i += 1) {
      const face = random.between(1, 6);
      faces.set(face, (faces.get(face) ?? 0) + 1);
    }
    expect(faces.size).toBe(6);
    for (const count of faces.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});
