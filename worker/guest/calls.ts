/** Calls that are under way: the guest's half. A call is a promise here and an id for the host. */
import { decode, encode } from '../../src/protocol/codec.ts';
import { isExhaustion, isSerializationError, makeError, messageOf, placeOf } from './errors.ts';
import {
  bareList,
  create,
  freeze,
  mapDelete,
  mapForEach,
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
import { flatText } from './flat-text.ts';
import { addCall, addPositional, siteOf } from './report.ts';
import { maxCalls, maxDepth, maxInputBytes } from './run.ts';

/** What is known about one promise that a program got: of a call, or derived from one by `then`. */
interface Fact {
  /** 0 for a derived promise and for a call that was refused before it was made. */
  readonly call: number;
  readonly tool: string;
  readonly site: string;
  looked: boolean;
  /** Message of its rejection. */
  failed: string | undefined;
  resolve: ((value: unknown) => void) | undefined;
  reject: ((reason: unknown) => void) | undefined;
}

/** Calls without a reply, by id: a list, because reaching into one is cheaper than asking a map. */
let pending = bareList<Fact | undefined>();
/** Promises that were settled before anybody looked at them. */
let unlooked = new NativeMap<Fact, Fact>();
let facts = new NativeWeakMap<object, Fact>();
let lastCall = 0;

/** A new run: promises of the one before it stay as they are for ever. */
export function resetCalls(): void {
  pending = bareList();
  pending[0] = undefined;
  unlooked = new NativeMap();
  facts = new NativeWeakMap();
  lastCall = 0;
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
        // With a handler of its own (`Promise.all` brings one) what it derives is somebody else's promise.
        return typeof rejected === 'function' || !weakGet(facts, this) ? derived : watch(derived);
      },
    },
  }) as object,
);

function look(promise: object): void {
  const fact = weakGet(facts, promise) as Fact | undefined;
  if (fact === undefined || fact.looked) return;
  fact.looked = true;
  // Settled already.
  if (fact.resolve === undefined) mapDelete(unlooked, fact);
}

function mark(promise: Promise<unknown>, call: number, tool: string, site: string): Fact {
  const fact: Fact = { call, tool, site, looked: false, failed: undefined, resolve: undefined, reject: undefined };
  weakSet(facts, promise, fact);
  setPrototypeOf(promise, callPrototype);
  return fact;
}

function noteSettled(fact: Fact, failed: string | undefined): void {
  fact.failed = failed;
  fact.resolve = fact.reject = undefined;
  if (!fact.looked) mapSet(unlooked, fact, fact);
}

/** The promise that a program's own `then` made: its rejection counts as unhandled until somebody looks. */
function watch(derived: Promise<unknown>): Promise<unknown> {
  // Observed before it is marked: this look is not the program's.
  void tryThen(derived, undefined, (reason) => noteSettled(fact, messageOf(reason)));
  const fact = mark(derived, 0, '', '');
  return derived;
}

/** A promise that was rejected before anything was sent. */
function refused(error: unknown): Promise<unknown> {
  const promise = new NativePromise<unknown>((_resolve, reject) => reject(error));
  noteSettled(mark(promise, 0, '', ''), messageOf(error));
  return promise;
}

export const TOOL = 0;
export const UNKNOWN = 1;
export const SEARCH = 2;
export const DESCRIBE = 3;
export const RESULT = 4;

/** A tool by its index (`TOOL`) or name (`UNKNOWN`), or a question to the catalogue. */
export interface Target {
  readonly kind: number;
  readonly index: number;
  readonly name: string;
  /** Field that takes a positional argument. */
  readonly field: string | null;
}

const MAX_INTENT = 500;

/**
 * Makes a call. Guest code that reading the input runs may make calls of its own: they come first.
 * @param stack where it was made: taken by the callable itself, because every frame above costs a microsecond
 */
export function call(target: Target, input: unknown, options: unknown, stack: unknown): Promise<unknown> {
  const { kind, name, field } = target;
  const site = siteOf(stack);
  const positional = field !== null && isBare(input);
  let text: string | undefined;
  try {
    text = positional ? undefined : flatText(input);
    if (text === undefined) text = encodeInput(target, input, positional);
  } catch (error) {
    return refused(inputError(error, name, site));
  }
  const intent = options === undefined ? '' : intentOf(options);
  if (lastCall >= maxCalls) return refused(tooMany(name, site));
  const id = ++lastCall;
  if (positional) addPositional(id, field!);
  addCall(id, kind, target.index, kind === TOOL ? '' : name, site, text, intent);
  return promiseOf(id, name, site);
}

