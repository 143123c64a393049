import { describe, expect, it } from 'vitest';
import { MASK, masked, pathKey, secretPaths } from './secrets.ts';

const found = (value: unknown, schema?: Parameters<typeof secretPaths>[1]): string[] => [...secretPaths(value, schema)].sort();

describe('secretPaths', () => {
  it.each([
    'password',
    'apiKey',
    'api_key',
    'accessToken',
    'token',
    'client_secret',
    'Authorization',
    'cvc',
    'privateKey',
    'passphrase',
  ])('masks the text under %s without any schema', (key) => expect(found({ [key]: 'x' })).toEqual([pathKey([key])]));

  it.each(['tokens', 'maxTokens', 'passenger', 'compass', 'spinner', 'keyboard', 'secretary_count'])(
    'does not mask a number under %s',
    (key) => expect(found({ [key]: 5 })).toEqual([]),
  );

  it.each(['passenger', 'compass', 'spinner', 'tokens', 'monkey'])('does not mask the text under %s', (key) =>
    expect(found({ [key]: 'x' })).toEqual([]),
  );

  it('follows the schema first: x-sensitive and format password, through arrays, $ref and allOf', () => {
    const schema = {
      $defs: { card: { properties: { number: { 'x-sensitive': true } } } },
      properties: {
        cards: { items: { $ref: '#/$defs/card' } },
        pass: { format: 'password' },
        both: { allOf: [{ properties: { inner: { 'x-sensitive': true } } }] },
      },
    };
    const value = { cards: [{ number: 4111, name: 'A' }], pass: 'p', both: { inner: { deep: 1 } } };
    expect(found(value, schema)).toEqual([pathKey(['both', 'inner']), pathKey(['cards', 0, 'number']), pathKey(['pass'])].sort());
  });

  it('lets a schema free a field that its name would mask', () => {
    expect(found({ token: 'next-page' }, { properties: { token: { 'x-sensitive': false } } })).toEqual([]);
  });

  it('survives cycles', () => {
    const value: Record<string, unknown> = { password: 'x' };
    value['self'] = value;
    expect(found(value)).toEqual([pathKey(['password'])]);
  });
});

describe('masked', () => {
  it('replaces secrets in a copy and leaves the original alone', () => {
    const value = { to: 'a', auth: { password: 'hunter2' } };
    expect(masked(value, secretPaths(value))).toEqual({ to: 'a', auth: { password: MASK } });
    expect(value.auth.password).toBe('hunter2');
  });
});
