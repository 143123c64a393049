/** Calls that are under way: the guest's half. A call is a promise here and an id for the host. */
import { decode, encode } from '../../src/protocol/codec.ts';
import { isExhaustion, isSerializationError, makeError, messageOf } from './errors.ts';
import {
  create,
  freeze,
  mapDelete,
  mapForEach,
  mapGet,
  mapSet,
  NativeMap,
  NativePromise,
  NativeWeakMap,
  parseJson,
  quote,
  setPrototypeOf,
  slice,
  promiseThen,
  tryThen,
  weakGet,
  weakSet,
} from './primordials.ts';
import { addCall, addPositional, here } from './report.ts';
import { maxCalls, maxDepth, maxInputBytes } from './run.ts';

/** What is known about one promise that a program got: of a call, or derived from one by `then`. */
interface Fact {
  /** Key in `unlooked`. */
  readonly key: number;
  /** 0 for a derived promise and for a call that was refused before it was made. */
  readonly call: number;
  looked: boolean;
  /** Message of its rejection. */
  failed: string | undefined;
}

interface Pending {
  readonly fact: Fact;
  readonly tool: string;
  readonly site: string;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

let pending = new NativeMap<number, Pending>();
/** Promises nobody has looked at yet, in the order they were made. */
let unlooked = new NativeMap<number, Fact>();
let facts = new NativeWeakMap<object, Fact>();
let lastCall = 0;
let lastKey = 0;

/** A new run: promises of the one before it stay as they are for ever. */
export function resetCalls(): void {
  pending = new NativeMap();
  unlooked = new NativeMap();
  facts = new NativeWeakMap();
  lastCall = lastKey = 0;
  stray = '';
}

/**
 * Everything that looks at a promise reads its `constructor` first: `await`, `then`, `Promise.all`, `resolve`. So this
 * getter knows, at no cost to the fast path of `await`, which wants to find the engine's own `Promise` there.
 */
const callPrototype = freeze(
  create(NativePromise.prototype, {
    constructor: {
      get(this: object): PromiseConstructor {
        look(this);
        return NativePromise;
      },
    },
    // biome-ignore lint/suspicious/noThenProperty: it is the prototype of promises.
    then: {
      value: function then(
        this: Promise<unknown>,
        fulfilled?: (value: unknown) => unknown,
        rejected?: (reason: unknown) => unknown,
      ) {
        look(this);
        const derived = promiseThen(this, fulfilled, rejected) as Promise<unknown>;
        return weakGet(facts, this) ? watch(derived) : derived;
      },
    },
  }) as object,
);

function look(promise: object): void {
  const fact = weakGet(facts, promise) as Fact | undefined;
  if (fact === undefined || fact.looked) return;
  fact.looked = true;
  mapDelete(unlooked, fact.key);
}

function mark(promise: Promise<unknown>, call: number): Fact {
  const fact: Fact = { key: ++lastKey, call, looked: false, failed: undefined };
  weakSet(facts, promise, fact);
  setPrototypeOf(promise, callPrototype);
  return fact;
}

/** The promise that a program's own `then` made: its rejection counts as unhandled until somebody looks. */
function watch(derived: Promise<unknown>): Promise<unknown> {
  // Observed before it is marked: this look is not the program's.
  void tryThen(derived, undefined, (reason) => {
    fact.failed = messageOf(reason);
    if (!fact.looked) mapSet(unlooked, fact.key, fact);
  });
  const fact = mark(derived, 0);
  return derived;
}

/** A promise that was rejected before anything was sent. */
function refused(error: unknown): Promise<unknown> {
  const promise = new NativePromise<unknown>((_resolve, reject) => reject(error));
  const fact = mark(promise, 0);
  fact.failed = messageOf(error);
  mapSet(unlooked, fact.key, fact);
  return promise;
}

export const TOOL = 0;
export const UNKNOWN = 1;
export const SEARCH = 2;
export const DESCRIBE = 3;

/** A tool by its index (`TOOL`) or name (`UNKNOWN`), or a question to the catalogue. */
export interface Target {
  readonly kind: number;
  readonly index: number;
  readonly name: string;
  /** Field that takes a positional argument. */
  readonly field: string | null;
}

const MAX_INTENT = 500;

/** Makes a call. Guest code that reading the input runs may make calls of its own: they come first. */
export function call(target: Target, input: unknown, options: unknown): Promise<unknown> {
  const site = here();
  const positional =
    target.field !== null && input !== undefined && input !== null && typeof input !== 'object' && typeof input !== 'function';
  let text: string;
  try {
    text = encodeInput(target, input, positional);
  } catch (error) {
    return refused(inputError(error, target.name, site));
  }
  const intent = intentOf(options);
  if (lastCall >= maxCalls) return refused(tooMany(target.name, site));
  const id = ++lastCall;
  if (positional) addPositional(id, target.field!);
  addCall(id, target.kind, target.index, target.kind === TOOL ? '' : target.name, site, text, intent);
  return promiseOf(id, target.name, site);
}

function promiseOf(id: number, tool: string, site: string): Promise<unknown> {
  let settle: [(value: unknown) => void, (reason: unknown) => void];
  const promise = new NativePromise<unknown>((resolve, reject) => {
    settle = [resolve, reject];
  });
  const fact = mark(promise, id);
  mapSet(unlooked, fact.key, fact);
  mapSet(pending, id, { fact, tool, site, resolve: settle![0], reject: settle![1] });
  return promise;
}

function encodeInput(target: Target, input: unknown, positional: boolean): string {
  if (target.kind >= SEARCH) return encode(input, { maxDepth, maxBytes: maxInputBytes, dropUndefined: true });
  if (input === undefined) return '{}';
  const value = positional ? { __proto__: null, [target.field!]: input } : input;
  return encode(value, { maxDepth, maxBytes: maxInputBytes, dropUndefined: true });
}

function inputError(error: unknown, tool: string, site: string): unknown {
  if (!isSerializationError(error)) return error;
  const message = `The input of ${tool} cannot be sent: ${error.message} The call was not made.`;
  return makeError(error.code, 'InvalidInputError', message, 0, tool, site, quotePath(error.path));
}

function quotePath(path: string): string {
  return `{"path":${quote(path)}}`;
}

function tooMany(tool: string, site: string): Error {
  const message = `A program may make at most ${maxCalls} calls (maxCalls). This call of ${tool} was not made. Do the rest in another program, or use a tool that takes many items at once.`;
  return makeError('call_limit', 'CallLimitError', message, 0, tool, site, `{"maxCalls":${maxCalls}}`);
}

/** The program's own words for why; read once, never trusted. Empty when there are none. */
function intentOf(options: unknown): string {
  if (typeof options !== 'object' || options === null) return '';
  try {
    const { intent } = options as { intent?: unknown };
    return typeof intent === 'string' && intent !== '' ? quote(slice(intent, 0, MAX_INTENT)) : '';
  } catch {
    return '';
  }
}

/** Hands one reply to the program. */
export function deliver(id: number, ok: boolean, text: string): void {
  const waiting = mapGet(pending, id) as Pending | undefined;
  if (waiting === undefined) return;
  mapDelete(pending, id);
  if (!ok) return fail(waiting, id, text);
  let value: unknown;
  try {
    value = decode(text);
  } catch (error) {
    const exhausted = exhaustionOf(text);
    if (exhausted !== undefined) return waiting.reject(exhausted.thrown);
    const reason = isSerializationError(error) ? error.message : messageOf(error);
    return fail(
      waiting,
      id,
      `["serialization_error","ToolError",${quote(`The result of ${waiting.tool} cannot be used here: ${reason}`)},null]`,
    );
  }
  waiting.resolve(value);
}

/** What parsing throws when the value does not fit into memory: then it is not the value that is wrong. */
function exhaustionOf(text: string): { readonly thrown: unknown } | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (thrown) {
    return isExhaustion(thrown) ? { thrown } : undefined;
  }
}

