/** A result of 10 MB, as a list of orders would be. */

export interface Order {
  readonly id: number;
  readonly customer: string;
  readonly total: number;
  readonly paid: boolean;
  readonly lines: readonly { readonly sku: string; readonly quantity: number }[];
}

/** Ten times a million characters of JSON, within one row. */
const CHARACTERS = 10_000_000;

let made: { readonly rows: readonly Order[]; readonly json: string } | undefined;

/** Made once. */
export function bigResult(): { readonly rows: readonly Order[]; readonly json: string } {
  if (made) return made;
  const rows: Order[] = [];
  for (let length = 0; length < CHARACTERS; length += JSON.stringify(rows.at(-1)).length + 1) rows.push(order(rows.length));
  return (made = { rows, json: JSON.stringify(rows) });
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
