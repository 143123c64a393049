/** Errors that the host's side of a call gives the program: real ones, whose code guest code cannot forge. */
import {
  construct,
  define,
  getPrototypeOf,
  isArray,
  mapGet,
  mapSet,
  NativeError,
  NativeMap,
  NativeWeakMap,
  quote,
  slice,
  toText,
  weakGet,
  weakSet,
} from './primordials.ts';
import { decode, SerializationError } from '../../src/protocol/codec.ts';
import { extra } from './host.ts';

/** What the host knows about an error that this prelude made. */
interface Brand {
  readonly code: string;
  /** 0 when no call was made. */
  readonly call: number;
  readonly data: string | null;
}

const MAX_TEXT = 4_096;
const brands = new NativeWeakMap<object, Brand>();
const classes = new NativeMap<string, ErrorConstructor>();
const builtIns: Record<string, ErrorConstructor> = {
  __proto__: null as never,
  Error,
  TypeError,
  RangeError,
  SyntaxError,
  ReferenceError,
  EvalError,
  URIError,
};
const isError = (Error as unknown as { isError(value: unknown): boolean }).isError;
const serializationPrototype: object = SerializationError.prototype;
const engineError: object = (globalThis as unknown as { InternalError: ErrorConstructor }).InternalError.prototype;

class ToolError extends NativeError {}
define(ToolError, 'name', 'ToolError');
define(ToolError.prototype, 'name', 'ToolError');
mapSet(classes, 'ToolError', ToolError as never);

/** The class of that name: the language's own, or a subclass of `ToolError`. One per name and context. */
export function errorClass(name: string): ErrorConstructor {
  const builtIn = builtIns[name];
  if (builtIn) return builtIn;
  const known = mapGet(classes, name) as ErrorConstructor | undefined;
  if (known) return known;
  const made = class extends ToolError {} as unknown as ErrorConstructor;
  define(made, 'name', name);
  define(made.prototype, 'name', name);
  mapSet(classes, name, made);
  return made;
}

/** @param site `line:column` of the call, which becomes the error's stack */
export function makeError(
  code: string,
  name: string,
  message: string,
  call: number,
  tool: string,
  site: string,
  data: string | null,
): Error {
  const error = construct(errorClass(name), [message]) as Error;
  define(error, 'stack', frameOf(tool, site));
  define(error, 'code', code, true);
  if (tool) define(error, 'tool', tool, true);
  if (data !== null) define(error, 'data', decode(data), true);
  weakSet(brands, error, { code, call, data });
  return error;
}

/** A frame as the engine writes it, so that the call's line is found like any other. */
function frameOf(tool: string, site: string): string {
  return site === '' ? '' : `    at ${tool} (program.js:${site})\n`;
}

/** One line for a warning. */
export function messageOf(thrown: unknown): string {
  try {
    if (isErrorLike(thrown)) return clip(`${toText(thrown.name)}: ${toText(thrown.message)}`);
    return clip(readable(thrown));
  } catch {
    return 'a value that cannot be read';
  }
}

/** JSON of `ReportedError` (ops.ts). Getters and proxies of the thrown value run here, under the program's deadline. */
export function describeError(thrown: unknown): string {
  const brand = isObject(thrown) ? (weakGet(brands, thrown) as Brand | undefined) : undefined;
  const { name, message, stack } = read(thrown);
  let text = `{"name":${quote(clip(name))},"message":${quote(clip(message))},"stack":${quote(clip(stack))}`;
  if (brand) {
    text += `,"code":${quote(brand.code)}`;
    if (brand.call > 0) text += `,"call":${brand.call}`;
    if (brand.data !== null) text += `,"data":${quote(brand.data)}`;
  }
  return `${text}${engineWord(thrown, message)}}`;
}

/** Exhaustion has no code of its own. A program can take such an error and change it: it fools nobody but itself. */
function engineWord(thrown: unknown, message: string): string {
  if (thrown === null) return ',"engine":"null"';
  if (!isObject(thrown) || getPrototypeOfSafely(thrown) !== engineError) return '';
  return message === 'out of memory' ? ',"engine":"memory"' : message === 'stack overflow' ? ',"engine":"stack"' : '';
}

function read(thrown: unknown): { name: string; message: string; stack: string } {
  try {
    if (!isErrorLike(thrown))
      return { name: 'Error', message: `The program threw a value that is no Error: ${readable(thrown)}`, stack: '' };
    const { name, message, stack } = thrown;
    return { name: toText(name), message: toText(message) + causes(thrown), stack: typeof stack === 'string' ? stack : '' };
  } catch {
    return { name: 'Error', message: 'The program threw a value that cannot be read', stack: '' };
  }
}

/** The messages that a wrapping error hides: `cause` and the members of an `AggregateError`. */
function causes(error: ErrorLike): string {
  let text = '';
  const { errors } = error;
  if (isArray(errors)) for (let i = 0; i < errors.length && i < 3; i++) text += `${i === 0 ? ' (' : '; '}${messageOf(errors[i])}`;
  if (text) text += ')';
  let { cause } = error;
  for (let depth = 0; depth < 3 && cause !== undefined && cause !== null; depth++) {
    text += ` (cause: ${messageOf(cause)})`;
    cause = (cause as ErrorLike).cause;
  }
  return text;
}

interface ErrorLike {
  readonly name: unknown;
  readonly message: unknown;
  readonly stack?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && (isError(value) || typeof (value as ErrorLike).message === 'string');
}

/** Not `instanceof`: that asks `Error[Symbol.hasInstance]`, which a program can replace. */
export function isSerializationError(error: unknown): error is SerializationError {
  return isObject(error) && getPrototypeOfSafely(error) === serializationPrototype;
}

/** JSON of an error's data: the path, and the limit where one was passed. */
export function placeOf({ path, limit }: SerializationError): string {
  const place = `{"path":${quote(path)}`;
  return limit === undefined ? `${place}}` : `${place},"limit":${quote(limit.limit)},"value":${limit.value}}`;
}

/** True for the engine's own errors, and for the null it throws when there is no room for one. */
export function isExhaustion(thrown: unknown): boolean {
  return thrown === null || (isObject(thrown) && getPrototypeOfSafely(thrown) === engineError);
}

function getPrototypeOfSafely(value: object): unknown {
  try {
    return getPrototypeOf(value);
  } catch {
    return undefined;
  }
}

function readable(value: unknown): string {
  // A null may be thrown because memory is at its end: nothing is loaded for it.
  if (value === null || value === undefined) return `${value}`;
  return typeof value === 'string' ? quote(value) : extra<(value: unknown) => string>('inspect')(value);
}

export function clip(text: string): string {
  return text.length > MAX_TEXT ? `${slice(text, 0, MAX_TEXT)}…` : text;
}
