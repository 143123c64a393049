/** Globals that programs expect beside the language. What is bigger than a few lines loads when it is first used. */
import { decode, encode } from '../../src/protocol/codec.ts';
import { isSerializationError, makeError, placeOf } from './errors.ts';
import { extra } from './host.ts';
import { define, defineProperty } from './primordials.ts';
import { here } from './report.ts';
import { maxDepth, maxResultBytes } from './run.ts';

/** A global that is made at its first use. Assigning to it replaces it. */
function lazy(name: string, part: string): void {
  defineProperty(globalThis, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get: () => {
      const value = extra<Record<string, unknown>>(part)[name];
      define(globalThis, name, value);
      return value;
    },
    set: (value: unknown) => define(globalThis, name, value),
  } as PropertyDescriptor);
}

/** A method that the Intl part answers. */
function localized(prototype: object, name: string, key: string): void {
  const method = {
    [name](this: unknown, ...args: unknown[]): unknown {
      return extra<Record<string, (self: unknown, args: unknown[]) => unknown>>('intl')[key]!(this, args);
    },
  }[name];
  define(prototype, name, method);
}

function structuredClone(value: unknown): unknown {
  try {
    return decode(encode(value, { maxDepth, maxBytes: maxResultBytes, bytesLimit: 'maxResultBytes', dropUndefined: false }));
  } catch (error) {
    if (!isSerializationError(error)) throw error;
    throw makeError(error.code, 'TypeError', `structuredClone: ${error.message}`, 0, '', here(), placeOf(error));
  }
}

export function installGlobals(): void {
  define(globalThis, 'structuredClone', structuredClone);
  for (const name of ['TextEncoder', 'TextDecoder', 'atob', 'btoa']) lazy(name, 'text');
  for (const name of ['URL', 'URLSearchParams']) lazy(name, 'url');
  for (const name of ['AbortController', 'AbortSignal', 'Event', 'EventTarget', 'CustomEvent', 'DOMException'])
    lazy(name, 'events');
  lazy('Intl', 'intl');
  localized(Number.prototype, 'toLocaleString', 'number');
  localized(BigInt.prototype, 'toLocaleString', 'number');
  localized(Date.prototype, 'toLocaleString', 'date');
  localized(Date.prototype, 'toLocaleDateString', 'dateOnly');
  localized(Date.prototype, 'toLocaleTimeString', 'timeOnly');
  localized(Array.prototype, 'toLocaleString', 'list');
  localized(String.prototype, 'localeCompare', 'compare');
  define(Array, 'fromAsync', fromAsync);
}

/** `Array.fromAsync`, which this engine lacks. */
async function fromAsync(items: any, map?: (item: unknown, index: number) => unknown, self?: unknown): Promise<unknown[]> {
  const list: unknown[] = [];
  let index = 0;
  const add = async (item: unknown): Promise<void> => {
    const value = await item;
    define(list, index, map ? await map.call(self, value, index) : value, true);
    index++;
  };
  if (items[Symbol.asyncIterator] || items[Symbol.iterator]) for await (const item of items) await add(item);
  else for (let i = 0; i < items.length; i++) await add(items[i]);
  return list;
}
