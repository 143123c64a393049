import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { decode, encode, isTagged, SerializationError } from './codec.ts';

// Properties over many values; slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const round = (value: unknown): unknown => decode(encode(value));

function failure(value: unknown, options?: Parameters<typeof encode>[1]): SerializationError {
  try {
    encode(value, options);
  } catch (error) {
    if (error instanceof SerializationError) return error;
    throw error;
  }
  throw new Error('encode accepted the value');
}

/** Equal as data, with identity: same kinds, same slots, same sharing, same holes, `-0` apart from `0`. */
function same(a: unknown, b: unknown, seen = new Map<object, object>()): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const known = seen.get(a);
  if (known) return known === b;
  seen.set(a, b);
  if (Object.prototype.toString.call(a) !== Object.prototype.toString.call(b)) return false;
  if (a instanceof Date) return Object.is(a.getTime(), (b as Date).getTime());
  if (a instanceof RegExp) return String(a) === String(b);
  if (a instanceof Map || a instanceof Set) return same([...a], [...(b as Set<unknown>)], seen);
  if (a instanceof ArrayBuffer) return same(new Uint8Array(a), new Uint8Array(b as ArrayBuffer), seen);
  if (a instanceof DataView)
    return same(new Uint8Array(a.buffer, a.byteOffset, a.byteLength), new Uint8Array((b as DataView).buffer), seen);
  if (a instanceof Error) {
    const e = b as Error;
    if (a.name !== e.name || a.message !== e.message || !same(a.cause, e.cause, seen)) return false;
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length || (Array.isArray(a) && a.length !== (b as unknown[]).length)) return false;
  return keys.every((key) => Object.hasOwn(b, key) && same((a as never)[key], (b as never)[key], seen));
}

const key = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('__proto__', '$t', 'v', 'toJSON', 'constructor', 'length', '0', '10', '2', '$$t', 'then'),
);

const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('$t', '"$t"', '{"$t":"ref","v":1}', 'a\0b', '\ud800', '\udc00x', '\u2028'),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, undefined, NaN, Infinity, -Infinity, -0, 0),
  fc.bigInt(),
  fc.bigInt({ min: -(1n << 1100n), max: 1n << 1100n }),
  fc.date({ noInvalidDate: false }),
  fc.constantFrom(/a+b/giu, /[/\]]\//, new RegExp('')),
  fc.uint8Array(),
  fc.int16Array(),
  fc.float64Array(),
  fc.bigInt64Array(),
  fc.uint8Array().map((bytes) => bytes.slice().buffer),
  fc.uint8Array({ minLength: 3 }).map((bytes) => new DataView(bytes.buffer, bytes.byteOffset + 1, 2)),
);

/** Any value that can cross, then a few references from one place to another: sharing and cycles. */
const anything = fc
  .tuple(
    fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5, depthSize: 'small' },
        leaf,
        fc.array(tie('value'), { maxLength: 5 }).map((items) => [...items]),
        fc.array(tie('value'), { maxLength: 5, minLength: 2 }).map((items) => punched([...items])),
        fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((pairs) => record(pairs)),
        fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 4 }).map((pairs) => new Map(pairs)),
        fc.array(tie('value'), { maxLength: 4 }).map((items) => new Set(items)),
        fc
          .tuple(fc.string(), tie('value'), tie('value'))
          .map(([message, cause, code]) => Object.assign(new TypeError(message, { cause }), { code })),
      ),
    })).value,
    fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
  )
  .map(([value, links]) => {
    const containers = collect(value);
    if (containers.length > 0)
      for (const [from, to] of links) link(containers[from % containers.length]!, containers[to % containers.length]!);
    return value;
  });

function punched(items: unknown[]): unknown[] {
  delete items[1];
  return items;
}

function record(pairs: readonly (readonly [string, unknown])[]): object {
  const made = {};
  for (const [name, value] of pairs)
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
  return made;
}

function collect(value: unknown, found: object[] = []): object[] {
  if (typeof value !== 'object' || value === null || found.includes(value)) return found;
  if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype || value instanceof Map || value instanceof Set)
    found.push(value);
  if (value instanceof Map || value instanceof Set) [...value].flat(1).forEach((item) => collect(item, found));
  else if (!ArrayBuffer.isView(value)) Object.values(value).forEach((item) => collect(item, found));
  return found;
}

