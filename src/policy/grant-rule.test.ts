import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fulfils, parseGrantRule, suggestGrantRule } from './grant-rule.ts';

const holds = (text: string, input: unknown): boolean | string => {
  const rule = parseGrantRule(text);
  return 'problem' in rule ? rule.problem : fulfils(rule, input);
};

describe('a rule in words', () => {
  const order = {
    amount: 50,
    currency: 'EUR',
    big: 50n,
    gift: false,
    note: null,
    lines: [{ price: 1 }, { price: 2 }],
    'odd key': 1,
  };
  it.each([
    ['amount <= 50', true],
    ['amount < 50', false],
    ['amount >= 50 and amount > 49.5', true],
    ['amount = 50', true],
    ['amount is 50', true],
    ['amount == 50 && currency = "EUR"', true],
    ["currency = 'EUR' AND gift = false", true],
    ['currency != "USD"', true],
    ['currency in ["USD", "EUR"]', true],
    ['currency in ["USD"]', false],
    ['note = null', true],
    ['big <= 50', true],
    ['lines[*].price <= 2', true],
    ['lines[*].price < 2', false],
    ['lines[1].price = 2', true],
    ['["odd key"] = 1', true],
    ['missing != 5', false],
    ['lines != 5', false],
    ['amount[0] = 5', false],
    ['constructor != 1', false],
  ])('%s', (text, wanted) => expect(holds(text, order)).toBe(wanted));

  it('holds for no empty list: nothing was checked', () => {
    expect(holds('lines[*].price <= 2', { lines: [] })).toBe(false);
    expect(holds('lines[*].price <= 2', { lines: [{ price: 1 }, {}] })).toBe(false);
  });

  it.each([
    '',
    'amount',
    'amount <=',
    '<= 5',
    'amount <= "5"',
    'amount ~ 5',
    'amount <= 5 or true = true',
    'amount <= 5 and',
    'a = b',
    'f(x) = 1',
    'a = [1]',
    'a in 1',
    'a..b = 1',
    `${'a'.repeat(2000)} = 1`,
  ])('refuses %s in a sentence', (text) => expect(typeof holds(text, {})).toBe('string'));

  it('is written in one form, which means the same', () => {
    const scalar = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), scalar, fc.array(scalar, { minLength: 1, maxLength: 3 }), (key, value, list) => {
        const place = `[${JSON.stringify(key)}]`;
        const text = `${place}   =${JSON.stringify(value)} and ${place} in [${list.map((each) => JSON.stringify(each)).join(',')}]`;
        const rule = parseGrantRule(text);
        if ('problem' in rule) throw new Error(rule.problem);
        expect(parseGrantRule(rule.text)).toEqual(rule);
        const given = JSON.parse(JSON.stringify(value)) as unknown;
        expect(fulfils(rule, { [key]: given })).toBe(
          list.some((each) => (JSON.parse(JSON.stringify(each)) as unknown) === given),
        );
      }),
    );
  });

  it('never throws, whatever the text and the input', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'ab.[]*"=<>! in and1,') })),
        fc.anything(),
        (text, input) => {
          expect(['boolean', 'string']).toContain(typeof holds(text, input));
        },
      ),
    );
  });

  it('is suggested without what is secret', () => {
    expect(suggestGrantRule({ user: 'ann', password: 'hunter2', apiKey: 'k' })).toBe('user = "ann"');
    expect(suggestGrantRule({ password: 'hunter2' })).toBeUndefined();
  });

  it('is suggested so that the call itself fulfils it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        const text = suggestGrantRule(input);
        if (text !== undefined) expect(holds(text, input)).toBe(true);
      }),
    );
  });
});
