import { afterEach, describe, inject, it, vi } from 'vitest';
import { createWebWorkerStarter } from '../../src/bridge/start-web-worker.ts';
import type { WorkerPlatform } from '../../src/bridge/worker-port.ts';
import { workerUrl } from '../../src/worker-url.ts';
import { checkCancel, checkDeadline, checkSoftCancel, createStory, type Story } from './kill.ts';
import { NATIVES, sampleNatives } from './natives.ts';

vi.setConfig({ testTimeout: 60_000 });

const starter = createWebWorkerStarter({ url: () => workerUrl });
const platform: WorkerPlatform = {
  cores: 2,
  sharedMemory: false,
  start: starter.start,
  dispose() {},
};
let story: Story;
const tell = (): Story => (story = createStory(platform, false));
afterEach(() => story[Symbol.asyncDispose]());

describe('cancelled, its worker is ended and the next program runs on the spare', () => {
  it.each(sampleNatives(inject('hostileSample'), 8))('$name', ({ program }) => checkCancel(tell(), program));
  it('a loop', () => checkCancel(tell(), 'for (;;);'));
});

it('out of time, the same', () => checkDeadline(tell(), NATIVES[0]!.program));

it('a loop that awaits is cancelled between two slices of jobs, and leaves its worker whole', () =>
  checkSoftCancel(tell(), 'for (;;) await null'));
