/**
 * Memory means the process: whatever a program does, the process (or the renderer) that runs it grows by at most
 * `memoryBytes` + 96 MiB, measured against one that runs `1 + 1`, and by the values that crossed. Those the page keeps once,
 * in the journal; its collector may let as much again lie about. `npm run test:full` measures every shape; `npm test` a few.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core.ts';
import { type Measured, type Meter, nodeMeter, rendererMeter } from './measure.ts';
import { CONTROL, CROSSINGS, SHAPES } from './shapes.ts';

const MIB = 1024 * 1024;
/** Engine, copies of one value on its way, garbage that the host's collector has not looked at yet. */
const ALLOWANCE = 96 * MIB;
/** Events, views and texts about the run. */
const BOOKS = 16 * MIB;
const mebibytes = (bytes: number): string => (bytes / MIB).toFixed(0);
const full = process.env.FULL === '1';
const shapes = [...SHAPES, ...CROSSINGS].filter(({ quick }) => full || quick);

const METERS = [
  ['a process of Node', nodeMeter, true],
  ['a renderer of Chromium', rendererMeter, process.platform === 'linux'],
] as const;

for (const [where, open] of METERS.filter(([, , works]) => works))
  describe(where, { timeout: 180_000 }, () => {
    let meter: Meter;
    let control: Measured;

    beforeAll(async () => {
      meter = await open();
      control = await meter.measure(CONTROL.name);
    }, 60_000);

    afterAll(() => meter[Symbol.asyncDispose]());

    for (const { name, ends, limits, kept = 0 } of shapes)
      it(name, async () => {
        const { ended, peakRss, live } = await meter.measure(name);
        const grown = peakRss - control.peakRss;
        const left = live - control.live;
        if (process.env.FIGURES)
          process.stderr.write(`| ${where} | ${name} | ${ended} | ${mebibytes(grown)} | ${mebibytes(left)} |\n`);
        expect(ended).toMatch(ends);
        const { memoryBytes } = { ...DEFAULT_LIMITS, ...limits };
        expect(grown).toBeLessThanOrEqual(memoryBytes + ALLOWANCE + 2 * kept * MIB);
        expect(left).toBeLessThanOrEqual(kept * MIB + BOOKS);
      });
  });
