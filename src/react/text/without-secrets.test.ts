import { describe, expect, it } from 'vitest';
import { secretPaths } from '../../journal/secrets.ts';
import { withoutSecrets } from './without-secrets.ts';

describe('withoutSecrets', () => {
  it('masks what a program spells out of an input’s secrets, everywhere, and nothing else', () => {
    const input = { apiKey: 'sk-12345', nested: { password: 'hunter2!' }, to: 'ana' };
    const source = "call({ apiKey: 'sk-12345', nested: { password: 'hunter2!' }, to: 'ana' });\nlog('sk-12345');";
    expect(withoutSecrets(source, input, secretPaths(input))).toBe(
      "call({ apiKey: '••••••••', nested: { password: '••••••••' }, to: 'ana' });\nlog('••••••••');",
    );
  });

  it('leaves the program alone where a secret is too short to be told from other text, or has lines', () => {
    const input = { pin: '12', password: 'a\nb c d' };
    expect(withoutSecrets('f(12);', input, secretPaths(input))).toBe('f(12);');
  });
});
