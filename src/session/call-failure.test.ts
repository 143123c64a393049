import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../catalog/catalog.ts';
import { denied, timedOut } from './call-failure.ts';

describe('a denial', () => {
  it.each([
    ['Ask the customer first.', 'was denied by the person: Ask the customer first. It did not run'],
    ['no', 'was denied by the person: no. It did not run'],
    ['Why now?', 'was denied by the person: Why now? It did not run'],
    [undefined, 'was denied by the person. It did not run'],
  ])('with the reason %j is whole sentences', (reason, words) => {
    expect(denied('pay', { reason, failed: false }, 'person').message).toContain(words);
  });
});

describe('a handler that took too long', () => {
  it.each([
    ['read', 'It changes nothing'],
    ['write', 'It may have had an effect'],
    ['danger', 'It may have had an effect'],
  ] as const)('of a %s tool says what it may have done', (risk, words) => {
    expect(timedOut({ name: 'slow', risk } as CatalogEntry, 300).message).toContain(words);
  });
});
