/** The codec inside the real engine, after a hostile program had its way with every prototype. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import fc from 'fast-check';
import { newQuickJSWASMModuleFromVariant, type QuickJSContext } from 'quickjs-emscripten-core';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { decode, encode } from './codec.ts';

vi.setConfig({ testTimeout: 90_000 });

let library: string;
const engine = await newQuickJSWASMModuleFromVariant(variant);

beforeAll(async () => {
  const bundle = await rolldown({ input: new URL('./codec.ts', import.meta.url).pathname, platform: 'neutral' });
  const { output } = await bundle.generate({ format: 'iife', name: 'codec' });
  await bundle.close();
  library = output[0].code.replace(/^var codec/, 'globalThis.codec');
});

/** Runs `body` with `codec` and `text` in a fresh engine; gives what it returns as a string. */
function inGuest(body: string, text = 'null'): string {
  const runtime = engine.newRuntime();
  runtime.setMaxStackSize(128 * 1024);
  const context: QuickJSContext = runtime.newContext();
  try {
    context.unwrapResult(context.evalCode(library, 'codec.js')).dispose();
    const handle = context.newString(text);
    context.setProp(context.global, 'text', handle);
    handle.dispose();
    const result = context.evalCode(`(() => { ${body} })()`, 'test.js');
    if (result.error) {
      const error: unknown = context.dump(result.error);
      result.error.dispose();
      throw new Error(JSON.stringify(error));
    }
    const value = context.getString(result.value);
    result.value.dispose();
    return value;
  } finally {
    context.dispose();
    runtime.dispose();
  }
}

/** Replaces every method, static and iterator a program can reach, by one that throws. Works with what it took before. */
const SPOIL = `
  const { defineProperty, getPrototypeOf } = Object, { ownKeys } = Reflect;
  const evil = () => { throw 'a spoiled method was called' };
  const targets = [Array, Map, Set, Date, RegExp, String, Number, BigInt, Boolean, ArrayBuffer, DataView, Uint8Array, getPrototypeOf(Uint8Array), Error, TypeError, Promise].flatMap((each) => [each, each.prototype])
    .concat(JSON, Reflect, Object, getPrototypeOf([][Symbol.iterator]()), Function.prototype);
  const jobs = targets.flatMap((target) => ownKeys(target).map((name) => [target, name]))
    // An error's own words are data that is read on purpose.
    .filter(([, name]) => !['prototype', 'constructor', 'length', 'name', 'message', 'caller', 'arguments'].includes(name));
  const globals = ['Map', 'Set', 'Date', 'RegExp', 'Error', 'TypeError', 'BigInt', 'Uint8Array', 'Int16Array', 'DataView', 'ArrayBuffer', 'JSON', 'Object', 'Array', 'String', 'Symbol'];
  let i = 0;
  const own = (descriptor) => { descriptor.__proto__ = null; return descriptor; };
  const list = [].__proto__, plain = {}.__proto__;
  for (; i < jobs.length; i++) { const target = jobs[i][0], name = jobs[i][1]; try { defineProperty(target, name, own({ value: evil, writable: true, configurable: true })); } catch {} }
  for (i = 0; i < globals.length; i++) globalThis[globals[i]] = evil;
  for (i = 0; i < 20; i++) defineProperty(list, i, own({ get: evil, set: evil }));
  defineProperty(plain, 'get', own({ value: evil, writable: true }));
  defineProperty(plain, 'toJSON', own({ value: evil, writable: true }));
`;

const rich = (): unknown => {
  const shared = { s: 'x\0\ud800', big: 12345678901234567890n };
  const cycle: Record<string, unknown> = { shared, again: shared, $t: 'data' };
  cycle.self = cycle;
  return [
    cycle,
    new Map<unknown, unknown>([
      ['k', new Set([1, -0, NaN])],
      [shared, /a/gi],
    ]),
    new Date(7),
    new Date(NaN),
    new Int16Array([-1, 2]),
    new DataView(new ArrayBuffer(3)),
    new TypeError('t', { cause: new Error('c') }),
    Object.assign(new Array<unknown>(3), { 0: 1, 2: undefined }),
    2n ** 2000n,
  ];
};

