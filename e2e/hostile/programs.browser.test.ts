/** One hostile program of each kind on a page, or all (`HOSTILE=all`). */
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createWebWorkerExecutor } from '../../src/bridge/web-worker-executor.ts';
import { checkProgram, createScene } from './check-program.ts';
import { complaint, controlPace, takePulse } from './heartbeat.ts';
import { sample } from './programs.ts';

vi.setConfig({ testTimeout: 60_000 });
// A machine that is busy with something else can hold up any page; a fault of ours shows every time.
const TRIES = 3;

const scene = createScene(createWebWorkerExecutor());
let control = 0;
beforeAll(async () => {
  control = await controlPace();
});
afterAll(() => scene[Symbol.asyncDispose]());

describe('a hostile program ends as it should, and the page stays alive', () => {
  it.each(sample(inject('hostileSample')))('$kind: $name', async (attack) => {
    const complaints: string[] = [];
    while (complaints.length < TRIES) {
      const pulse = await checkProgram(attack, scene, takePulse);
      const wrong = complaint(pulse, control);
      if (wrong === undefined) return;
      complaints.push(wrong);
      control = Math.min(control, await controlPace());
    }
    expect.fail(complaints.join('; '));
  });
});

it('a page that is held up does show', async () => {
  const pulse = takePulse();
  const until = performance.now() + 400;
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 0));
  const held = await pulse();
  const fine = { longest: 0, culprit: '' };
  expect(complaint({ ...fine, pace: held.pace! }, control)).toMatch(/beats a second/);
  expect(complaint({ ...fine, pace: control }, control)).toBeUndefined();
  expect(complaint({ pace: control, longest: 1_000, culprit: 'f' }, control)).toMatch(/held a frame for 1000 ms .*: f/);
  expect(complaint({ pace: control, longest: 49, culprit: 'f' }, control)).toBeUndefined();
});