function link(from: object, to: object): void {
  if (Array.isArray(from)) from.push(to);
  else if (from instanceof Map) from.set(to, from);
  else if (from instanceof Set) from.add(to);
  else (from as Record<string, unknown>).link = to;
}

describe('encode and decode', () => {
  it('bring back every value that can cross, with its identity', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const text = encode(value, { maxDepth: 1000 });
        const back = decode(text);
        expect(same(value, back)).toBe(true);
        // Canonical: what was decoded has the same text again.
        expect(encode(back, { maxDepth: 1000 })).toBe(text);
      }),
      { numRuns: 600 },
    );
  });

  it('write plain data exactly as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), (value) => {
        const json = JSON.stringify(value);
        if (json.includes('"$t"') || /-0[,\]}]|^-?0$/.test(json) || JSON.stringify(JSON.parse(json)) !== json) return;
        fc.pre(!hasNegativeZero(value));
        expect(encode(value)).toBe(json);
      }),
    );
    expect(encode({ a: [1, 'x', true, null], b: { c: 1e21 } })).toBe('{"a":[1,"x",true,null],"b":{"c":1e+21}}');
  });

  it('keep undefined apart from absent and from null', () => {
    expect(round({ a: undefined, b: null })).toEqual({ a: undefined, b: null });
    expect(Object.keys(round({ a: undefined }) as object)).toEqual(['a']);
    expect(round(undefined)).toBe(undefined);
    expect(encode({ q: 'a', limit: undefined }, { dropUndefined: true })).toBe('{"q":"a"}');
    expect(decode(encode([undefined], { dropUndefined: true }))).toEqual([undefined]);
  });

  it('keep __proto__ as a key and touch no prototype', () => {
    const value = JSON.parse('{"__proto__":{"admin":true},"constructor":1,"when":0}') as Record<string, unknown>;
    expect(encode(value)).toBe('{"__proto__":{"admin":true},"constructor":1,"when":0}');
    value.when = new Date(0);
    (Object.getOwnPropertyDescriptor(value, '__proto__')!.value as Record<string, unknown>).at = new Date(1);
    const back = round(value) as object;
    expect(Object.keys(back)).toEqual(['__proto__', 'constructor', 'when']);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(({} as { admin?: boolean }).admin).toBe(undefined);
  });

  it('never take data for a tag', () => {
    for (const value of [{ $t: 'date', v: 0 }, { $t: 1 }, { $t: { $t: 'ref', v: 9 } }, [{ $t: 'undefined', d: new Date(5) }]]) {
      expect(same(round(value), value)).toBe(true);
    }
  });

  it('write shared data once: a graph of 2^40 paths stays small', () => {
    let node: unknown = { leaf: true };
    for (let i = 0; i < 40; i++) node = [node, node];
    const text = encode(node);
    expect(text.length).toBeLessThan(3000);
    const back = decode(text) as unknown[];
    expect(back[0]).toBe(back[1]);
  });

  it('keep an error’s name, message, cause and own data, never its stack', () => {
    class QuotaError extends Error {
      override name = 'QuotaError';
      limit = 5;
      retry = (): void => {};
    }
    const text = encode(new QuotaError('too much', { cause: new RangeError('inner') }));
    expect(text).not.toContain('codec.test');
    const back = decode(text) as QuotaError;
    expect(back).toBeInstanceOf(Error);
    expect({ ...back }).toEqual({ limit: 5 });
    expect([back.name, back.message, (back.cause as Error).name, back.stack]).toEqual([
      'QuotaError',
      'too much',
      'RangeError',
      'QuotaError: too much',
    ]);
    expect((round(new AggregateError([new Error('x')], 'all')) as AggregateError).errors[0]).toBeInstanceOf(Error);
  });

  it('read class instances and objects of other realms as their own data', () => {
    class Point {
      x = 4;
      get y(): number {
        return 9;
      }
    }
    expect(round(new Point())).toEqual({ x: 4 });
    const foreign = runInNewContext(
      '({ when: new Date(7), map: new Map([[1, [2]]]), bytes: new Uint8Array([1, 2]), e: new TypeError("m"), list: [1] })',
    ) as unknown;
    const back = round(foreign) as Record<string, unknown>;
    expect(back).toEqual({
      when: new Date(7),
      map: new Map([[1, [2]]]),
      bytes: new Uint8Array([1, 2]),
      e: new TypeError('m'),
      list: [1],
    });
    expect(back.when).toBeInstanceOf(Date);
    expect(round([new String('s'), new Number(5), Object(true), Object(3n)])).toEqual(['s', 5, true, 3n]);
  });

  it('allow a getter of the value to encode another value', () => {
    const inner = { deep: [1, { x: 'y' }] };
    const value = {
      first: inner,
      get second() {
        return encode({ inner, list: [inner] });
      },
      third: [1, 2],
    };
    expect(decode(encode(value))).toEqual({ first: inner, second: encode({ inner, list: [inner] }), third: [1, 2] });
  });

  it('never call toJSON', () => {
    const called: string[] = [];
    const value = { toJSON: 1, at: new Date(0), nested: { when: new Date(1) } };
    const old = Date.prototype.toJSON;
    Date.prototype.toJSON = () => (called.push('date'), 'no');
    try {
      expect(round(value)).toEqual(value);
    } finally {
      Date.prototype.toJSON = old;
    }
    Object.defineProperty(Object.prototype, 'toJSON', {
      value: () => (called.push('object'), 1),
      configurable: true,
      writable: true,
    });
    try {
      expect(encode({ a: [1] })).toBe('{"a":[1]}');
    } finally {
      delete (Object.prototype as { toJSON?: unknown }).toJSON;
    }
    expect(failure({ a: { toJSON: () => 'x' } }).path).toBe('$.a.toJSON');
    expect(called).toEqual([]);
  });
});

function hasNegativeZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasNegativeZero);
  return Object.is(value, -0);
}

describe('what cannot cross is an error with its path', () => {
  it.each([
    [{ rows: [1, 2, 3, { done: () => 1 }] }, '$.rows[3].done', /function/],
    [{ 'odd key': { a: Symbol('s') } }, '$["odd key"].a', /symbol/],
    [{ id: Promise.resolve(1) }, '$.id', /`await`/],
    [{ id: { __proto__: { then: () => {} } } }, '$.id', /`await`/],
    [[1].map(async (n) => n), '$[0]', /Promise\.all/],
    [new Map([['k', [() => 1]]]), '$.get("k")[0]', /function/],
    [new Set([new WeakMap()]), '$.values[0]', /WeakMap/],
    [{ it: [1].values() }, '$.it', /\[\.\.\.it\]/],
    [{ r: new Response('x') }, '$.r', /Response/],
    [() => 1, '$', /function/],
  ])('%# at %s', (value, path, message) => {
    const error = failure(value);
    expect(error.code).toBe('serialization_error');
    expect(error.path).toBe(path);
    expect(error.message).toMatch(message);
    expect(error.message).toContain(path);
    expect(error.data).toEqual({ path });
  });

  it('names the path when reading throws, whatever is thrown', () => {
    const throwing = (thrown: unknown): object => ({
      get bad(): never {
        throw thrown;
      },
    });
    expect(failure({ list: [throwing(new Error('no access'))] })).toMatchObject({
      code: 'serialization_error',
      path: '$.list[0].bad',
      message: /no access/,
    });
    expect(failure(throwing(throwing(1))).path).toBe('$.bad');
    expect(failure(throwing(null)).path).toBe('$.bad');
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trap');
        },
      },
    );
    expect(failure({ a: { b: proxy } })).toMatchObject({ path: '$.a.b', message: /trap/ });
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(failure({ revoked }).path).toBe('$.revoked');
  });

  it('says which limit a value exceeds, at the limit and one above', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    expect(round(deep(200))).toEqual(deep(200));
    expect(failure(deep(201))).toMatchObject({ code: 'value_too_large', data: { limit: 'maxDepth', value: 200 } });
    expect(encode(deep(3), { maxDepth: 3 })).toBe('[[[1]]]');
    expect(failure(deep(4), { maxDepth: 3 })).toMatchObject({ path: '$[0][0][0]', message: /3 levels/ });
    for (const text of ['abcdef', 'äöü', '€€', '😀x', '\ud800']) {
      const bytes = new TextEncoder().encode(JSON.stringify(text)).length;
      expect(decode(encode(text, { maxBytes: bytes }))).toBe(text);
      expect(failure(text, { maxBytes: bytes - 1 })).toMatchObject({
        code: 'value_too_large',
        data: { limit: 'maxResultBytes', value: bytes - 1 },
      });
    }
    expect(failure({ rows: [new Date(0), 'x'.repeat(50)] }, { maxBytes: 60 }).path).toBe('$.rows[1]');
  });

  it('stops early at sizes nobody could write', () => {
    const started = performance.now();
    expect(failure(new Array(4_000_000_000), { maxBytes: 10_000 }).code).toBe('value_too_large');
    expect(failure({ bytes: new Uint8Array(1e8) }, { maxBytes: 10_000 }).code).toBe('value_too_large');
    const big = 'x'.repeat(1e7);
    expect(failure(new Array(10_000).fill(big), { maxBytes: 1e6 }).code).toBe('value_too_large');
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('decode refuses what no encoder wrote', () => {
  it.each([
    'not json',
    '{"$t":"nope"}',
    '{"$t":5,"v":1}',
    '{"$t":"constructor","v":["constructor",""]}',
    '{"$t":"view","v":["constructor","AAAA"]}',
    '{"$t":"view","v":["Float64Array","AAAA"]}',
    '{"$t":"view","v":["Uint8Array","A"]}',
    '{"$t":"buffer","v":"****"}',
    '{"$t":"ref","v":1}',
    '{"$t":"ref","v":"__proto__"}',
    '{"$t":"def","v":[1]}',
    '{"$t":"map","v":[1]}',
    '{"$t":"set","v":{"length":4294967295}}',
    '{"$t":"date","v":"now"}',
    '{"$t":"regexp","v":["(","g"]}',
    '{"$t":"regexp","v":["a","zz"]}',
    '{"$t":"bigint","v":"1e5"}',
    '{"$t":"bigint","v":""}',
    `{"$t":"bigint","v":"${'9'.repeat(400)}"}`,
    '{"$t":"error","v":{"name":1,"message":"m","data":{}}}',
    '{"$t":"object","v":[1]}',
  ])('%s', (text) => {
    expect(() => decode(text)).toThrow(SerializationError);
  });

  it('answers any tagged text with a value or a SerializationError', () => {
    const tags = fc.constantFrom(
      'undefined',
      'hole',
      'number',
      'bigint',
      'date',
      'regexp',
      'map',
      'set',
      'error',
      'buffer',
      'view',
      'ref',
      'def',
      'object',
      'x',
    );
    const tagged = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(1, 'a', null, 'Int8Array', 'AAAA', 'NaN'),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.record({ $t: tags, v: tie('node') }),
        fc.record({ name: tie('node'), message: tie('node'), data: tie('node') }),
      ),
    })).node;
    fc.assert(
      fc.property(tagged, (node) => {
        try {
          decode(JSON.stringify(node));
        } catch (error) {
          expect(error).toBeInstanceOf(SerializationError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('bounds depth and size of a hostile text, and survives one deeper than the stack', () => {
    const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(decode(nest(200), { maxDepth: 200 })).toBeInstanceOf(Array);
    expect(() => decode(nest(201), { maxDepth: 200 })).toThrow(/200 levels/);
    expect(decode('"[[[[[[ \\" [[["', { maxDepth: 2 })).toBe('[[[[[[ " [[[');
    expect(() => decode('"abc"', { maxBytes: 4 })).toThrow(/4 bytes/);
    expect(() => decode(`[{"$t":"date","v":0},${nest(300_000)}]`)).toThrow(SerializationError);
    // The deepest value that encode allows passes, whatever it is made of.
    let value: unknown = new Error('x');
    for (let i = 0; i < 198; i++) value = i % 2 ? new Map([['k', value]]) : { $t: value };
    expect(same(decode(encode([value, value]), { maxDepth: 200 }), [value, value])).toBe(true);
  });

  it('marks only texts with tags as tagged', () => {
    expect(isTagged(encode({ t: 'plain', $: 1 }))).toBe(false);
    expect(isTagged(encode([undefined]))).toBe(true);
    expect(decode(encode([undefined]), { tagged: true })).toEqual([undefined]);
    expect(decode('[1]', { tagged: false })).toEqual([1]);
  });
});

describe('bytes', () => {
  it('have the base64 text of every other encoder, at every length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(encode(bytes)).toBe(`{"$t":"view","v":["Uint8Array","${Buffer.from(bytes).toString('base64')}"]}`);
      }),
    );
    const long = Uint8Array.from({ length: 100_001 }, (_, i) => i * 31);
    expect(decode(encode(long))).toEqual(long);
    expect(encode(long)).toContain(Buffer.from(long).toString('base64'));
  });
});
