import { expect, it } from 'vitest';
import { unknownFields } from './unknown-fields.ts';

const words = (schema: object, value: unknown): string[] => unknownFields(schema as never, value).map(({ message }) => message);
const PERSON = { type: 'object', properties: { name: {}, address: { $ref: '#/$defs/address' } } };
const SCHEMA = {
  type: 'object',
  properties: { people: { type: 'array', items: PERSON }, limit: { type: 'number' } },
  $defs: { address: { type: 'object', properties: { street: {}, city: {} } } },
};

it('names fields that no schema on the way knows, with their path and the likely name', () => {
  expect(words(SCHEMA, { people: [{ name: 'a', address: { streat: 'x' } }], limitt: 1, zzz: 2 })).toEqual([
    'people[0].address.streat is not a known field; did you mean "street"?',
    'limitt is not a known field; did you mean "limit"?',
    'zzz is not a known field',
  ]);
  expect(words(SCHEMA, { people: [{ name: 'a' }], limit: 1 })).toEqual([]);
});

it.each([
  { properties: { a: {} }, additionalProperties: { type: 'number' } },
  { properties: { a: {} }, additionalProperties: true },
  { properties: { a: {} }, patternProperties: { '^b': {} } },
  { properties: { a: {} }, anyOf: [{ properties: { b: {} } }, {}] },
  { properties: {} },
  { type: 'object' },
  {},
])('says nothing where other names may be meant: %j', (schema) => {
  expect(words(schema, { b: 1 })).toEqual([]);
});

it('ends with values that contain themselves and with inherited names', () => {
  const tree = { properties: { next: { $ref: '#' }, hasOwnProperty: {} } };
  const value: Record<string, unknown> = {};
  value['next'] = value;
  expect(words(tree, value)).toEqual([]);
  expect(words(tree, { constructor: 1 })).toHaveLength(1);
});
