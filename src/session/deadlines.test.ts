import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDeadlines } from './deadlines.ts';

/** A clock by hand that counts its timers. */
function createClock() {
  let now = 0;
  let timers: { at: number; callback: () => void }[] = [];
  return {
    get timers() {
      return timers.length;
    },
    now: () => now,
    schedule(callback: () => void, ms: number) {
      const timer = { at: now + ms, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    advance(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((each) => each !== next);
        now = next.at;
        next.callback();
      }
      now = end;
    },
  };
}

it('each comes when its time is over, and not before; one that was taken back never', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ wait: fc.integer({ min: 0, max: 40 }), takeBackAfter: fc.option(fc.integer({ min: 0, max: 150 })) }), {
        minLength: 1,
        maxLength: 30,
      }),
      (plan) => {
        const clock = createClock();
        const deadlines = createDeadlines(clock, 100);
        const came = new Map<number, number>();
        const due: { at: number; take: () => void }[] = [];
        const started: number[] = [];
        for (const [index, { wait, takeBackAfter }] of plan.entries()) {
          const until = clock.now() + wait;
          for (const each of due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)) {
            clock.advance(Math.max(0, each.at - clock.now()));
            each.take();
            due.splice(due.indexOf(each), 1);
          }
          clock.advance(until - clock.now());
          started[index] = clock.now();
          const off = deadlines.start(() => came.set(index, clock.now()));
          expect(clock.timers).toBe(1);
          if (takeBackAfter !== null) due.push({ at: clock.now() + takeBackAfter, take: off });
        }
        for (const each of due.sort((a, b) => a.at - b.at)) {
          clock.advance(Math.max(0, each.at - clock.now()));
          each.take();
        }
        clock.advance(1_000);
        for (const [index, { takeBackAfter }] of plan.entries()) {
          const kept = takeBackAfter === null || takeBackAfter >= 100;
          expect(came.get(index)).toBe(kept ? started[index]! + 100 : undefined);
        }
        deadlines.close();
        expect(clock.timers).toBe(0);
      },
    ),
  );
});

it('a thousand, one after another, take one timer, which ends with the last', () => {
  const clock = createClock();
  const deadlines = createDeadlines(clock, 100);
  let timers = 0;
  const counted = { now: clock.now, schedule: (callback: () => void, ms: number) => (timers++, clock.schedule(callback, ms)) };
  const counting = createDeadlines(counted, 100);
  for (let i = 0; i < 1_000; i++) counting.start(() => undefined)();
  expect(timers).toBe(1);
  counting.close();
  expect(clock.timers).toBe(0);
  const offs = [1, 2, 3].map(() => deadlines.start(() => expect.unreachable()));
  for (const off of offs) off();
  clock.advance(100);
  expect(clock.timers).toBe(0);
});

it('a deadline may start another when it comes', () => {
  const clock = createClock();
  const deadlines = createDeadlines(clock, 100);
  const came: number[] = [];
  deadlines.start(() => {
    came.push(clock.now());
    deadlines.start(() => came.push(clock.now()));
  });
  clock.advance(300);
  expect(came).toEqual([100, 200]);
});

it('a deadline that starts after one was taken back lasts as long as any other', () => {
  const clock = createClock();
  const deadlines = createDeadlines(clock, 100);
  deadlines.start(() => expect.unreachable())();
  clock.advance(60);
  const came: number[] = [];
  deadlines.start(() => came.push(clock.now()));
  clock.advance(500);
  expect(came).toEqual([160]);
});

it('closed, none comes any more', () => {
  const clock = createClock();
  const deadlines = createDeadlines(clock, 100);
  deadlines.start(() => expect.unreachable());
  deadlines.close();
  clock.advance(500);
  expect(clock.timers).toBe(0);
});