function isBare(input: unknown): boolean {
  return input !== undefined && input !== null && typeof input !== 'object' && typeof input !== 'function';
}

function promiseOf(id: number, tool: string, site: string): Promise<unknown> {
  const promise = new NativePromise<unknown>(capture);
  const fact = mark(promise, id, tool, site);
  fact.resolve = resolver;
  fact.reject = rejecter;
  pending[id] = fact;
  return promise;
}

let resolver: Fact['resolve'];
let rejecter: Fact['reject'];

/** One for all promises: a closure of its own would cost each of them. */
function capture(resolve: Fact['resolve'], reject: Fact['reject']): void {
  resolver = resolve;
  rejecter = reject;
}

function encodeInput(target: Target, input: unknown, positional: boolean): string {
  const value = positional && target.kind < SEARCH ? { __proto__: null, [target.field!]: input } : input;
  return encode(value, { maxDepth, maxBytes: maxInputBytes, bytesLimit: 'maxInputBytes', dropUndefined: true });
}

function inputError(error: unknown, tool: string, site: string): unknown {
  if (!isSerializationError(error)) return error;
  const message = `The input of ${tool} cannot be sent: ${error.message} The call was not made.`;
  return makeError(error.code, 'InvalidInputError', message, 0, tool, site, placeOf(error));
}

function tooMany(tool: string, site: string): Error {
  const message = `A program may make at most ${maxCalls} calls (maxCalls). This call of ${tool} was not made. Do the rest in another program, or use a tool that takes many items at once.`;
  return makeError('call_limit', 'CallLimitError', message, 0, tool, site, `{"limit":"maxCalls","value":${maxCalls}}`);
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

/** Hands one value to the program. @param tagged what `isTagged` says of the text */
export function resolve(id: number, text: string, tagged: boolean): void {
  const fact = pending[id];
  if (fact === undefined) return;
  let value: unknown;
  try {
    // Own properties all: the program may have put others on `Object.prototype`.
    value = tagged ? decode(text, { tagged, maxDepth: undefined, maxBytes: undefined }) : parseJson(text);
  } catch (error) {
    const exhausted = exhaustionOf(text);
    if (exhausted !== undefined) return settleBadly(fact, exhausted.thrown);
    const reason = isSerializationError(error) ? error.message : messageOf(error);
    const message = `The result of ${fact.tool} cannot be used here: ${reason}`;
    return settleBadly(fact, makeError('serialization_error', 'ToolError', message, id, fact.tool, fact.site, null));
  }
  pending[id] = undefined;
  const done = fact.resolve!;
  noteSettled(fact, undefined);
  done(value);
}

/** Hands one failure to the program. */
export function reject(id: number, text: string): void {
  const fact = pending[id];
  if (fact === undefined) return;
  const parts = parseJson(text) as readonly [code: string, name: string, message: string, data: string | null];
  settleBadly(fact, makeError(parts[0], parts[1], parts[2], id, fact.tool, fact.site, parts[3]));
}

function settleBadly(fact: Fact, error: unknown): void {
  pending[fact.call] = undefined;
  const done = fact.reject!;
  noteSettled(fact, messageOf(error));
  done(error);
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

/** JSON parts of `ReportedEnd`: calls nobody looked at, calls still open, rejections nobody handled. */
export function looseEnds(): string {
  let never = '';
  let open = '';
  let unhandled = '';
  mapForEach(unlooked, (fact: Fact) => {
    if (fact.call > 0) never += `${never && ','}${fact.call}`;
    if (fact.failed !== undefined) unhandled += `${unhandled && ','}[${fact.call},${quote(fact.failed)}]`;
  });
  for (let id = 1; id < pending.length; id++) {
    const fact = pending[id];
    if (fact?.looked) open += `${open && ','}${id}`;
    else if (fact) never += `${never && ','}${id}`;
  }
  return `"unlooked":[${never}],"open":[${open}],"unhandled":[${unhandled}${unhandled && stray && ','}${stray}]`;
}

let stray = '';

/** An exception of a callback that nobody could have caught. */
export function addStray(what: string, thrown: unknown): void {
  stray += `${stray && ','}[0,${quote(`${what}: ${messageOf(thrown)}`)}]`;
}
