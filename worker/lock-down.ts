/**
 * Takes from this realm what the sandbox does not need, so that a program that broke out of the engine finds nothing to
 * reach out with. Deny by default: what is not on a list goes, wherever on the prototype chain it sits.
 *
 * Runs after the modules have captured what they use and before the first program. `import()` is syntax and stays; the
 * Content Security Policy of the worker file's own response closes it (docs: security). In Node this is tidiness, no
 * boundary: threads share the process.
 */
import { KEPT_GLOBALS, KEPT_PROCESS } from './lock-down-lists.ts';

type Key = string | symbol;
type Keep = (key: Key) => boolean;

/** @returns what could not be removed, for the test that knows which few those are */
export function lockDown(): readonly string[] {
  const scope = globalThis as unknown as Record<string, unknown>;
  const left: string[] = [];
  const { navigator, process } = scope;
  strip(navigator, nothing, left);
  strip(process, (key) => typeof key === 'string' && KEPT_PROCESS.has(key), left);
  closeFunctionConstructors();
  silenceConsole(scope);
  dropStatics(scope);
  closeTimers(scope);
  strip(scope, (key) => (typeof key === 'symbol' ? key === Symbol.toStringTag : KEPT_GLOBALS.has(key)), left);
  return left;
}

const nothing: Keep = () => false;

/** Own and inherited members alike, down to `Object.prototype`, which belongs to everybody. */
function strip(target: unknown, keep: Keep, left: string[]): void {
  for (let object = target; isObject(object) && object !== Object.prototype; object = Object.getPrototypeOf(object)) {
    for (const key of Reflect.ownKeys(object)) {
      if (!keep(key) && !remove(object, key)) left.push(String(key));
    }
  }
}

/** Deletes; where that is refused, at least empties. */
function remove(object: object, key: Key): boolean {
  if (Reflect.deleteProperty(object, key)) return true;
  return Reflect.defineProperty(object, key, { value: undefined, writable: false, enumerable: false });
}

/** Code from text: `eval`, `Function` and its three relatives, which are reachable from any function. */
function closeFunctionConstructors(): void {
  const kinds = [function () {}, async function () {}, function* () {}, async function* () {}];
  const closed = function (): never {
    throw new TypeError('Code from text is not available in this worker.');
  };
  for (const kind of kinds) {
    const prototype: object = Object.getPrototypeOf(kind);
    Reflect.defineProperty(prototype, 'constructor', { value: closed, writable: false, enumerable: false, configurable: false });
  }
}

/** Libraries may still call it; nothing comes out. */
function silenceConsole(scope: Record<string, unknown>): void {
  const quiet = (): void => {};
  const console = Object.freeze({ log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet, trace: quiet });
  Reflect.defineProperty(scope, 'console', { value: console, writable: false, enumerable: false, configurable: false });
}

/** In a web worker a timer with text instead of a function is `eval` by another name. */
function closeTimers(scope: Record<string, unknown>): void {
  const schedule = (scope.setTimeout as typeof setTimeout).bind(scope);
  const setTimeout = (callback: unknown, ms?: number): unknown => {
    if (typeof callback === 'function') return schedule(callback as () => void, ms);
    throw new TypeError('Code from text is not available in this worker.');
  };
  for (let object: object = scope; object !== Object.prototype; object = Object.getPrototypeOf(object)) {
    Reflect.deleteProperty(object, 'setTimeout');
  }
  Reflect.defineProperty(scope, 'setTimeout', { value: setTimeout, writable: false, enumerable: false, configurable: false });
}

/** Kept classes with one member too many. */
function dropStatics(scope: Record<string, unknown>): void {
  for (const name of ['createObjectURL', 'revokeObjectURL']) if (isObject(scope.URL)) remove(scope.URL, name);
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
