/** The page dies at every append of its journal; the next one brings the run to the end it would have had. */
import { afterAll, describe, expect, it } from 'vitest';
import { createNodeExecutor } from '../../bridge/node-worker-executor.ts';
import type { Session } from '../types.ts';
import { PROGRAMS } from './test-tools/crash-programs.ts';
import { createDisk, type Disk } from './test-tools/crashing-storage.ts';
import { createWorld, essence, faultsOf, openPage, type World } from './test-tools/world.ts';

/** `all`: every append of every program; otherwise so many of each, spread over its journal. */
const POINTS = process.env['CRASH_POINTS'] === 'all' ? Number.POSITIVE_INFINITY : 4;
const RUN = 'run-1';
/** However busy the machine. */
const PATIENCE_MS = 60_000;

const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());

/** Runs until the end, or until the page dies. */
async function firstLife(disk: Disk, world: World, source: string, appends: number): Promise<unknown> {
  const storage = disk.page(appends);
  const { session, leave } = openPage(disk.sessionId, storage, world, executor);
  const run = session.run(source, { id: RUN });
  const outcome = await Promise.race([inTime(run.outcome, session), storage.dead]);
  leave();
  run.cancel(); // what is left of the dead page has a worker
  return outcome && essence(outcome);
}

/** What hangs says where. */
function inTime<T>(work: Promise<T>, session: Session): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      const { pending, runs } = session.store.getState();
      reject(new Error(`hangs: ${runs[RUN]?.status}, ${pending} wait, ${JSON.stringify(session.journal.events.slice(-8))}`));
    }, PATIENCE_MS);
    void work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

/** @param appends the next page dies, too; nothing when it lives to the end */
async function nextLife(disk: Disk, world: World, source: string, appends = Number.POSITIVE_INFINITY): Promise<unknown> {
  const storage = disk.page(appends);
  const { session, leave } = openPage(disk.sessionId, storage, world, executor);
  const { runs } = session.store.getState();
  const run = runs[RUN] ? session.resume(RUN) : session.run(source, { id: RUN });
  const outcome = await Promise.race([inTime(run.outcome, session), storage.dead]);
  leave();
  if (outcome) return essence(outcome);
  run.cancel();
  return undefined;
}

function pointsOf(length: number, name: string): number[] {
  const all = Array.from({ length }, (_, k) => k);
  if (POINTS >= length) return all;
  // Spread, and another place for each program.
  const step = length / POINTS;
  return Array.from({ length: POINTS }, (_, i) => Math.floor(i * step + ((name.length * 7) % step)));
}

let crashes = 0;

describe.each(Object.entries(PROGRAMS))('%s', (name, source) => {
  it('ends as if nothing had happened, wherever its page dies', { timeout: 600_000 }, async () => {
    const disk = createDisk('chat');
    const world = createWorld();
    const wanted = await firstLife(disk, world, source, Number.POSITIVE_INFINITY);
    expect(faultsOf(disk.records, world)).toEqual([]);
    for (const k of pointsOf(disk.records.length, name)) {
      const [crashed, outside] = [createDisk('chat'), createWorld()];
      await firstLife(crashed, outside, source, k);
      crashes++;
      // Now and then the page that goes on dies, too.
      if (k % 4 === 0 && (await nextLife(crashed, outside, source, 1 + (k % 9))) === undefined) crashes++;
      const got = await nextLife(crashed, outside, source);
      const at = `after append ${k}: ${crashed.records[k - 1] ?? 'none'}`;
      expect(got, at).toEqual(wanted);
      expect(faultsOf(crashed.records, outside), at).toEqual([]);
    }
  });
});

it('dies often enough', () => {
  // The issue asks for a thousand.
  expect(crashes).toBeGreaterThanOrEqual(POINTS === Number.POSITIVE_INFINITY ? 1_000 : POINTS * Object.keys(PROGRAMS).length);
});
