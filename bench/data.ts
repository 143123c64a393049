/** What the tools of every subject do: an echo, and a list of orders of some megabytes. */

interface Order {
  readonly id: number;
  readonly customer: string;
  readonly total: number;
  readonly paid: boolean;
  readonly lines: readonly { readonly sku: string; readonly quantity: number }[];
}

type Megabytes = 1 | 10;

/** Orders in a list of so many million characters of JSON. */
export const ORDERS: Readonly<Record<Megabytes, number>> = { 1: 5_745, 10: 57_103 };

const made = new Map<Megabytes, { readonly rows: readonly Order[]; readonly json: string }>();

/** Made once. */
export function orders(megabytes: Megabytes): { readonly rows: readonly Order[]; readonly json: string } {
  const known = made.get(megabytes);
  if (known) return known;
  const rows = Array.from({ length: ORDERS[megabytes] }, (_, id) => order(id));
  const list = { rows, json: JSON.stringify(rows) };
  made.set(megabytes, list);
  return list;
}

function order(id: number): Order {
  const lines = Array.from({ length: 1 + (id % 4) }, (_, i) => ({ sku: `SKU-${(id * 31 + i) % 5000}`, quantity: 1 + (i % 3) }));
  return {
    id,
    customer: `Customer ${id % 997}, Ölmützer Straße ${id % 89}`,
    total: ((id * 37) % 100_000) / 100,
    paid: id % 3 > 0,
    lines,
  };
}

let calls = 0;

/** Calls of `echo` so far: a program says with one that it has started. */
export function callsSoFar(): number {
  return calls;
}

/** The handlers. */
export const HANDLERS: {
  readonly echo: (input: unknown) => Promise<unknown>;
  readonly orders: (input: unknown) => Promise<unknown>;
} = {
  async echo(input) {
    calls++;
    return input;
  },
  async orders(input) {
    return orders((input as { megabytes: Megabytes }).megabytes).rows;
  },
};
