/** The way from guest to host. `$powers` is the parameter of the function that the bundle is wrapped in. */
import { evaluate, mapGet, mapSet, NativeMap, parseJson, quote } from './primordials.ts';
import { ASK } from './ops.ts';

declare const $powers: { (op: number): number; (op: number, text: string): string };

export function now(): number {
  return $powers(ASK.now);
}

/** Bytes of an encoded text in UTF-8: a loop here takes half a microsecond a character. */
export function byteLength(text: string): number {
  return $powers(ASK.bytes, text) as unknown as number;
}

/** Asks with JSON, gives what the JSON of the answer says. */
export function ask(op: number, request: string): any {
  return parseJson($powers(op, request));
}

const loaded = new NativeMap<string, unknown>();

/** Powers of an extra: what it may ask of the host. It must hand them to no function that guest code can replace. */
export interface ExtraPowers {
  ask(op: number, request: string): any;
  now(): number;
}

/** A part that costs nothing until a program uses it. Loading it may fail for want of stack or memory: then the next use tries again. */
export function extra<T>(name: string): T {
  const known = mapGet(loaded, name) as T | undefined;
  if (known !== undefined) return known;
  const load = evaluate($powers(ASK.extra, quote(name))) as () => (powers: ExtraPowers) => T;
  const made = load()({ ask, now });
  mapSet(loaded, name, made);
  return made;
}
