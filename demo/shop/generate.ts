import { cents } from './money.ts';
import { createRandom, type Random } from './random.ts';
import {
  CARRIERS,
  CATEGORIES,
  type Category,
  COUNTRIES,
  type Customer,
  type Order,
  type OrderLine,
  type OrderStatus,
  type Product,
  type Refund,
  type ShopData,
  type Ticket,
} from './types.ts';

/** The day it is in the shop, whatever the clock says: ages stay the same on every visit. */
export const SHOP_DAY = '2026-06-30';

/** How many rows of each kind. */
export const SIZES = { customers: 600, products: 240, orders: 1_500, tickets: 260 } as const;

/** First order number; the last one is the newest order. */
export const FIRST_ORDER = 10_001;

const GOODS: Record<Category, readonly string[]> = {
  kitchen: ['Kettle', 'Bowl set', 'Cutting board', 'Pan'],
  lighting: ['Desk lamp', 'Pendant lamp', 'Light strip', 'Lantern'],
  storage: ['Shelf', 'Box', 'Basket', 'Coat rack'],
  textiles: ['Blanket', 'Cushion', 'Towel set', 'Curtain'],
  garden: ['Planter', 'Watering can', 'Bench', 'Hose'],
  office: ['Notebook', 'Monitor stand', 'Chair mat', 'Letter tray'],
};
const COLOURS = ['grey', 'white', 'green', 'black', 'sand', 'blue', 'red', 'amber', 'teal', 'rose'] as const;
const SUBJECTS = [
  'Parcel has not arrived',
  'Item arrived damaged',
  'Wrong item in the parcel',
  'Invoice is missing',
  'Change of delivery address',
  'Question about a refund',
] as const;
const REFUND_REASONS = ['damaged in transit', 'returned unused', 'late delivery', 'wrong item'] as const;

/** Makes the whole data set. The same seed gives the same rows. */
export function generateShop(seed = 7): ShopData {
  const random = createRandom(seed);
  const customers = Array.from({ length: SIZES.customers }, (_, index) => makeCustomer(index + 1, random));
  const products = Array.from({ length: SIZES.products }, (_, index) => makeProduct(index, random));
  const drafts = Array.from({ length: SIZES.orders }, (_, index) => makeOrder(index, customers, products, random));
  const refunds = makeRefunds(drafts, random);
  const refunded = new Map(refunds.map((refund) => [refund.orderId, refund.amount]));
  const orders = drafts.map((order) => ({ ...order, refunded: refunded.get(order.id) ?? 0 }));
  const tickets = Array.from({ length: SIZES.tickets }, (_, index) => makeTicket(index, orders, random));
  return { customers, products, orders, refunds, tickets };
}

/** The ISO day `days` before the shop's day. */
export function daysAgo(days: number): string {
  return new Date(Date.parse(`${SHOP_DAY}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}

function padded(value: number): string {
  return String(value).padStart(4, '0');
}

function makeCustomer(id: number, random: Random): Customer {
  return {
    id,
    name: `Customer ${padded(id)}`,
    email: `customer-${padded(id)}@example.test`,
    country: random.pick(COUNTRIES),
    tier: random.chance(0.15) ? 'business' : random.chance(0.3) ? 'plus' : 'standard',
    since: daysAgo(random.between(200, 1_900)),
  };
}

function makeProduct(index: number, random: Random): Product {
  const category = CATEGORIES[index % CATEGORIES.length] ?? 'kitchen';
  const goods = GOODS[category];
  const round = Math.floor(index / CATEGORIES.length);
  const onHand = random.chance(0.08) ? 0 : random.between(3, 180);
  return {
    id: `P-${padded(index + 1)}`,
    name: `${goods[round % goods.length]}, ${COLOURS[Math.floor(round / goods.length) % COLOURS.length]}`,
    category,
    price: cents(random.between(590, 18_900) / 100),
    onHand,
    reserved: Math.min(onHand, random.between(0, 8)),
    reorderAt: random.between(5, 25),
  };
}

function makeOrder(index: number, customers: readonly Customer[], products: readonly Product[], random: Random): Order {
  const ageDays = Math.floor(((SIZES.orders - 1 - index) * 365) / SIZES.orders);
  const lines = Array.from({ length: random.between(1, 4) }, (): OrderLine => {
    const product = random.pick(products);
    return { productId: product.id, quantity: random.between(1, 3), unitPrice: product.price };
  });
  return {
    id: FIRST_ORDER + index,
    customerId: random.pick(customers).id,
    placedOn: daysAgo(ageDays),
    ageDays,
    status: statusOf(ageDays, random),
    carrier: random.pick(CARRIERS),
    lines,
    total: cents(lines.reduce((sum, line) => sum + line.quantity * line.unitPrice, 0)),
    refunded: 0,
  };
}

function statusOf(ageDays: number, random: Random): OrderStatus {
  if (random.chance(0.04)) return 'cancelled';
  if (ageDays <= 1) return random.chance(0.6) ? 'paid' : 'packed';
  if (ageDays <= 12) return random.chance(0.7) ? 'shipped' : 'packed';
  // Some parcels of the last weeks are on their way for far too long: those are what the desk is asked about.
  return ageDays <= 45 && random.chance(0.06) ? 'shipped' : 'delivered';
}

function makeRefunds(orders: readonly Order[], random: Random): Refund[] {
  return orders
    .filter((order) => order.status === 'delivered' && random.chance(0.06))
    .map((order, index) => ({
      id: `R-${padded(index + 1)}`,
      orderId: order.id,
      amount: random.chance(0.5) ? order.total : cents(order.total / 2),
      reason: random.pick(REFUND_REASONS),
      on: daysAgo(Math.max(0, order.ageDays - random.between(4, 12))),
    }));
}

function makeTicket(index: number, orders: readonly Order[], random: Random): Ticket {
  // Older tickets first, and mostly about orders of the last three months.
  const order = orders[orders.length - 1 - random.between(0, 380)];
  if (order === undefined) throw new RangeError('a ticket needs an order');
  const opened = Math.max(0, order.ageDays - random.between(1, 9));
  const status = opened > 20 && random.chance(0.85) ? 'closed' : random.chance(0.25) ? 'pending' : 'open';
  return {
    id: `T-${padded(index + 1)}`,
    customerId: order.customerId,
    orderId: order.id,
    subject: random.pick(SUBJECTS),
    status,
    priority: random.chance(0.18) ? 'high' : random.chance(0.3) ? 'low' : 'normal',
    openedOn: daysAgo(opened),
    notes: [],
  };
}
