import { InvalidOptionsError } from '../errors.ts';
import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts';
import { invalid } from './invalid-option.ts';
import { checkRules } from './rule-options.ts';
import type { CodeModeOptions, RunOptions, SessionOptions } from './types.ts';

type Check = (value: unknown) => boolean;

const isFunction: Check = (value) => typeof value === 'function';
const isText: Check = (value) => typeof value === 'string' && value !== '';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isObject: Check = (value) => typeof value === 'object' && value !== null;
const isSignal: Check = (value) =>
  isObject(value) && 'aborted' in (value as object) && isFunction((value as AbortSignal).addEventListener);
const isPositive: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value > 0;
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    words.includes(value as string);
const has =
  (...methods: string[]): Check =>
  (value) =>
    isObject(value) && methods.every((method) => isFunction((value as Record<string, unknown>)[method]));

type Table<T> = Readonly<Record<keyof T & string, readonly [check: Check, wanted: string]>>;

const CODE_MODE: Table<CodeModeOptions> = {
  tools: [(value) => isObject(value) || isFunction(value), 'an array or record of tools, or a function that gives one'],
  select: [(value) => isObject(value) || isFunction(value), 'a function or { include, exclude, maxRisk }'],
  policy: [Array.isArray, 'an array of rules'],
  onToolCall: [isFunction, 'a function'],
  trust: [isFunction, 'a function'],
  limits: [isObject, 'an object of limits'],
  discovery: [oneOf('auto', 'search', 'inline'), "'auto', 'search' or 'inline'"],
  discoveryBudget: [isPositive, 'a positive number of tokens'],
  state: [oneOf('run', 'session'), "'run' or 'session'"],
  onToolFailure: [oneOf('throw', 'stop'), "'throw' or 'stop'"],
  maxRetries: [(value) => Number.isInteger(value) && (value as number) >= 0, 'a whole number'],
  approvalTimeoutMs: [isPositive, 'a positive number of milliseconds'],
  plan: [oneOf('off', 'ask'), "'off' or 'ask'"],
  grants: [has('load', 'save', 'remove'), 'a store of permissions with `load`, `save` and `remove`'],
  executor: [has('execute', 'analyze', 'warmUp'), 'an executor'],
  storage: [has('open', 'list', 'delete'), 'a journal storage'],
  redactErrors: [isBoolean, 'true or false'],
  clock: [has('now', 'schedule'), 'a clock with `now` and `schedule`'],
  warmUp: [oneOf('never', 'idle', 'mount'), "'never', 'idle' or 'mount'"],
};

const SESSION: Table<SessionOptions> = {
  id: [isText, 'a non-empty text'],
  tools: CODE_MODE.tools,
  context: [() => true, 'anything'],
  policy: CODE_MODE.policy,
  signal: [isSignal, 'an AbortSignal'],
};

const RUN: Table<RunOptions> = {
  id: [isText, 'a non-empty text'],
  title: [(value) => typeof value === 'string', 'a text'],
  signal: [isSignal, 'an AbortSignal'],
  context: [() => true, 'anything'],
  restart: [isBoolean, 'true or false'],
  preflight: [isBoolean, 'true or false'],
  plan: CODE_MODE.plan,
};

/** @throws InvalidOptionsError `invalid_options` naming the option */
export function checkCodeModeOptions(options: unknown): asserts options is CodeModeOptions {
  check('createCodeMode', CODE_MODE, options);
  const { tools, limits, policy } = options as CodeModeOptions;
  if (tools === undefined) throw invalid('createCodeMode', 'tools', 'is missing: give at least an empty array');
  resolveLimits(limits);
  checkRules('createCodeMode', policy);
}

/** @throws InvalidOptionsError `invalid_options` naming the option */
export function checkPartialOptions(options: unknown): void {
  check('update', CODE_MODE, options);
  const { limits, policy } = options as Partial<CodeModeOptions>;
  resolveLimits(limits);
  checkRules('update', policy);
}

export function checkSessionOptions(options: unknown): void {
  check('session', SESSION, options);
  checkRules('session', (options as SessionOptions).policy);
}

export function checkRunOptions(code: unknown, options: unknown): void {
  if (typeof code !== 'string') {
    throw new InvalidOptionsError(
      'invalid_options',
      `run: the program must be a text, it is ${kindOf(code)}. Pass the source code as a string.`,
      { path: 'code' },
    );
  }
  check('run', RUN, options);
}

/** The defaults with the given limits over them. @throws InvalidOptionsError for an unknown limit or one that is no positive number */
export function resolveLimits(limits: Partial<Limits> | undefined): Limits {
  for (const [name, value] of Object.entries(limits ?? {})) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      throw invalid('limits', `limits.${name}`, `is unknown. Known: ${Object.keys(DEFAULT_LIMITS).join(', ')}`);
    if (value !== undefined && !isPositive(value))
      throw invalid(
        'limits',
        `limits.${name}`,
        `must be a positive number, it is ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`,
      );
  }
  const given = Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_LIMITS, ...given };
}

function check<T>(where: string, table: Table<T>, options: unknown): void {
  if (!isObject(options))
    throw new InvalidOptionsError('invalid_options', `${where}: options must be an object, they are ${kindOf(options)}.`, {
      path: '',
    });
  for (const [name, value] of Object.entries(options as object)) {
    const known = Object.hasOwn(table, name) ? table[name as keyof T & string] : undefined;
    if (!known) throw invalid(where, name, `is unknown. Known: ${Object.keys(table).join(', ')}`);
    if (value !== undefined && !known[0](value)) throw invalid(where, name, `must be ${known[1]}, it is ${kindOf(value)}`);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : typeof value;
}
