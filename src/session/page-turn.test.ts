import { expect, it } from 'vitest';
import { createBreathing } from './page-turn.ts';

/** All that follows at once from what has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A page whose time and turns the test owns. */
function aPage() {
  let time = 0;
  const turns: (() => void)[] = [];
  const breathing = createBreathing({ now: () => time, next: (callback) => void turns.push(callback) });
  return {
    breathe: () => breathing.call(),
    message: () => breathing.turn(),
    spend: (ms: number) => (time += ms),
    /** One turn, with everything that follows from it. @returns false when nothing is planned */
    async turn(): Promise<boolean> {
      await settled();
      const callback = turns.shift();
      callback?.();
      await settled();
      return callback !== undefined;
    },
  };
}

async function call(page: ReturnType<typeof aPage>, ms: number, done: number[], id: number): Promise<void> {
  await page.breathe();
  page.spend(ms);
  done.push(id);
}

it('a few calls do not wait', () => {
  const page = aPage();
  for (let i = 0; i < 10; i++) expect(page.breathe()).toBeUndefined();
  const slow = aPage();
  for (let i = 0; i < 4; i++) {
    expect(slow.breathe()).toBeUndefined();
    slow.spend(100);
  }
  expect(slow.breathe()).toBeInstanceOf(Promise);
});

it('costly calls get a turn each, in their order, and the page one between them', async () => {
  const page = aPage();
  for (let i = 0; i < 4; i++) expect(page.breathe()).toBeUndefined();
  page.spend(20);
  const done: number[] = [];
  const calls = Array.from({ length: 20 }, (_, id) => call(page, 20, done, id));
  let last = 0;
  const perTurn: number[] = [];
  while (await page.turn()) {
    perTurn.push(done.length - last);
    last = done.length;
  }
  await Promise.all(calls);
  expect(done).toEqual(Array.from({ length: 20 }, (_, id) => id));
  expect(perTurn.filter((count) => count > 0)).toEqual(calls.map(() => 1));
});

it('calls of a millisecond go a few at a time', async () => {
  const page = aPage();
  const done: number[] = [];
  for (let id = 0; id < 200; id++) void call(page, 1, done, id);
  let most = 0;
  await settled();
  // Nothing is known of those yet.
  expect(done).toHaveLength(16);
  for (let before = 16; await page.turn(); before = done.length) most = Math.max(most, done.length - before);
  expect(done).toHaveLength(200);
  expect(most).toBeLessThanOrEqual(8);
});

it('a thousand cheap calls take few turns', async () => {
  const page = aPage();
  const done: number[] = [];
  for (let id = 0; id < 1_000; id++) void call(page, 0.01, done, id);
  let turns = 0;
  while (await page.turn()) turns++;
  expect(done).toHaveLength(1_000);
  expect(turns).toBeLessThan(10);
  // And the next one finds an open page again.
  expect(page.breathe()).toBeUndefined();
});

it('calls that come one by one never wait, and cost no turn', async () => {
  const page = aPage();
  for (let i = 0; i < 1_000; i++) {
    page.message();
    expect(page.breathe()).toBeUndefined();
    page.spend(20);
  }
  expect(await page.turn()).toBe(false);
});

it('a message lets nobody in before those who wait', async () => {
  const page = aPage();
  const done: number[] = [];
  for (let id = 0; id < 40; id++) void call(page, 5, done, id);
  page.message();
  void call(page, 5, done, 40);
  while (await page.turn());
  expect(done).toEqual(Array.from({ length: 41 }, (_, id) => id));
});
