/** `URL`, answered by the host's own parser, and `URLSearchParams`. */
import type { ExtraPowers } from '../host.ts';
import { ASK } from '../ops.ts';
import { URL_PARTS } from '../url-parts.ts';

/** What the host answers: the parts of a URL, or null when the text is none. */
interface Parts {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

type Settable = Exclude<keyof Parts, 'origin'>;

export default function create({ ask }: ExtraPowers): Record<string, unknown> {
  const parse = (url: string, base: string | null): Parts | null => ask(ASK.url, JSON.stringify(['parse', url, base]));
  const change = (href: string, part: Settable, value: string): Parts | null =>
    ask(ASK.url, JSON.stringify(['set', href, part, value]));
  const update = Symbol('update');

  function unescape(text: string): string {
    const spaced = text.replaceAll('+', ' ');
    if (!spaced.includes('%')) return spaced;
    try {
      return decodeURIComponent(spaced);
    } catch {
      // A stray % stays; bytes that are no text become U+FFFD, as the host decodes them.
      return spaced.replace(/(?:%[0-9a-f]{2})+/gi, (run) => ask(ASK.url, JSON.stringify(['bytes', run])) as string);
    }
  }

  class URLSearchParams {
    #pairs: [string, string][] = [];
    #changed: ((text: string) => void) | undefined;

    constructor(init: unknown = '') {
      if (typeof init === 'object' && init !== null) {
        const list = init as { [Symbol.iterator]?: unknown };
        const entries =
          typeof list[Symbol.iterator] === 'function' ? (init as Iterable<[unknown, unknown]>) : Object.entries(init);
        for (const [key, value] of entries) this.#pairs.push([wellFormed(key), wellFormed(value)]);
      } else this.#parse(wellFormed(init));
    }

    /** Ties the list to a URL: changes are written back. */
    [update](text: string, changed?: (text: string) => void): void {
      this.#parse(text);
      this.#changed = changed ?? this.#changed;
    }

    #parse(text: string): void {
      const query = text.startsWith('?') ? text.slice(1) : text;
      this.#pairs = query
        .split('&')
        .filter((part) => part !== '')
        .map((part) => {
          const cut = part.indexOf('=');
          return cut < 0 ? [unescape(part), ''] : [unescape(part.slice(0, cut)), unescape(part.slice(cut + 1))];
        });
    }

    #write(): void {
      this.#changed?.(this.toString());
    }

    get size(): number {
      return this.#pairs.length;
    }

    append(key: unknown, value: unknown): void {
      this.#pairs.push([wellFormed(key), wellFormed(value)]);
      this.#write();
    }

    delete(key: unknown, value?: unknown): void {
      const [name, only] = [wellFormed(key), value === undefined ? undefined : wellFormed(value)];
      this.#pairs = this.#pairs.filter((pair) => pair[0] !== name || (only !== undefined && pair[1] !== only));
      this.#write();
    }

    get(key: unknown): string | null {
      const name = wellFormed(key);
      return this.#pairs.find((pair) => pair[0] === name)?.[1] ?? null;
    }

    getAll(key: unknown): string[] {
      const name = wellFormed(key);
      return this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]);
    }

    has(key: unknown, value?: unknown): boolean {
      const [name, only] = [wellFormed(key), value === undefined ? undefined : wellFormed(value)];
      return this.#pairs.some((pair) => pair[0] === name && (only === undefined || pair[1] === only));
    }

    set(key: unknown, value: unknown): void {
      const name = wellFormed(key);
      const first = this.#pairs.findIndex((pair) => pair[0] === name);
      if (first < 0) return this.append(name, value);
      this.#pairs[first]![1] = wellFormed(value);
      this.#pairs = this.#pairs.filter((pair, i) => i <= first || pair[0] !== name);
      this.#write();
    }

    sort(): void {
      this.#pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
      this.#write();
    }

    forEach(callback: (value: string, key: string, list: URLSearchParams) => unknown, self?: unknown): void {
      for (const [key, value] of this.#pairs) callback.call(self, value, key, this);
    }

    *entries(): Generator<[string, string]> {
      for (const [key, value] of this.#pairs) yield [key, value];
    }

    *keys(): Generator<string> {
      for (const [key] of this.#pairs) yield key;
    }

    *values(): Generator<string> {
      for (const [, value] of this.#pairs) yield value;
    }

    [Symbol.iterator](): Generator<[string, string]> {
      return this.entries();
    }

    toString(): string {
      return this.#pairs.map(([key, value]) => `${escape(key)}=${escape(value)}`).join('&');
    }
  }

  class URL {
    #parts: Parts;
    #params: URLSearchParams | undefined;

    constructor(url: unknown, base?: unknown) {
      const parts = parse(String(url), base === undefined ? null : String(base));
      if (!parts) throw new TypeError(`Invalid URL: ${JSON.stringify(String(url)).slice(0, 200)}`);
      this.#parts = parts;
    }

    static canParse(url: unknown, base?: unknown): boolean {
      return parse(String(url), base === undefined ? null : String(base)) !== null;
    }

    static parse(url: unknown, base?: unknown): URL | null {
      return URL.canParse(url, base) ? new URL(url, base) : null;
    }

    get searchParams(): URLSearchParams {
      if (!this.#params) {
        this.#params = new URLSearchParams();
        this.#params[update](this.#parts.search, (text) => this.#change('search', text, false));
      }
      return this.#params;
    }

    /** A value that is not valid for the part changes nothing; only a whole `href` must be a URL. */
    #change(part: Settable, value: unknown, tell = true): void {
      const parts = change(this.#parts.href, part, String(value));
      if (parts) this.#parts = parts;
      else if (part === 'href') throw new TypeError(`Invalid URL: ${JSON.stringify(String(value)).slice(0, 200)}`);
      if (tell) this.#params?.[update](this.#parts.search);
    }

    toString(): string {
      return this.#parts.href;
    }

    toJSON(): string {
      return this.#parts.href;
    }

    static {
      for (const name of URL_PARTS) {
        Object.defineProperty(URL.prototype, name, {
          configurable: true,
          enumerable: true,
          get(this: URL) {
            return this.#parts[name];
          },
          set:
            name === 'origin'
              ? undefined
              : function (this: URL, value: unknown) {
                  this.#change(name as Settable, value);
                },
        });
      }
    }
  }

  return { URL, URLSearchParams };
}

function escape(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Text as the web's interfaces take it: without lone surrogates. */
function wellFormed(value: unknown): string {
  return (String(value) as string & { toWellFormed(): string }).toWellFormed();
}
