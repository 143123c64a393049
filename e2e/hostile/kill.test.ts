import { availableParallelism } from 'node:os';
import { afterEach, describe, inject, it, vi } from 'vitest';
import { createNodeStarter } from '../../src/bridge/node-worker-port.ts';
import type { WorkerPlatform } from '../../src/bridge/worker-port.ts';
import { workerUrl } from '../../src/worker-url.ts';
import { checkCancel, checkDeadline, checkSoftCancel, createStory, type Story } from './kill.ts';
import { NATIVES, sampleNatives } from './natives.ts';

vi.setConfig({ testTimeout: 60_000 });

const platform: WorkerPlatform = {
  cores: availableParallelism(),
  sharedMemory: true,
  keepsCode: true,
  start: createNodeStarter(workerUrl),
  dispose() {},
};
let story: Story;
const tell = (sharedMemory: boolean): Story => (story = createStory(platform, sharedMemory));
afterEach(() => story[Symbol.asyncDispose]());

describe('cancelled, its worker is ended and the next program runs on the spare', () => {
  // Without shared memory no program that computes hears of it; with it those do that the engine asks now and then.
  it.each(sampleNatives(inject('hostileSample')))('$name', ({ program, polls }) => checkCancel(tell(!polls), program));
  it('a loop, without shared memory', () => checkCancel(tell(false), 'for (;;);'));
});

describe('out of time, the same', () => {
  it.each(NATIVES.filter(({ polls }) => !polls).slice(0, 2))('$name', ({ program }) => checkDeadline(tell(true), program));
});

describe('cancelled where it can hear of it, a program leaves its worker whole', () => {
  it('a loop, by the flag in shared memory', () => checkSoftCancel(tell(true), 'for (;;);'));
  it.each(NATIVES.filter(({ polls }) => polls).slice(0, 2))('$name, by the flag', ({ program }) =>
    checkSoftCancel(tell(true), program),
  );
  it('a loop that awaits, between two slices of jobs, without the flag', () =>
    checkSoftCancel(tell(false), 'for (;;) await null'));
});
