/** Rounds to whole cents. */
export function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** `120.00 EUR`, the way questions and mails write it. */
export function euros(amount: number): string {
  return `${amount.toFixed(2)} EUR`;
}
