import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Validation } from './catalog.ts';
import { loadCatalogRuntime } from './load-catalog-runtime.ts';
import { compileSchema, issuesText } from './validation.ts';

// As in a run, where it is loaded before anything is judged.
await loadCatalogRuntime();

const check = (schema: unknown, value: unknown): Validation => compileSchema(schema, 'input').validate(value) as Validation;
const said = (schema: unknown, value: unknown): string[] => {
  const result = check(schema, value);
  return result.ok ? [] : result.issues.map((issue) => issue.message);
};
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('what a model reads about a wrong input', () => {
  const order = object(
    {
      currency: { type: 'string' },
      lines: { type: 'array', items: object({ sku: { type: 'string' }, qty: { type: 'number' } }, { required: ['sku', 'qty'] }) },
    },
    { required: ['currency', 'lines'] },
  );

  it('is every problem with its path, the deepest first, without wrappers', () => {
    expect(said(order, { lines: [{ sku: 'a', qty: 1 }, { sku: 'b', qty: '2' }, {}] })).toEqual([
      'lines[1].qty must be number, got string',
      'lines[2].sku is required',
      'lines[2].qty is required',
      'currency is required',
    ]);
    expect(check(order, { lines: [], currency: 5 })).toEqual({
      ok: false,
      issues: [{ path: ['currency'], message: 'currency must be string, got number' }],
    });
    expect(said(order, 'EUR')).toEqual(['the input must be object, got string']);
  });

  it.each([
    [
      'an unknown field, with the one that was meant',
      object({ query: {} }, { additionalProperties: false }),
      { qurey: 1 },
      ['qurey is not a known field; did you mean "query"?'],
    ],
    [
      'an unknown field, with all that exist',
      object({ query: {}, limit: {} }, { additionalProperties: false }),
      { kind: 1 },
      ['kind is not a known field; known fields: query, limit'],
    ],
    [
      'an unknown field of a part',
      object({ a: object({ b: {} }, { additionalProperties: false }) }),
      { a: { 'x y': 1 } },
      ['a["x y"] is not a known field; known fields: b'],
    ],
    ['an enumeration', object({ sort: { enum: ['asc', 'desc'] } }), { sort: 'ascending' }, ['sort must be one of "asc", "desc"']],
    [
      'a long enumeration, with a guess',
      object({ c: { enum: Array.from({ length: 40 }, (_, i) => `colour-${i}`) } }),
      { c: 'colour_7' },
      [expect.stringMatching(/^c must be one of "colour-0".* and 28 more; did you mean "colour-7"\?$/)],
    ],
    [
      'limits',
      object({ a: { minimum: 1 }, b: { maximum: 2 }, c: { exclusiveMinimum: 0 }, d: { multipleOf: 5 } }),
      { a: 0, b: 3, c: 0, d: 3 },
      ['a must be at least 1', 'b must be at most 2', 'c must be greater than 0', 'd must be a multiple of 5'],
    ],
    [
      'lengths',
      object({ a: { minLength: 1 }, b: { maxItems: 1 }, c: { minItems: 2 } }),
      { a: '', b: [1, 2], c: [] },
      ['a must have at least 1 character', 'b must have at most 1 item', 'c must have at least 2 items'],
    ],
    [
      'a format, with an example',
      object({ d: { format: 'date' } }),
      { d: '31.1.2026' },
      ['d must be a valid date, like 2026-01-31'],
    ],
    ['a pattern', object({ d: { pattern: '^[a-z]+$' } }), { d: 'A' }, ['d must match the pattern ^[a-z]+$']],
    ['equal items', object({ d: { uniqueItems: true } }), { d: [1, 2, 1] }, ['d must not have equal items (0 and 2)']],
    [
      'a choice of types',
      object({ d: { anyOf: [{ type: 'number' }, { type: 'null' }] } }),
      { d: 'x' },
      ['d must be number or null, got string'],
    ],
    [
      'the form that its tag says',
      {
        oneOf: [
          object({ kind: { const: 'card' }, number: { type: 'string' } }, { required: ['kind', 'number'] }),
          object({ kind: { const: 'iban' }, iban: { type: 'string' } }, { required: ['kind', 'iban'] }),
        ],
      },
      { kind: 'card', iban: 'x' },
      ['number is required'],
    ],
    [
      'a tag that fits no form',
      {
        oneOf: [
          object({ kind: { const: 'card' } }, { required: ['kind'] }),
          object({ kind: { const: 'iban' } }, { required: ['kind'] }),
        ],
      },
      { kind: 'cash' },
      ['kind must be one of "card", "iban"'],
    ],
    [
      'two forms that fit',
      { oneOf: [object({ a: {} }), object({ b: {} })] },
      {},
      ['the input fits more than one of the allowed forms; it must fit exactly one'],
    ],
    ['a field that needs another', { dependentRequired: { a: ['b'] } }, { a: 1 }, ['b is required together with a']],
    ['a field that is forbidden', object({ a: false }), { a: 1 }, ['a is not allowed']],
    [
      'a field name',
      { propertyNames: { pattern: '^[a-z]$' } },
      { AB: 1 },
      ['the input has a field name that is not allowed: "AB"'],
    ],
    [
      'a list without what it must contain',
      { properties: { a: { contains: { type: 'number' } } } },
      { a: ['x', 'y'] },
      ['a has no item of the form it must contain'],
    ],
    [
      'a reference',
      { properties: { a: { $ref: '#/$defs/P' } }, $defs: { P: object({ n: { type: 'integer' } }) } },
      { a: { n: 1.5 } },
      ['a.n must be integer, got number'],
    ],
  ])('names %s', (_what, schema, value, expected) => {
    expect(said(schema, value)).toEqual(expected);
  });

  it('is at most a handful of problems', () => {
    const issues = said(
      { type: 'array', items: { type: 'number' } },
      Array.from({ length: 100 }, () => 'x'),
    );
    expect(issues).toHaveLength(9);
    expect(issues.at(-1)).toBe('and 92 more problems');
  });

  it('never holds the value, which may be a secret', () => {
    const result = check(object({ a: { type: 'number' }, b: { pattern: '^x$' }, c: { const: 1 }, d: { format: 'email' } }), {
      a: 'sesame',
      b: 'sesame',
      c: 'sesame',
      d: 'sesame',
    });
    expect(result.ok ? '' : issuesText(result.issues)).not.toContain('sesame');
  });
});

