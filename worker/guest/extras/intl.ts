/** `Intl` and the locale methods, answered by the host's own `Intl`: this engine has none. */
import type { ExtraPowers } from '../host.ts';
import { ASK } from '../ops.ts';

type Options = Record<string, unknown> | undefined;
type Method = (self: unknown, args: readonly unknown[]) => unknown;

export default function create({ ask, now }: ExtraPowers): Record<string, unknown> {
  /** One question: class, locales, options, method, arguments. The host keeps its formatters. */
  function request(kind: string, locales: unknown, options: unknown, method: string, args: readonly unknown[]): any {
    const answer = ask(ASK.intl, JSON.stringify([kind, locales ?? null, options ?? null, method, args.map(pack)]));
    if (answer === null) throw new TypeError(`Intl.${kind}.${method} is not available here`);
    if (answer.error) throw new (answer.error[0] === 'RangeError' ? RangeError : TypeError)(answer.error[1]);
    return answer.value;
  }

  /** A thin class: every method is one question. */
  abstract class Formatter {
    readonly #kind: string;
    readonly #locales: unknown;
    readonly #options: Options;

    constructor(kind: string, locales: unknown, options: Options) {
      this.#kind = kind;
      this.#locales = copy(locales);
      this.#options = copy(options) as Options;
      request(kind, this.#locales, this.#options, 'resolvedOptions', []);
    }

    protected ask(method: string, ...args: unknown[]): any {
      return request(this.#kind, this.#locales, this.#options, method, args);
    }

    resolvedOptions(): unknown {
      return this.ask('resolvedOptions');
    }
  }

  const supported = (kind: string) => (locales: unknown, options?: unknown) =>
    request(kind, copy(locales), options, 'supportedLocalesOf', []);

  class NumberFormat extends Formatter {
    static readonly supportedLocalesOf = supported('NumberFormat');
    readonly format = (value: unknown): string => this.ask('format', numeric(value));
    constructor(locales?: unknown, options?: Options) {
      super('NumberFormat', locales, options);
    }
    formatToParts(value: unknown): unknown {
      return this.ask('formatToParts', numeric(value));
    }
    formatRange(start: unknown, end: unknown): string {
      return this.ask('formatRange', numeric(start), numeric(end));
    }
  }

  const time = (value: unknown): number => {
    const ms = value === undefined ? now() : Number(value);
    if (Number.isNaN(ms)) throw new RangeError('Invalid time value');
    return ms;
  };

  class DateTimeFormat extends Formatter {
    static readonly supportedLocalesOf = supported('DateTimeFormat');
    readonly format = (value?: unknown): string => this.ask('format', time(value));
    constructor(locales?: unknown, options?: Options) {
      super('DateTimeFormat', locales, options);
    }
    formatToParts(value?: unknown): unknown {
      return this.ask('formatToParts', time(value));
    }
    formatRange(start: unknown, end: unknown): string {
      return this.ask('formatRange', time(start), time(end));
    }
  }

  class Collator extends Formatter {
    static readonly supportedLocalesOf = supported('Collator');
    readonly compare = (a: unknown, b: unknown): number => this.ask('compare', String(a), String(b));
    constructor(locales?: unknown, options?: Options) {
      super('Collator', locales, options);
    }
  }

  class PluralRules extends Formatter {
    static readonly supportedLocalesOf = supported('PluralRules');
    constructor(locales?: unknown, options?: Options) {
      super('PluralRules', locales, options);
    }
    select(value: unknown): string {
      return this.ask('select', Number(value));
    }
  }

  class RelativeTimeFormat extends Formatter {
    static readonly supportedLocalesOf = supported('RelativeTimeFormat');
    constructor(locales?: unknown, options?: Options) {
      super('RelativeTimeFormat', locales, options);
    }
    format(value: unknown, unit: unknown): string {
      return this.ask('format', Number(value), String(unit));
    }
    formatToParts(value: unknown, unit: unknown): unknown {
      return this.ask('formatToParts', Number(value), String(unit));
    }
  }

  class ListFormat extends Formatter {
    static readonly supportedLocalesOf = supported('ListFormat');
    constructor(locales?: unknown, options?: Options) {
      super('ListFormat', locales, options);
    }
    format(list: Iterable<unknown>): string {
      return this.ask('format', [...list].map(String));
    }
    formatToParts(list: Iterable<unknown>): unknown {
      return this.ask('formatToParts', [...list].map(String));
    }
  }

  class DisplayNames extends Formatter {
    static readonly supportedLocalesOf = supported('DisplayNames');
    constructor(locales?: unknown, options?: Options) {
      super('DisplayNames', locales, options);
    }
    of(code: unknown): string | undefined {
      return this.ask('of', String(code)) ?? undefined;
    }
  }

  class Segmenter extends Formatter {
    static readonly supportedLocalesOf = supported('Segmenter');
    constructor(locales?: unknown, options?: Options) {
      super('Segmenter', locales, options);
    }
    segment(text: unknown): unknown[] {
      const input = String(text);
      const parts = this.ask('segment', input) as { input: string }[];
      for (const part of parts) part.input = input;
      return parts;
    }
  }

  const callable = <T extends new (locales?: unknown, options?: Options) => object>(made: T): T =>
    new Proxy(made, { apply: (target, _self, [locales, options]: [unknown?, Options?]) => new target(locales, options) });

  const Intl = {
    NumberFormat: callable(NumberFormat),
    DateTimeFormat: callable(DateTimeFormat),
    Collator: callable(Collator),
    PluralRules,
    RelativeTimeFormat,
    ListFormat,
    DisplayNames,
    Segmenter,
    getCanonicalLocales: (locales: unknown) => request('Intl', copy(locales), undefined, 'getCanonicalLocales', []),
    supportedValuesOf: (key: unknown) => request('Intl', undefined, undefined, 'supportedValuesOf', [String(key)]),
  };
  Object.defineProperty(Intl, Symbol.toStringTag, { value: 'Intl', configurable: true });

  const number: Method = (self, [locales, options]) =>
    request('NumberFormat', locales, options, 'format', [numeric(typeof self === 'bigint' ? self : Number(self))]);
  const date =
    (needs: 'any' | 'date' | 'time'): Method =>
    (self, [locales, options]) => {
      const ms = Date.prototype.getTime.call(self);
      return Number.isNaN(ms)
        ? 'Invalid Date'
        : request('DateTimeFormat', locales, withDefaults(options as Options, needs), 'format', [ms]);
    };

  return {
    Intl,
    number,
    date: date('any'),
    dateOnly: date('date'),
    timeOnly: date('time'),
    compare: (self: unknown, [that, locales, options]: readonly unknown[]) => {
      if (self === undefined || self === null) throw new TypeError('localeCompare was called on nothing');
      return request('Collator', locales, options, 'compare', [String(self), String(that)]);
    },
    list: (self: unknown, args: readonly unknown[]) =>
      Array.from(self as ArrayLike<any>, (item) =>
        item === undefined || item === null ? '' : String(item.toLocaleString(...args)),
      ).join(','),
  };
}

const DATE_FIELDS = ['weekday', 'year', 'month', 'day'];
const TIME_FIELDS = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'];

/** The fields a locale method shows when its options name none of its own. */
function withDefaults(options: Options, needs: 'any' | 'date' | 'time'): Options {
  const given: Record<string, unknown> = { ...options };
  const has = (fields: readonly string[]): boolean => fields.some((field) => given[field] !== undefined);
  if (given.dateStyle !== undefined || given.timeStyle !== undefined) return given;
  if ((needs !== 'time' && has(DATE_FIELDS)) || (needs !== 'date' && has(TIME_FIELDS))) return given;
  if (needs !== 'time') Object.assign(given, { year: 'numeric', month: 'numeric', day: 'numeric' });
  if (needs !== 'date') Object.assign(given, { hour: 'numeric', minute: 'numeric', second: 'numeric' });
  return given;
}

function copy(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value) ?? 'null');
}

function numeric(value: unknown): number | bigint | string {
  return typeof value === 'bigint' || typeof value === 'string' ? value : Number(value);
}

/** What JSON cannot say goes as text: `['n', 'NaN']`, `['b', '12']`. */
function pack(value: unknown): unknown {
  if (typeof value === 'number') return ['n', Object.is(value, -0) ? '-0' : String(value)];
  if (typeof value === 'bigint') return ['b', String(value)];
  return ['v', value];
}
