/**
 * Decoded values as the plain JSON a model reads. Never throws for a value of `decode`; what JSON lacks becomes the text a
 * reader would expect.
 */

export interface PlainOptions {
  /** Elements of one typed array that are shown. @default 1000 */
  readonly maxBytes?: number;
  /** Values after which repeated references are named instead of written out again. @default 100000 */
  readonly maxNodes?: number;
}

/**
 * Date → ISO text, `undefined` → absent (in arrays `null`), BigInt → decimal text, NaN and ±Infinity → their names, RegExp →
 * its source, Map → object when all keys are texts, else pairs, Set → array, typed array → numbers, Error → name and message
 * (and cause, own data), cycle → `"[Circular $.path]"`. Alone, `undefined` becomes `null`.
 */
export function toModelJson(value: unknown, options?: PlainOptions): unknown {
  const made = new Plain(options?.maxBytes ?? 1000, options?.maxNodes ?? 100_000).value(value, '$');
  return made === undefined ? null : made;
}

class Plain {
  readonly #maxItems: number;
  /** Values that may still be written out before a second look at the same object becomes a reference. */
  #budget: number;
  /** Objects around the current one, with their paths. */
  readonly #open = new Map<object, string>();
  readonly #first = new Map<object, string>();

  constructor(maxItems: number, maxNodes: number) {
    this.#maxItems = maxItems;
    this.#budget = maxNodes;
  }

  value(value: unknown, path: string): unknown {
    this.#budget--;
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value + 0 : String(value);
      case 'bigint':
        return bigIntText(value);
      case 'object':
        return value === null ? null : this.#object(value, path);
      case 'undefined':
        return undefined;
      default:
        return `[${typeof value}]`;
    }
  }

  #object(value: object, path: string): unknown {
    const outer = this.#open.get(value);
    if (outer !== undefined) return `[Circular ${outer}]`;
    const before = this.#first.get(value);
    if (before !== undefined && this.#budget < 0) return `[Same as ${before}]`;
    if (before === undefined) this.#first.set(value, path);
    this.#open.set(value, path);
    const made = this.#contents(value, path);
    this.#open.delete(value);
    return made;
  }

  #contents(value: object, path: string): unknown {
    if (Array.isArray(value)) return Array.from(value, (item, i) => this.value(item, `${path}[${i}]`) ?? null);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof RegExp) return String(value);
    if (value instanceof Map) return this.#map(value, path);
    if (value instanceof Set) return Array.from(value, (item, i) => this.value(item, `${path}.values[${i}]`) ?? null);
    if (value instanceof Error) return this.#error(value, path);
    if (value instanceof ArrayBuffer) return this.#numbers(new Uint8Array(value));
    if (value instanceof DataView) return this.#numbers(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    if (ArrayBuffer.isView(value)) return this.#numbers(value as unknown as ArrayLike<number | bigint>);
    return this.#record(Object.entries(value), path);
  }

  #record(entries: readonly (readonly [string, unknown])[], path: string): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [key, item] of entries) {
      const plain = this.value(
        item,
        /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`,
      );
      if (plain === undefined) continue;
      if (key === '__proto__')
        Object.defineProperty(made, key, { value: plain, enumerable: true, configurable: true, writable: true });
      else made[key] = plain;
    }
    return made;
  }

  #map(map: ReadonlyMap<unknown, unknown>, path: string): unknown {
    const keys = [...map.keys()];
    if (keys.every((key) => typeof key === 'string')) return this.#record([...map] as [string, unknown][], path);
    return Array.from(map, ([key, item], i) => [
      this.value(key, `${path}.keys[${i}]`) ?? null,
      this.value(item, `${path}[${i}]`) ?? null,
    ]);
  }

  #error(error: Error, path: string): unknown {
    const { name, message, cause } = error;
    const errors = (error as { errors?: unknown }).errors;
    const own = Object.entries(error).filter(([key]) => !['name', 'message', 'stack', 'cause', 'errors'].includes(key));
    const parts: [string, unknown][] = [['name', name], ['message', message], ...own];
    if (cause !== undefined) parts.push(['cause', cause]);
    if (errors !== undefined) parts.push(['errors', errors]);
    return this.#record(parts, path);
  }

  #numbers(items: ArrayLike<number | bigint>): unknown[] {
    const shown: unknown[] = [];
    for (let i = 0; i < items.length && i < this.#maxItems; i++) shown.push(this.value(items[i], '$'));
    if (items.length > shown.length) shown.push(`[${items.length - shown.length} more of ${items.length}]`);
    return shown;
  }
}

/** Decimal, but hexadecimal above 20,000 digits or so: nobody reads them, and the conversion takes seconds. */
function bigIntText(value: bigint): string {
  const hex = (value < 0n ? -value : value).toString(16);
  if (hex.length < 16_384) return value.toString();
  return `${value < 0n ? '-' : ''}0x${hex}`;
}
