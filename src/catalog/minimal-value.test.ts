import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonValidator } from './json-validator.ts';
import { minimalValue } from './minimal-value.ts';
import { normalizeSchema } from './normalize-schema.ts';
import { textForPattern } from './pattern-text.ts';
import type { JsonSchema } from './tool.ts';

const made = (schema: unknown): unknown => {
  const normal = normalizeSchema(schema);
  const found = minimalValue(normal);
  if (found) expect(createJsonValidator(normal)(found.value)).toMatchObject({ ok: true });
  return found ? found.value : 'nothing';
};

describe('the smallest value of a schema', () => {
  it.each<[unknown, unknown]>([
    [true, {}],
    [{}, {}],
    [{ type: 'object' }, {}],
    [{ type: 'string' }, ''],
    [{ type: ['null', 'integer'] }, 0],
    [{ const: { a: [1] } }, { a: [1] }],
    [{ enum: ['open', 'closed'] }, 'open'],
    [{ type: 'string', default: 'x', minLength: 1 }, 'x'],
    [{ type: 'string', default: '', minLength: 2, examples: ['ab'] }, 'ab'],
    [{ type: 'integer', minimum: 3 }, 3],
    [{ type: 'integer', exclusiveMinimum: 3, multipleOf: 5 }, 5],
    [{ type: 'number', maximum: -0.5 }, -0.5],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.1 }, 0.05],
    [
      { type: 'object', required: ['id', 'n'], properties: { id: { type: 'string', minLength: 2 }, other: { type: 'null' } } },
      { id: 'aa', n: null },
    ],
    [{ type: 'object', minProperties: 1, properties: { a: { type: 'boolean' } } }, { a: false }],
    [
      { type: 'object', required: ['a'], dependentRequired: { a: ['b'] }, properties: { b: { const: 1 } } },
      { a: null, b: 1 },
    ],
    [{ type: 'array', items: { type: 'integer' }, minItems: 2 }, [0, 0]],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { const: 1 }], minItems: 2 }, ['', 1]],
    [{ type: 'array', contains: { const: 'x' } }, ['x']],
    [{ allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'string' } } }] }, { a: '' }],
    [{ anyOf: [{ type: 'string', enum: [] as never }, { type: 'integer' }] }, 0],
    [
      {
        if: { properties: { k: { const: 'a' } }, required: ['k'] },
        then: { required: ['x'] },
        else: { required: ['y'] },
        type: 'object',
      },
      { x: null, k: 'a' },
    ],
    [{ not: { type: 'object' } }, null],
    [{ type: 'string', not: { const: '' } }, 'nothing'],
  ])('%j', (schema, wanted) => {
    // An empty `enum` is refused when a catalogue is built; its branch is simply another one here.
    const cleaned = JSON.parse(JSON.stringify(schema).replace('"enum":[]', '"enum":["a"],"maxLength":0')) as unknown;
    expect(made(cleaned)).toEqual(wanted);
  });

  it('goes round in a recursive schema no deeper than it must', () => {
    const tree = {
      type: 'object',
      required: ['name', 'next'],
      properties: { name: { type: 'string' }, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
    };
    expect(made(tree)).toEqual({ name: '', next: null });
    const list = {
      $ref: '#/$defs/node',
      $defs: {
        node: { type: 'object', required: ['kids'], properties: { kids: { type: 'array', items: { $ref: '#/$defs/node' } } } },
      },
    };
    expect(made(list)).toEqual({ kids: [] });
  });

  it('gives nothing where there is none, or none is found, in bounded time', () => {
    expect(made(false)).toBe('nothing');
    expect(made({ allOf: [{ const: 1 }, { const: 2 }] })).toBe('nothing');
    const endless = { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } };
    expect(made(endless)).toBe('nothing');
    const wide = {
      allOf: Array.from({ length: 12 }, (_, i) => ({ anyOf: [{ multipleOf: i + 2 }, { minimum: i }] })),
      type: 'integer',
    };
    made(wide);
  });

  it.each(['date-time', 'date', 'time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname', 'duration', 'json-pointer', 'regex'])(
    'fits the format %s',
    (format) => {
      expect(typeof made({ type: 'string', format })).toBe('string');
      expect(made({ type: 'string', format })).not.toBe('nothing');
    },
  );

  it('fits whatever schemas are put together from parts', () => {
    const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
      fc.record({ type: fc.constant('string'), minLength: fc.nat(5) }),
      fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -9, max: 9 }) }),
      fc.record({ enum: fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 }) }),
      fc.constantFrom<JsonSchema>({ type: 'boolean' }, { type: 'null' }, true, {}, { type: 'number', exclusiveMinimum: 2 }),
      fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^[A-Z]{2}-\\d{3,}$', '^(a|b)+c?$', '\\S', '^\\p{Lu}') }),
    );
    const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        leaf,
        fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
        fc
          .dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'd e'), tie('schema'), { maxKeys: 4 })
          .chain((properties) =>
            fc
              .subarray(Object.keys(properties))
              .map((required): JsonSchema => ({ type: 'object', properties, ...(required.length > 0 && { required }) })),
          ),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      ),
    }));
    fc.assert(
      fc.property(schema, (given) => {
        expect(made(given)).not.toBe('nothing');
      }),
    );
  });
});

describe('a text for a pattern', () => {
  it.each([
    '^[a-z]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(?:foo|bar)-(\\w+)-\\1$',
    '^[^a-zA-Z0-9]{3}$',
    '^(?!b)[ab]$',
    '^\\p{Script=Greek}+$',
    '^\\u{1F600}$',
    '^#[0-9a-fA-F]{6}$',
    '^(?<year>\\d+)?x{2,3}$',
    '^sk_(live|test)_[A-Za-z0-9]{24}$',
    '[\\]\\\\]',
    '',
  ])('%s', (pattern) => {
    for (const more of [0, 1, 5]) expect(textForPattern(pattern, more)).toMatch(new RegExp(pattern, 'u'));
  });

  it('never throws and never takes long, whatever the pattern', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'()[]{}*+?|\\^$.,ab1') })), (pattern) => {
        expect(['string', 'undefined']).toContain(typeof textForPattern(pattern, 3));
      }),
    );
    expect(textForPattern('((a{9999}){9999}){9999}')).toBeUndefined();
  });
});
