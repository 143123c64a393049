/** `tools`, `codemode` and the bare aliases: names that become callables when a program first uses them. */
import { call, DESCRIBE, RESULT, SEARCH, type Target, TOOL, UNKNOWN } from './calls.ts';
import { emit } from './emit.ts';
import { errorClass } from './errors.ts';
import { ask } from './host.ts';
import { invoke } from './invoke.ts';
import { ASK } from './ops.ts';
import {
  create,
  define,
  deleteProperty,
  getOwnPropertyDescriptor,
  hasOwn,
  NativeError,
  NativeProxy,
  quote,
  slice,
  startsWith,
} from './primordials.ts';

export type Callable = (input?: unknown, options?: unknown) => Promise<unknown>;

/** Keys that the language asks objects for by itself: only a tool of that name answers to them. */
const silent = nullTable([
  'then',
  'toJSON',
  'constructor',
  'toString',
  'valueOf',
  'inspect',
  'prototype',
  '__proto__',
  'nodeType',
  '$$typeof',
]);

function nullTable(keys: readonly string[]): Record<string, true> {
  const made = create(null) as Record<string, true>;
  for (const key of keys) made[key] = true;
  return made;
}

/** The callable of a tool or of a name no tool has: such a call goes to the page, which knows what was meant. */
export function callable(target: Target): Callable {
  const own = table;
  const made = (input?: unknown, options?: unknown, place?: unknown): Promise<unknown> =>
    call(
      own === table ? target : renewed(target),
      input,
      options,
      // Where the normaliser could write the place into the call, nobody has to ask the engine for it.
      typeof place === 'string' && place[0] === '0' ? place : new NativeError().stack,
    );
  // Programs may look at it: an input and options are what there is to give.
  define(made, 'length', 2);
  define(made, 'name', target.name);
  return made;
}

/** Counts the tables of names: an index of an earlier one may be another tool in this. */
let table = 0;

/** The tool that a callable kept from an earlier program of the session means now: the one of its name. */
function renewed({ kind, name }: Target): Target {
  const found = kind === TOOL ? find('', name) : undefined;
  return found && found.index >= 0 && found.name === name
    ? { kind: TOOL, index: found.index, name, field: found.field }
    : { kind: UNKNOWN, index: -1, name, field: null };
}

interface Found {
  /** -1: no tool. */
  readonly index: number;
  readonly field: string | null;
  readonly isNamespace: boolean;
  readonly name: string;
}

/** Asks the host, because a table of all names would cost every run. */
export function find(namespace: string, key: string): Found {
  const answer = ask(ASK.name, `[${quote(namespace)},${quote(key)}]`);
  return { index: answer[0], field: answer[1], isNamespace: answer[2] === 1, name: answer[3] };
}

function resolve(namespace: string, key: string): unknown {
  const { index, field, isNamespace, name } = find(namespace, key);
  if (index >= 0) {
    const made = callable({ kind: TOOL, index, name, field });
    return isNamespace ? family(made, key) : made;
  }
  if (isNamespace) return family(create(null) as object, key);
  if (silent[key]) return undefined;
  const path = namespace === '' ? key : `${namespace}.${key}`;
  return unknown(path);
}

/** `tools.nothing` may be a wrong tool or a wrong namespace: `tools.nothing.at.all()` is a call, too. */
function unknown(path: string): Callable {
  const made = callable({ kind: UNKNOWN, index: -1, name: path, field: null });
  return new NativeProxy(made, {
    __proto__: null,
    get(target: object, key: PropertyKey, receiver: unknown) {
      if (typeof key === 'symbol' || silent[key as string] || key in target) return Reflect_get(target, key, receiver);
      return unknown(`${path}.${key as string}`);
    },
  } as ProxyHandler<Callable>);
}

const Reflect_get = Reflect.get;

/** A proxy over a table that fills itself; what a program stores in it shadows the tools. */
function family(target: object, namespace: string): object {
  return new NativeProxy(target, {
    __proto__: null,
    get(table: Record<string, unknown>, key: PropertyKey) {
      if (typeof key === 'symbol') return undefined;
      if (hasOwn(table, key)) return table[key as string];
      const made = resolve(namespace, key as string);
      if (made !== undefined) define(table, key, made);
      return made;
    },
    has(table: object, key: PropertyKey) {
      if (hasOwn(table, key)) return true;
      if (typeof key === 'symbol') return false;
      const { index, isNamespace } = find(namespace, key as string);
      return index >= 0 || isNamespace;
    },
    ownKeys(table: object) {
      return ask(ASK.keys, quote(namespace)) ?? table;
    },
    getOwnPropertyDescriptor(table: Record<string, unknown>, key: PropertyKey) {
      if (hasOwn(table, key)) {
        const own = getOwnPropertyDescriptor(table, key)!;
        return { __proto__: null, value: own.value, writable: true, configurable: true, enumerable: true };
      }
      if (typeof key === 'symbol') return undefined;
      const { index, isNamespace } = find(namespace, key as string);
      if (index < 0 && !isNamespace) return undefined;
      return { __proto__: null, value: resolve(namespace, key as string), writable: true, configurable: true, enumerable: true };
    },
  } as ProxyHandler<object>);
}

function question(kind: number, name: string): (text: unknown) => Promise<unknown> {
  const target: Target = { kind, index: -1, name, field: null };
  return (text) => call(target, text === undefined ? '' : text, undefined, new NativeError().stack);
}

let bound: readonly string[] = [];
let last: object | undefined;
let lastKit: object | undefined;

/**
 * Sets a global of ours; one of an earlier run that was frozen still does. @returns what stands there
 * @throws an error when a program of this session has put something else there for good: its calls would go nowhere
 */
function install(name: string, made: object, before: object | undefined): object {
  define(globalThis, name, made);
  const own = getOwnPropertyDescriptor(globalThis, name);
  const found: unknown = own && hasOwn(own, 'value') ? own.value : undefined;
  if (found === made) return made;
  if (before !== undefined && found === before) return before;
  throw new NativeError(
    `An earlier program of this session replaced \`${name}\` for good, so that no tool can be called. Run the program again with \`restart: true\`.`,
  );
}

/** Fresh tables: names may mean other tools than in the run before. */
export function installTools(bare: readonly string[]): void {
  table++;
  const own = create(null) as object;
  define(own, 'search', question(SEARCH, 'codemode.search'));
  define(own, 'describe', question(DESCRIBE, 'codemode.describe'));
  define(own, 'invoke', invoke);
  define(own, 'invoke_tools', invoke);
  define(own, 'emit', emit);
  const results = create(null) as object;
  define(results, 'load', question(RESULT, 'codemode.results.load'), true);
  define(own, 'results', results);
  last = install('tools', family(create(null) as object, ''), last);
  lastKit = install('codemode', family(own, ''), lastKit);
  // Not `delete`, which throws for what a program of this session has frozen.
  for (let i = 0; i < bound.length; i++) deleteProperty(globalThis, bound[i]!);
  for (let i = 0; i < bare.length; i++) define(globalThis, bare[i]!, alias(bare[i]!));
  bound = bare;
}

function alias(name: string): unknown {
  if (startsWith(name, 'Tool')) return errorClass(name);
  if (name === 'invoke_tools') return invoke;
  const identifier = slice(name, startsWith(name, 'tool_') ? 5 : 9);
  const whole = find('', name);
  return whole.index >= 0 && find('', identifier).index < 0 ? resolve('', name) : resolve('', identifier);
}