describe('the codec in the sandbox', () => {
  it('reads and writes the same texts as on the page', () => {
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.constantFrom(undefined, null, NaN, -0, true),
      fc.bigInt(),
      fc.date(),
      fc.uint8Array(),
      fc.constantFrom(/x/g),
    );
    const value = fc.letrec<{ v: unknown }>((tie) => ({
      v: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('v'), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: 'binary' }), tie('v'), { maxKeys: 4 }),
        fc.array(fc.tuple(tie('v'), tie('v')), { maxLength: 3 }).map((all) => new Map(all)),
        fc.array(tie('v'), { maxLength: 3 }).map((all) => new Set(all)),
      ),
    })).v;
    const texts = fc.sample(value, 200).map((each) => encode(each));
    const back = inGuest(
      'return JSON.stringify(JSON.parse(text).map((each) => codec.encode(codec.decode(each))))',
      JSON.stringify(texts),
    );
    expect(JSON.parse(back)).toEqual(texts);
    const text = encode(rich());
    expect(inGuest('return codec.encode(codec.decode(text))', text)).toBe(text);
  });

  it('works unchanged after a program replaced every built-in', () => {
    const text = encode(rich());
    expect(
      inGuest(
        `const evaluate = codec.encode, read = codec.decode; ${SPOIL} try { return evaluate(read(text)) } catch (e) { return 'failed ' + e.message + e.stack }`,
        text,
      ),
    ).toBe(text);
    expect(inGuest(`const evaluate = codec.encode; ${SPOIL} return evaluate({ a: [1, 'x', { b: null }] })`)).toBe(
      '{"a":[1,"x",{"b":null}]}',
    );
  });

  it('names the path of what cannot cross, also then', () => {
    const body = `const { encode: write } = codec; const rows = [1, { done: async () => {}, later: (async () => 1)() }]; delete rows[1].done; const bad = new WeakMap(); SPOILED try { return write({ 'a b': { rows } }) } catch (e) { return e.code + ' ' + e.path + ' ' + e.message }`;
    for (const spoil of ['', SPOIL])
      expect(inGuest(body.replace('SPOILED', spoil))).toMatch(/^serialization_error \$\["a b"\]\.rows\[1\]\.later .*`await`/);
  });

  it('crosses the deepest allowed value on the sandbox’s small stack, and refuses one level more', () => {
    for (const make of [
      'value = [value]',
      'value = { k: value }',
      'value = new Map([["k", value]])',
      'value = i % 2 ? new Set([value]) : { $t: value }',
      'value = new Error("e", { cause: value })',
    ]) {
      const build = (levels: number): string => `let value = 1; for (let i = 0; i < ${levels}; i++) ${make};`;
      const text = inGuest(`${build(200)} return codec.encode(value)`);
      expect(encode(decode(text))).toBe(text);
      expect(inGuest('return codec.encode(codec.decode(text))', text)).toBe(text);
      expect(inGuest(`${build(201)} try { return codec.encode(value) } catch (e) { return e.code }`)).toBe('value_too_large');
    }
  });

  it('writes a value whose own code misbehaves, or says where', () => {
    expect(inGuest(`let n = 0; return codec.encode({ get a() { return ++n > 2 ? 1 : n }, d: undefined })`)).toMatch(
      /^\{"a":[12],"d":\{"\$t":"undefined"\}\}$/,
    );
    expect(inGuest(`try { return codec.encode({ x: new Proxy([], { get() { throw 1 } }) }) } catch (e) { return e.path }`)).toBe(
      '$.x',
    );
    expect(
      inGuest(`try { return codec.encode({ get x() { throw { get message() { throw 2 } } } }) } catch (e) { return e.path }`),
    ).toBe('$.x');
  });
});
