// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { keptPermissions } from './permissions.ts';

const grant = (id: string) =>
  ({ v: 1, id, tool: 'cancel_order', definitionHash: 'x', match: 'tool', words: 'cancel_order', createdAt: 1 }) as const;

beforeEach(() => localStorage.clear());

it('keeps permissions across visits and forgets what was revoked', async () => {
  await keptPermissions.save(grant('a'), undefined);
  await keptPermissions.save(grant('b'), undefined);
  await keptPermissions.remove('a', undefined);
  expect(await keptPermissions.load(undefined)).toEqual([grant('b')]);
});

it('takes a foreign value for none', async () => {
  localStorage.setItem('playground-permissions', '{"a":1}');
  expect(await keptPermissions.load(undefined)).toEqual([]);
});
