import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createBackoff } from './backoff.ts';

test('two failures are forgiven, from the third on the wait doubles up to 30 s and says why', () => {
  const clock = createFakeClock();
  const backoff = createBackoff(clock);
  backoff.failed('a');
  backoff.failed('b');
  expect(backoff.refusal()).toBeUndefined();
  const waits: unknown[] = [];
  for (let i = 0; i < 9; i++) {
    backoff.failed('out of luck');
    waits.push(backoff.refusal()?.data?.retryInMs);
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(backoff.refusal()).toMatchObject({ code: 'executor_unavailable', message: expect.stringContaining('out of luck') });
});

test('after the wait one more may be tried, and a success forgets all', () => {
  const clock = createFakeClock();
  const backoff = createBackoff(clock);
  for (let i = 0; i < 3; i++) backoff.failed('x');
  clock.advance(499);
  expect(backoff.refusal()).toBeDefined();
  clock.advance(1);
  expect(backoff.refusal()).toBeUndefined();
  backoff.succeeded();
  backoff.failed('x');
  expect(backoff.refusal()).toBeUndefined();
});

test('a session that breaks its workers again and again counts once: the others go on', () => {
  const backoff = createBackoff(createFakeClock());
  for (let i = 0; i < 10; i++) backoff.failed('breach', 'hostile');
  expect(backoff.refusal()).toBeUndefined();
  backoff.failed('breach', 'another');
  backoff.failed('breach', 'a third');
  expect(backoff.refusal()).toMatchObject({ code: 'executor_unavailable' });
});