describe('values that JSON lacks', () => {
  it('leaves fields out whose value is undefined, and fills no defaults in', () => {
    const schema = object({ q: { type: 'string' }, limit: { type: 'integer', default: 30 } }, { required: ['q'] });
    expect(check(schema, { q: 'a', limit: undefined })).toEqual({ ok: true, value: { q: 'a' } });
    expect(Object.keys((check(schema, { q: 'a', limit: undefined }) as { value: object }).value)).toEqual(['q']);
    expect(said(schema, { q: undefined })).toEqual(['q is required']);
  });

  it('turns a Date into text and a BigInt into a number where the schema wants them, and only there', () => {
    const day = new Date('2026-01-31T00:00:00Z');
    const schema = object({
      at: { type: 'string', format: 'date-time' },
      'a b%/~': { type: 'string' },
      n: { type: ['integer', 'null'] },
      any: {},
    });
    expect(check(schema, { 'a b%/~': day })).toEqual({ ok: true, value: { 'a b%/~': day.toISOString() } });
    expect(check(schema, { at: day, n: 5n, any: [day, 5n] })).toEqual({
      ok: true,
      value: { at: day.toISOString(), n: 5, any: [day, 5n] },
    });
    expect(said(schema, { n: 2n ** 70n })).toEqual(['n must be integer or null, got BigInt']);
    expect(said(schema, { at: new Date(Number.NaN) })).toEqual(['at must be string, got Date']);
  });

  it.each([
    ['Map', new Map([['amount', 1e9]])],
    ['Set', new Set([1])],
    ['Error', Object.assign(new Error('x'), { amount: 1e9 })],
    ['Date', new Date(0)],
    ['RegExp', /x/],
    ['Uint8Array', new Uint8Array(2)],
    ['BigInt', 5n],
  ])('does not take a %s for a plain object, so that nothing hides in it', (word, value) => {
    expect(said(object({ amount: { type: 'number', maximum: 100 } }), value)).toEqual([
      `the input must be a plain object, got ${word}`,
    ]);
    expect(said({ properties: { amount: { maximum: 100 } } }, value)).toEqual([`the input must be a plain object, got ${word}`]);
    expect(check({}, value)).toEqual({ ok: true, value });
    expect(check(object({ a: {} }), { a: value })).toEqual({ ok: true, value: { a: value } });
  });

  it('knows NaN and Infinity from numbers', () => {
    for (const n of [Number.NaN, Infinity, -Infinity])
      expect(said(object({ n: { type: 'number' } }), { n })).toEqual([`n must be number, got ${n}`]);
    for (const n of [Infinity, Number.NaN]) expect(said(object({ n: { type: 'integer' } }), { n })).toHaveLength(1);
  });

  it('accepts cycles where everything is allowed, and refuses them where a schema would never end', () => {
    const cycle: Record<string, unknown> = { v: 1 };
    cycle.self = cycle;
    expect(check({}, cycle)).toEqual({ ok: true, value: cycle });
    expect(said(object({ self: { $ref: '#' } }), cycle)).toEqual(['self must be a plain object, got cycle']);
  });

  it('takes __proto__ for a field like any other', () => {
    const value = JSON.parse('{"__proto__":{"admin":true},"a":1}') as unknown;
    expect(said(object({ a: {} }, { additionalProperties: false }), value)).toEqual([
      '__proto__ is not a known field; known fields: a',
    ]);
    const kept = check(object({ a: {} }), JSON.parse('{"__proto__":{"admin":true},"a":1}')) as { value: object };
    expect(Object.keys(kept.value)).toContain('__proto__');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('hostile values', { timeout: 120_000 }, () => {
  // Without the bounds each of these takes minutes to for ever; with them under a second on a quiet machine.
  const quickly = (work: () => void, ms = 30_000) => {
    const started = performance.now();
    work();
    expect(performance.now() - started).toBeLessThan(ms);
  };

  it('cannot keep the page busy with distinct items, a URL or shared parts', () => {
    quickly(() =>
      expect(check(object({ a: { uniqueItems: true } }), { a: Array.from({ length: 300_000 }, (_, i) => i) }).ok).toBe(false),
    );
    quickly(() => expect(check(object({ u: { format: 'url' } }), { u: `http://${'a'.repeat(60)}!` }).ok).toBe(true));
    let shared: unknown = 1;
    for (let i = 0; i < 60; i++) shared = [shared, shared];
    quickly(() => expect(check({}, shared).ok).toBe(false));
  });

  it.each(['allOf', 'anyOf', 'oneOf'])('is not kept busy by references that meet again and again in %s', (keyword) => {
    const defs: Record<string, unknown> = { d40: { type: 'object' } };
    for (let i = 0; i < 40; i++) defs[`d${i}`] = { [keyword]: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
    quickly(() => check({ $ref: '#/$defs/d0', $defs: defs }, keyword === 'anyOf' ? 1 : {}));
    let deep: unknown = 1;
    for (let i = 0; i < 40; i++) deep = { n: deep };
    const again = { properties: { n: { $ref: '#' } } };
    quickly(() => check({ [keyword]: [again, again, { type: 'string' }] }, deep));
  });

  it('judges a large value in alternatives to its end', () => {
    const branch = (kind: string): object =>
      object({ kind: { const: kind }, n: { type: 'number' } }, { required: ['kind', 'n'] });
    const kinds = Array.from({ length: 30 }, (_, i) => `k${i}`);
    const items = Array.from({ length: 2_000 }, (_, i) => ({ kind: kinds[i % 30], n: i }));
    expect(check({ type: 'array', items: { oneOf: kinds.map(branch) } }, items).ok).toBe(true);
  });

  it('cannot make the list of problems endless', () => {
    quickly(() =>
      expect(
        check(object({ a: { type: 'array', items: { type: 'number' } } }), { a: Array.from({ length: 300_000 }, () => 'x') }).ok,
      ).toBe(false),
    );
    quickly(() =>
      expect(check(object({ a: { contains: { type: 'number' } } }), { a: Array.from({ length: 300_000 }, () => 'x') }).ok).toBe(
        false,
      ),
    );
  });

  it('are refused, not waved through, when they are too deep to be checked', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 100_000; i++) deep = { next: deep };
    expect(check(object({ next: { $ref: '#' } }), deep)).toMatchObject({ ok: false });
  });
});

const anySchema = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      { type: 'string' },
      { type: 'integer' },
      { type: 'null' },
      { enum: ['a', 1, null] },
      { const: [1] },
      { minLength: 2 },
      { type: ['number', 'boolean'] },
      { maximum: 3 },
      {},
    ),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
      required: fc.subarray(['a', 'b']),
      additionalProperties: fc.boolean(),
    }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), maxItems: fc.constantFrom(1, 3) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('schema') }),
  ),
})).schema;

describe('validation', () => {
  it('judges JSON as the validator does on the schema as it was written, and always says why (property)', () => {
    fc.assert(
      fc.property(anySchema, fc.jsonValue({ maxDepth: 3 }), (schema, value) => {
        const expected = new Validator(structuredClone(schema), '2020-12').validate(value).valid;
        const result = check(schema, value);
        expect(result.ok).toBe(expected);
        if (result.ok) expect(result.value).toBe(value);
        else for (const issue of result.issues) expect(issue.message.length).toBeGreaterThan(5);
        expect(result.ok || result.issues.length > 0).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
