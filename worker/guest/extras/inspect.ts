/** Values as text for console lines and thrown values, with bounds on depth, length and number of entries. */
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;
const MAX_STRING = 10_000;
const MAX_TEXT = 100_000;
const MAX_JSON_VALUES = 10_000;
const LINE = 76;

export default function create(): typeof inspect {
  return inspect;
}

function inspect(value: unknown): string {
  return clip(new Inspector().text(value, 0), MAX_TEXT);
}

/** `console.log('%s has %d', …)`: the placeholders of consoles everywhere; what is left over is appended. */
inspect.format = (template: string, args: readonly unknown[]): string => {
  let used = 1;
  let text = '';
  for (let i = 0; i < template.length; i++) {
    const letter = template[i] === '%' ? template[i + 1] : undefined;
    if (letter === '%' || (letter !== undefined && used < args.length && 'sdifjoOc'.includes(letter))) {
      text += letter === '%' ? '%' : filled(letter, args[used++]);
      i++;
    } else text += template[i];
  }
  for (; used < args.length; used++) text += ` ${plain(args[used])}`;
  return text;
};

/** What cannot be converted (a symbol to a number, a cycle to JSON) is shown like any other value. */
function filled(letter: string, value: unknown): string {
  try {
    return placeholder(letter, value);
  } catch {
    return inspect(value);
  }
}

function placeholder(letter: string, value: unknown): string {
  switch (letter) {
    case 'd':
      return typeof value === 'object' ? 'NaN' : typeof value === 'bigint' ? `${value}n` : String(Number(value as number));
    case 'i':
      return typeof value === 'object' ? 'NaN' : String(Number.parseInt(value as string, 10));
    case 'f':
      return typeof value === 'object' ? 'NaN' : String(Number.parseFloat(value as string));
    case 'j':
      return boundedJson(value);
    case 'c':
      return '';
    case 's':
      return plain(value);
    default:
      return inspect(value);
  }
}

/** @throws for a cycle, and for more values than anybody reads: an array says itself how long it is */
function boundedJson(value: unknown): string {
  let left = MAX_JSON_VALUES;
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (left-- === 0) throw new RangeError('too much');
    return item;
  });
  return clip(text ?? 'undefined', MAX_TEXT);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value);
}

/** Rows as columns between bars. Anything that is no list of rows is shown as it is. */
inspect.table = (data: unknown): string => {
  if (typeof data !== 'object' || data === null) return plain(data);
  const rows = data instanceof Map ? [...data] : Object.entries(data);
  const columns = new Set<string>();
  const cells = rows.slice(0, MAX_ENTRIES).map(([key, row]) => {
    const isRecord = typeof row === 'object' && row !== null;
    const entries: [string, string][] = isRecord
      ? Object.entries(row).map(([name, cell]) => [name, plain(cell)])
      : [['value', plain(row)]];
    for (const [name] of entries) columns.add(name);
    return { key: plain(key), values: new Map(entries) };
  });
  const head = ['', ...columns];
  const lines = [head, ...cells.map(({ key, values }) => [key, ...[...columns].map((name) => values.get(name) ?? '')])];
  const widths = head.map((_, i) => Math.min(60, Math.max(...lines.map((line) => line[i]!.length))));
  const text = lines.map((line) => `| ${line.map((cell, i) => clip(cell, 60).padEnd(widths[i]!)).join(' | ')} |`);
  text.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  if (rows.length > MAX_ENTRIES) text.push(`… ${rows.length - MAX_ENTRIES} more rows`);
  return text.join('\n');
};

function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

class Inspector {
  readonly #open = new Set<object>();
  #budget = MAX_TEXT;

  text(value: unknown, depth: number): string {
    const text = this.#value(value, depth);
    this.#budget -= text.length;
    return text;
  }