function fail(waiting: Pending, id: number, text: string): void {
  const parts = parseJson(text) as readonly [code: string, name: string, message: string, data: string | null];
  const error = makeError(parts[0], parts[1], parts[2], id, waiting.tool, waiting.site, parts[3]);
  waiting.fact.failed = messageOf(error);
  waiting.reject(error);
}

/** JSON parts of `ReportedEnd`: calls nobody looked at, calls still open, rejections nobody handled. */
export function looseEnds(): string {
  let never = '';
  let open = '';
  let unhandled = '';
  mapForEach(unlooked, (fact: Fact) => {
    if (fact.call > 0) never += `${never && ','}${fact.call}`;
    if (fact.failed !== undefined) unhandled += `${unhandled && ','}[${fact.call},${quote(fact.failed)}]`;
  });
  mapForEach(pending, ({ fact }: Pending) => {
    if (fact.looked) open += `${open && ','}${fact.call}`;
  });
  return `"unlooked":[${never}],"open":[${open}],"unhandled":[${unhandled}${unhandled && stray && ','}${stray}]`;
}

let stray = '';

/** An exception of a callback that nobody could have caught. */
export function addStray(what: string, thrown: unknown): void {
  stray += `${stray && ','}[0,${quote(`${what}: ${messageOf(thrown)}`)}]`;
}
