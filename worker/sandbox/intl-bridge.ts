/** Answers the guest's `Intl` with the worker's own. Requests come from the sandbox: classes and methods are looked up in a list. */

type Formatter = Readonly<Record<string, (...args: never[]) => unknown>>;

const METHODS: Readonly<Record<string, readonly string[]>> = {
  NumberFormat: ['format', 'formatToParts', 'formatRange', 'resolvedOptions', 'supportedLocalesOf'],
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'resolvedOptions', 'supportedLocalesOf'],
  Collator: ['compare', 'resolvedOptions', 'supportedLocalesOf'],
  PluralRules: ['select', 'resolvedOptions', 'supportedLocalesOf'],
  RelativeTimeFormat: ['format', 'formatToParts', 'resolvedOptions', 'supportedLocalesOf'],
  ListFormat: ['format', 'formatToParts', 'resolvedOptions', 'supportedLocalesOf'],
  DisplayNames: ['of', 'resolvedOptions', 'supportedLocalesOf'],
  Segmenter: ['segment', 'resolvedOptions', 'supportedLocalesOf'],
  Intl: ['getCanonicalLocales', 'supportedValuesOf'],
};

/** Formatters are costly to make (50–200 µs) and cheap to keep, but not without end. */
const MAX_FORMATTERS = 200;
/** A formatted text is short; a longer argument is a mistake that would keep the host busy. */
const MAX_REQUEST = 1_000_000;

const HostIntl = globalThis.Intl;

export class IntlBridge {
  readonly #locale: string;
  readonly #timeZone: string;
  readonly #formatters = new Map<string, Formatter>();

  /** @param locale and @param timeZone what the program gets when it names none */
  constructor(locale: string, timeZone: string) {
    this.#locale = locale;
    this.#timeZone = timeZone;
  }

  /** JSON in and out: `{ value }`, `{ error: [name, message] }`, or null for what is not on the list. */
  answer(text: string): string {
    if (text.length > MAX_REQUEST) return 'null';
    try {
      const [kind, locales, options, method, args] = JSON.parse(text) as [
        string,
        unknown,
        object | null,
        string,
        [string, unknown][],
      ];
      if (!Object.hasOwn(METHODS, kind) || !METHODS[kind]!.includes(method)) return 'null';
      return JSON.stringify({ value: this.#call(kind, locales, options, method, args.map(unpack)) ?? null });
    } catch (error) {
      return JSON.stringify({
        error: [error instanceof RangeError ? 'RangeError' : 'TypeError', error instanceof Error ? error.message : 'failed'],
      });
    }
  }

  #call(kind: string, locales: unknown, options: object | null, method: string, args: readonly unknown[]): unknown {
    const made = HostIntl as unknown as Record<string, { supportedLocalesOf(locales: unknown, options?: object): string[] }>;
    if (method === 'supportedLocalesOf') return made[kind]!.supportedLocalesOf(locales, options ?? undefined);
    if (method === 'getCanonicalLocales') return HostIntl.getCanonicalLocales(locales as string[]);
    if (method === 'supportedValuesOf') return HostIntl.supportedValuesOf(args[0] as never);
    const formatter = this.#formatter(kind, locales, options);
    if (method === 'segment')
      // Each carries the whole text, which the guest has already.
      return Array.from(formatter.segment!(...(args as never[])) as Iterable<object>, (part) => ({ ...part, input: undefined }));
    return formatter[method]!(...(args as never[]));
  }

  #formatter(kind: string, locales: unknown, options: object | null): Formatter {
    const key = JSON.stringify([kind, locales, options]);
    const known = this.#formatters.get(key);
    if (known) return known;
    const Made = (HostIntl as unknown as Record<string, new (locales: unknown, options: unknown) => Formatter>)[kind]!;
    const own = kind === 'DateTimeFormat' ? { timeZone: this.#timeZone, ...options } : (options ?? undefined);
    const formatter = new Made(locales ?? this.#locale, own);
    if (this.#formatters.size >= MAX_FORMATTERS) this.#formatters.clear();
    this.#formatters.set(key, formatter);
    return formatter;
  }
}

function unpack([kind, value]: [string, unknown]): unknown {
  if (kind === 'n') return value === '-0' ? -0 : Number(value);
  return kind === 'b' ? BigInt(value as string) : value;
}
