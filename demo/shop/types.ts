/** The rows of the support desk. Money is EUR with two decimals, days are ISO dates. */
export const TIERS = ['standard', 'plus', 'business'] as const;
export const ORDER_STATUSES = ['paid', 'packed', 'shipped', 'delivered', 'cancelled'] as const;
export const TICKET_STATUSES = ['open', 'pending', 'closed'] as const;
export const PRIORITIES = ['low', 'normal', 'high'] as const;
export const CATEGORIES = ['kitchen', 'lighting', 'storage', 'textiles', 'garden', 'office'] as const;
export const COUNTRIES = ['AT', 'BE', 'DE', 'FR', 'IT', 'NL', 'PL', 'SE'] as const;
export const CARRIERS = ['Carrier A', 'Carrier B', 'Carrier C'] as const;

export type Tier = (typeof TIERS)[number];
export type OrderStatus = (typeof ORDER_STATUSES)[number];
export type TicketStatus = (typeof TICKET_STATUSES)[number];
export type Priority = (typeof PRIORITIES)[number];
export type Category = (typeof CATEGORIES)[number];
export type Country = (typeof COUNTRIES)[number];
export type Carrier = (typeof CARRIERS)[number];

export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly country: Country;
  readonly tier: Tier;
  readonly since: string;
}

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  readonly price: number;
  readonly onHand: number;
  readonly reserved: number;
  readonly reorderAt: number;
}

export interface OrderLine {
  readonly productId: string;
  readonly quantity: number;
  readonly unitPrice: number;
}

export interface Order {
  readonly id: number;
  readonly customerId: number;
  readonly placedOn: string;
  /** Whole days between the order and the shop's day. */
  readonly ageDays: number;
  readonly status: OrderStatus;
  readonly carrier: Carrier;
  readonly lines: readonly OrderLine[];
  readonly total: number;
  readonly refunded: number;
}

export interface Refund {
  readonly id: string;
  readonly orderId: number;
  readonly amount: number;
  readonly reason: string;
  readonly on: string;
}

export interface Ticket {
  readonly id: string;
  readonly customerId: number;
  readonly orderId: number;
  readonly subject: string;
  readonly status: TicketStatus;
  readonly priority: Priority;
  readonly openedOn: string;
  readonly notes: readonly string[];
}

export interface Mail {
  readonly id: string;
  readonly customerId: number;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/** All rows, as the generator makes them. */
export interface ShopData {
  readonly customers: readonly Customer[];
  readonly products: readonly Product[];
  readonly orders: readonly Order[];
  readonly refunds: readonly Refund[];
  readonly tickets: readonly Ticket[];
}
