/** `console`: lines as a person expects them. Nothing it is given can make it throw. */
import { extra, now } from './host.ts';
import { create, define, indexOf, NativeError, slice, toText } from './primordials.ts';
import { addOutput, siteOf } from './report.ts';

/** Shape of extras/inspect.ts. */
export type Inspect = ((value: unknown) => string) & {
  format(template: string, args: readonly unknown[]): string;
  table(data: unknown): string;
};

const DEBUG = 0;
const LOG = 1;
const INFO = 2;
const WARN = 3;
const ERROR = 4;

const MAX_LABEL = 200;

let indent = '';
let counts = create(null) as Record<string, number>;
let starts = create(null) as Record<string, number>;

export function resetConsole(): void {
  indent = '';
  counts = create(null) as Record<string, number>;
  starts = create(null) as Record<string, number>;
}

function print(level: number, args: readonly unknown[], stack: unknown = new NativeError().stack): void {
  const site = siteOf(stack);
  let text: string;
  try {
    text = join(args);
  } catch {
    text = '[a value that cannot be shown]';
  }
  addOutput(level, indent + text, site);
}

function join(args: readonly unknown[]): string {
  const first = args[0];
  if (args.length > 1 && typeof first === 'string' && indexOf(first, '%') >= 0)
    return extra<Inspect>('inspect').format(first, args);
  let text = '';
  for (let i = 0; i < args.length; i++) text += (i > 0 ? ' ' : '') + show(args[i]);
  return text;
}

/** Texts as they are, everything else as source would write it. */
function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return value === 0 && 1 / value < 0 ? '-0' : `${value}`;
    case 'boolean':
    case 'undefined':
      return `${value}`;
    default:
      return value === null ? 'null' : extra<Inspect>('inspect')(value);
  }
}

function label(value: unknown): string {
  try {
    // An object is not asked for its text: an array joins itself, however long it says it is.
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    return value === undefined ? 'default' : isObject ? slice(show(value), 0, MAX_LABEL) : toText(value);
  } catch {
    return 'default';
  }
}

function printer(level: number): (...args: unknown[]) => void {
  return (...args) => print(level, args, new NativeError().stack);
}

function elapsed(name: unknown): string | undefined {
  const key = label(name);
  const start = starts[key];
  return start === undefined ? undefined : `${key}: ${now() - start} ms`;
}

export function installConsole(): void {
  const made: Record<string, unknown> = {
    debug: printer(DEBUG),
    log: printer(LOG),
    info: printer(INFO),
    warn: printer(WARN),
    error: printer(ERROR),
    dir: (value: unknown) => print(LOG, [value]),
    dirxml: printer(LOG),
    trace: (...args: unknown[]) => print(DEBUG, args),
    table: (data: unknown) => {
      let text: unknown = data;
      try {
        text = extra<Inspect>('inspect').table(data);
      } catch {
        // Shown like any other value.
      }
      print(LOG, [text]);
    },
    assert: (condition: unknown, ...args: unknown[]) => {
      if (condition) return;
      if (typeof args[0] === 'string') define(args, 0, `Assertion failed: ${args[0]}`, true);
      print(ERROR, typeof args[0] === 'string' ? args : args.length > 0 ? ['Assertion failed:', args] : ['Assertion failed']);
    },
    count: (name: unknown) => {
      const key = label(name);
      counts[key] = (counts[key] ?? 0) + 1;
      print(LOG, [`${key}: ${counts[key]}`]);
    },
    countReset: (name: unknown) => {
      counts[label(name)] = 0;
    },
    time: (name: unknown) => {
      starts[label(name)] = now();
    },
    timeLog: (name: unknown) => {
      const text = elapsed(name);
      if (text !== undefined) print(LOG, [text]);
    },
    timeEnd: (name: unknown) => {
      const text = elapsed(name);
      if (text !== undefined) print(LOG, [text]);
      delete starts[label(name)];
    },
    group: (...args: unknown[]) => {
      if (args.length > 0) print(LOG, args);
      if (indent.length < 40) indent += '  ';
    },
    groupCollapsed: (...args: unknown[]) => {
      if (args.length > 0) print(LOG, args);
      if (indent.length < 40) indent += '  ';
    },
    groupEnd: () => {
      indent = slice(indent, 2);
    },
    clear: () => {},
  };
  define(globalThis, 'console', made);
}
