import { describe, expect, it } from 'vitest';
import { MASK, masked, pathKey, safePreview, secretPaths } from './secrets.ts';

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

  it('masks a value that is used in two places in both', () => {
    const login = { password: 'x' };
    expect(found({ a: login, b: login })).toEqual([pathKey(['a', 'password']), pathKey(['b', 'password'])]);
  });

  it('survives cycles', () => {
    const value: Record<string, unknown> = { password: 'x' };
    value['self'] = value;
    expect(found(value)).toEqual([pathKey(['password'])]);
  });
});

describe('masked', () => {
  it('reaches into lists, maps and sets', () => {
    const value = [new Map([['token', 'x']]), new Set([{ secret: 'y' }])];
    expect(masked(value, secretPaths(value))).toEqual([new Map([['token', MASK]]), new Set([{ secret: MASK }])]);
  });

  it('replaces secrets in a copy and leaves the original alone', () => {
    const value = { to: 'a', auth: { password: 'hunter2' } };
    expect(masked(value, secretPaths(value))).toEqual({ to: 'a', auth: { password: MASK } });
    expect(value.auth.password).toBe('hunter2');
  });
});

describe('safePreview', () => {
  it('masks by key in a text that was cut anywhere', () => {
    const text = JSON.stringify({ to: 'a', password: 'hun"ter2', list: [1] });
    for (let end = 1; end <= text.length; end += 1) expect(safePreview(text.slice(0, end), undefined, 200)).not.toContain('hun');
    expect(safePreview(text, undefined, 200)).toBe(`{"to":"a","password":"${MASK}","list":[1]}…`);
  });

  it('shows nothing where a schema marks a field', () => {
    expect(safePreview('{"iban":"DE"}', { properties: { iban: { 'x-sensitive': true } } }, 200)).toBe('…');
  });
});
