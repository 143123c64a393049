import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createBackoff } from './backoff.ts';
import type { WorkerLink } from './worker-link.ts';
import type { WorkerOpener } from './worker-opener.ts';
import type { WorkerFault } from './worker-port.ts';
import { type Lease, MAX_IDLE, WorkerPool } from './worker-pool.ts';

/** A link without a worker: only its life and whom it served. */
class BareLink {
  fault: WorkerFault | undefined;
  holder: string | undefined;
  session: string | undefined;
  holds = 1;
  readonly #listeners = new Set<(fault: WorkerFault) => void>();

  onDown(listener: (fault: WorkerFault) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  end(fault: WorkerFault): void {
    if (this.fault) return;
    this.fault = fault;
    for (const listener of this.#listeners) listener(fault);
  }

  ref(): void {
    this.holds++;
  }

  unref(): void {
    this.holds--;
  }
}

function setUp() {
  const clock = createFakeClock();
  const links: BareLink[] = [];
  let failing = false;
  const opener = {
    open: async () => {
      if (failing) throw new Error('no luck');
      const link = new BareLink();
      links.push(link);
      return link as unknown as WorkerLink;
    },
  } as unknown as WorkerOpener;
  const pool = new WorkerPool({ opener, clock, backoff: createBackoff(clock), spare: true });
  return { clock, links, pool, fail: (on: boolean) => (failing = on) };
}

const never = (): AbortSignal => new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const step = fc.oneof(
  fc.record({
    do: fc.constant('acquire' as const),
    session: fc.nat(5),
    memory: fc.constantFrom(1, 1, 1, 2),
    abort: fc.boolean(),
  }),
  fc.record({ do: fc.constant('release' as const), index: fc.nat(10), reusable: fc.boolean(), keep: fc.boolean() }),
  fc.record({ do: fc.constant('die' as const), index: fc.nat(10) }),
  fc.record({ do: fc.constant('endSession' as const), session: fc.nat(5) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 150, 31_000) }),
  fc.record({ do: fc.constant('warmUp' as const), memory: fc.constantFrom(1, 2) }),
  fc.record({ do: fc.constant('prepare' as const), memory: fc.constantFrom(1, 2) }),
  fc.record({ do: fc.constant('fail' as const), on: fc.boolean() }),
);

test('whatever happens: places are bounded, a worker serves one run of one session, and nobody waits beside a free place', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), async (maxWorkers, steps) => {
      const { clock, links, pool, fail } = setUp();
      const leases: { lease: Lease; link: BareLink }[] = [];
      let pending = 0;

      const check = (): void => {
        const { spare, busy, idle, queued } = pool.counts();
        // Warming up is asked for by the application and may exceed the bound by the spares of two sizes.
        expect(busy + idle).toBeLessThanOrEqual(maxWorkers);
        expect(spare).toBeLessThanOrEqual(2);
        if (queued > 0) expect(busy).toBe(maxWorkers);
        expect(pending).toBe(queued);
        expect(links.filter((link) => !link.fault)).toHaveLength(spare + busy + idle);
        expect(busy).toBe(leases.filter(({ link }) => !link.fault).length);
      };

      for (const each of steps) {
        if (each.do === 'acquire') {
          const session = `s${each.session}`;
          const aborting = new AbortController();
          pending++;
          pool.acquire({ sessionId: session, memoryBytes: each.memory, maxWorkers }, aborting.signal).then(
            (lease) => {
              pending--;
              const link = lease.link as unknown as BareLink;
              expect(link.holder).toBeUndefined();
              expect(link.session ?? session).toBe(session);
              expect(lease.fresh).toBe(link.session === undefined);
              expect(link.holds).toBe(1);
              link.holder = session;
              link.session = session;
              leases.push({ lease, link });
            },
            () => pending--,
          );
          if (each.abort) aborting.abort();
        } else if (each.do === 'release' || each.do === 'die') {
          const [held] = leases.splice(each.index % Math.max(1, leases.length), 1);
          if (held) {
            held.link.holder = undefined;
            if (each.do === 'die') held.link.end({ code: 'timeout', message: 'killed' });
            held.lease.release({ reusable: each.do === 'release' && each.reusable, keep: each.do === 'release' && each.keep });
            expect(held.link.holds).toBe(0);
          }
        } else if (each.do === 'endSession') pool.endSession(`s${each.session}`);
        else if (each.do === 'wait') clock.advance(each.ms);
        else if (each.do === 'fail') fail(each.on);
        else if (each.do === 'prepare') void pool.prepare(each.memory);
        else pool.warmUp(each.memory).catch(() => {});
        await turn();
        check();
      }

      pool.dispose();
      await turn();
      expect(pending).toBe(0);
      expect(pool.counts()).toEqual({ spare: 0, busy: 0, idle: 0, queued: 0 });
      expect(links.every((link) => link.fault)).toBe(true);
      for (const { lease } of leases) lease.release({ reusable: true, keep: true });
      expect(pool.counts()).toEqual({ spare: 0, busy: 0, idle: 0, queued: 0 });
    }),
    { numRuns: 300 },
  );
}, 30_000);