  #value(value: unknown, depth: number): string {
    switch (typeof value) {
      case 'string':
        return depth === 0 ? value : quoted(value);
      case 'bigint':
        return `${value}n`;
      case 'number':
        return Object.is(value, -0) ? '-0' : String(value);
      case 'function':
        return functionText(value);
      case 'object':
        return value === null ? 'null' : this.#object(value, depth);
      default:
        return String(value);
    }
  }

  #object(value: object, depth: number): string {
    if (this.#open.has(value)) return '[Circular]';
    if (this.#budget <= 0) return '…';
    this.#open.add(value);
    try {
      return this.#known(value, depth) ?? this.#record(value, depth);
    } catch (error) {
      return `[${error instanceof Error ? `unreadable: ${clip(error.message, 100)}` : 'unreadable'}]`;
    } finally {
      this.#open.delete(value);
    }
  }

  #known(value: object, depth: number): string | undefined {
    if (Array.isArray(value))
      return this.#list('', value.length, (i) => (i in value ? this.text(value[i], depth + 1) : '<empty>'), depth, '[', ']');
    if (value instanceof Error) return this.#error(value, depth);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof RegExp) return String(value);
    if (value instanceof Map) {
      const entries = [...value];
      const entry = (i: number): string => `${this.text(entries[i]![0], depth + 1)} => ${this.text(entries[i]![1], depth + 1)}`;
      return this.#list(`Map(${value.size}) `, entries.length, entry, depth, '{', '}');
    }
    if (value instanceof Set) {
      const members = [...value];
      return this.#list(`Set(${value.size}) `, members.length, (i) => this.text(members[i], depth + 1), depth, '{', '}');
    }
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      const list = value as Uint8Array;
      return this.#list(`${nameOf(value)}(${list.length}) `, list.length, (i) => String(list[i]), depth, '[', ']');
    }
    if (value instanceof ArrayBuffer) return `ArrayBuffer { byteLength: ${value.byteLength} }`;
    if (value instanceof Promise) return 'Promise { … } (await it)';
    if (value instanceof Number || value instanceof Boolean || value instanceof String)
      return `[${nameOf(value)}: ${quoted(String(value))}]`;
    return undefined;
  }

  /** Name, message and, where nothing surrounds it, the program's frames. */
  #error(error: Error, depth: number): string {
    const head = `${error.name}: ${error.message}`;
    if (depth > 0) return `[${head}]`;
    const frames = typeof error.stack === 'string' ? error.stack.split('\n').filter((line) => line.includes('program.js:')) : [];
    const { cause } = error;
    // A cause is shown as if it stood alone; a chain of them may lead back to where it began.
    const tail = cause === undefined ? '' : `\n  [cause]: ${this.#open.size < MAX_DEPTH ? this.text(cause, 0) : '…'}`;
    return [head, ...frames.slice(0, 5)].join('\n') + tail;
  }

  #record(value: object, depth: number): string {
    const name = nameOf(value);
    const keys = Object.keys(value);
    const entry = (i: number): string => {
      const key = keys[i]!;
      const own = Object.getOwnPropertyDescriptor(value, key);
      const text = own?.get ? '[Getter]' : this.text(own ? own.value : undefined, depth + 1);
      return `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)}: ${text}`;
    };
    return this.#list(name === 'Object' ? '' : `${name} `, keys.length, entry, depth, '{', '}');
  }

  #list(prefix: string, length: number, entry: (i: number) => string, depth: number, open: string, close: string): string {
    if (length === 0) return prefix + open + close;
    if (depth >= MAX_DEPTH) return `${prefix}${open} … ${close}`;
    const items: string[] = [];
    for (let i = 0; i < length && items.length < MAX_ENTRIES && this.#budget > 0; i++) items.push(entry(i));
    if (items.length < length) items.push(`… ${length - items.length} more`);
    const joined = items.join(', ');
    const space = open === '[' ? '' : ' ';
    if (joined.length <= LINE && !joined.includes('\n')) return `${prefix}${open}${space}${joined}${space}${close}`;
    return `${prefix}${open}\n${items.map((item) => `  ${item.replaceAll('\n', '\n  ')}`).join(',\n')}\n${close}`;
  }
}

function quoted(text: string): string {
  const clipped = clip(text, MAX_STRING);
  const json = JSON.stringify(clipped).slice(1, -1);
  return clipped.includes("'") ? `"${json}"` : `'${json.replaceAll('\\"', '"')}'`;
}

function nameOf(value: object): string {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null) return '[null prototype]';
  const own = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value as unknown;
  return typeof own === 'function' && own.name !== '' ? own.name : 'Object';
}

function functionText(value: { readonly name: string }): string {
  const isClass = /^class\b/.test(Function.prototype.toString.call(value));
  return `[${isClass ? 'class' : 'Function'}${value.name === '' ? ' (anonymous)' : `: ${value.name}`}]`;
}
