import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createComputeClock } from './compute-clock.ts';

function watched(budgetMs: number) {
  const clock = createFakeClock();
  const ends: number[] = [];
  const start = clock.now();
  const watch = createComputeClock(clock, budgetMs, () => ends.push(clock.now() - start));
  return { clock, watch, ends };
}

test('a budget that is used up ends once, shortly after', () => {
  const { clock, watch, ends } = watched(3_000);
  watch.start();
  clock.advance(2_999);
  expect(ends).toEqual([]);
  clock.advance(10_000);
  expect(ends).toHaveLength(1);
  expect(ends[0]).toBeLessThanOrEqual(3_050);
});

test('time between stop and start is charged to nobody', () => {
  const { clock, watch, ends } = watched(1_000);
  for (let i = 0; i < 9; i++) {
    watch.start();
    clock.advance(100);
    watch.stop();
    clock.advance(60_000);
  }
  expect(ends).toEqual([]);
  expect(watch.charged).toBe(900);
  watch.start();
  clock.advance(200);
  expect(ends).toHaveLength(1);
});

test('a sleeping machine is not charged: a jump of more than 5 s between two looks', () => {
  const clock = createFakeClock();
  let jump = 0;
  const sleeping = { now: () => clock.now() + jump, schedule: clock.schedule };
  let ended = false;
  const watch = createComputeClock(sleeping, 2_000, () => {
    ended = true;
  });
  watch.start();
  clock.advance(500);
  jump = 3_600_000;
  clock.advance(600);
  expect(watch.charged).toBeLessThanOrEqual(1_100);
  expect(ended).toBe(false);
  clock.advance(3_000);
  expect(ended).toBe(true);
});

test('a frame that arrives in the last moment, behind a busy page, saves the run', () => {
  const { clock, watch, ends } = watched(1_000);
  watch.start();
  clock.advance(1_010);
  watch.stop();
  clock.advance(10_000);
  expect(ends).toEqual([]);
});

test('the page being busy is not charged to a program whose worker speaks; its silence is', () => {
  const { clock, watch, ends } = watched(1_000);
  for (let call = 1; call <= 50; call++) {
    watch.start();
    clock.advance(300);
    watch.stop();
    watch.believe(call);
  }
  expect(watch.charged).toBe(50);
  // In the middle of computing, and in the last moment.
  watch.start();
  clock.advance(960);
  watch.believe(60);
  clock.advance(900);
  expect(ends).toEqual([]);
  clock.advance(100);
  expect(ends).toHaveLength(1);
});

test('a worker that claims more than the page has seen is not charged for it', () => {
  const { clock, watch } = watched(1_000);
  watch.start();
  clock.advance(100);
  watch.believe(1e9);
  expect(watch.charged).toBe(100);
});