/** Workers that start when they are told to. */
function setUpStarts() {
  const opened: { readonly reserve: boolean; begun(): void; start(link: BareLink): void; fail(): void }[] = [];
  const clock = createFakeClock();
  const open = (_: number, reserve: boolean, begun: () => void = () => {}) =>
    new Promise<WorkerLink>((resolve, reject) =>
      opened.push({
        reserve,
        begun,
        start: (link) => resolve(link as unknown as WorkerLink),
        fail: () => reject(new Error('no such file')),
      }),
    );
  const pool = new WorkerPool({ opener: { open } as unknown as WorkerOpener, clock, backoff: createBackoff(clock), spare: true });
  return { opened, clock, pool };
}

test('a prepared worker serves the program that comes, without a rehearsal; its successor waits until the program has it', async () => {
  const { opened, clock, pool } = setUpStarts();
  void pool.prepare(1);
  await pool.prepare(1);
  expect(opened.map(({ reserve }) => reserve)).toEqual([false]);
  const lease = pool.acquire({ sessionId: 'a', memoryBytes: 1, maxWorkers: 2 }, never());
  clock.advance(10_000);
  expect(opened).toHaveLength(1);
  const link = new BareLink();
  opened[0]?.start(link);
  expect((await lease).link).toBe(link);
  await turn();
  clock.advance(99);
  expect(opened).toHaveLength(1);
  clock.advance(1);
  expect(opened.map(({ reserve }) => reserve)).toEqual([false, true]);
  await pool.prepare(1);
  expect(opened).toHaveLength(2);
});

test('whoever prepares goes on when the worker works by itself, cannot, or keeps one waiting', async () => {
  const how = {
    begun: ({ opened }: ReturnType<typeof setUpStarts>) => opened[0]?.begun(),
    failed: ({ opened }: ReturnType<typeof setUpStarts>) => opened[0]?.fail(),
    late: ({ clock }: ReturnType<typeof setUpStarts>) => clock.advance(200),
  };
  for (const act of Object.values(how)) {
    const kit = setUpStarts();
    let done = false;
    const prepared = kit.pool.prepare(1).then(() => (done = true));
    kit.clock.advance(199);
    await turn();
    expect(done).toBe(false);
    act(kit);
    await prepared;
  }
});

test('a spare that dies while it starts does not fail the run that took it, but only once', async () => {
  const starts: ((outcome: WorkerLink | Error) => void)[] = [];
  const clock = createFakeClock();
  const open = () =>
    new Promise<WorkerLink>((resolve, reject) =>
      starts.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))),
    );
  const pool = new WorkerPool({
    opener: { open } as unknown as WorkerOpener,
    clock,
    backoff: createBackoff(clock),
    spare: true,
  });
  const take = (sessionId: string, signal = never()) => pool.acquire({ sessionId, memoryBytes: 1, maxWorkers: 2 }, signal);
  const took = (lease: Promise<Lease>) => lease.then(({ fresh }) => fresh, String);

  pool.warmUp(1).catch(() => {});
  const first = take('a');
  starts[0]?.(new Error('killed'));
  await turn();
  expect(starts).toHaveLength(2);
  starts[1]?.(new BareLink() as unknown as WorkerLink);
  expect(await took(first)).toBe(true);

  // The second death in a row is the run's own, and so is one that takes long to show.
  const second = take('b');
  starts[2]?.(new Error('no place to start'));
  expect(await took(second)).toContain('no place to start');
  clock.advance(1_000);
  const third = take('c');
  clock.advance(1_001);
  starts[3]?.(new Error('late'));
  expect(await took(third)).toContain('late');

  // Nobody starts one more for a run that is no longer wanted.
  pool.warmUp(1).catch(() => {});
  const aborting = new AbortController();
  const fourth = take('d', aborting.signal);
  const before = starts.length;
  aborting.abort();
  starts[before - 1]?.(new Error('killed'));
  expect(await took(fourth)).toContain('cancelled');
  expect(starts).toHaveLength(before);
});

test('the least recently used idle workers go first, those that keep globals stay', async () => {
  const { links, pool } = setUp();
  const take = async (sessionId: string, keep: boolean): Promise<void> => {
    const lease = await pool.acquire({ sessionId, memoryBytes: 1, maxWorkers: 16 }, new AbortController().signal);
    (lease.link as unknown as BareLink).session = sessionId;
    lease.release({ reusable: true, keep });
  };
  await take('kept', true);
  for (let i = 0; i < MAX_IDLE + 2; i++) await take(`s${i}`, false);
  expect(links.filter((link) => link.fault).map((link) => link.session)).toEqual(['s0', 's1']);
});
