/** Some hostile programs of each kind in Node, or all (`HOSTILE=all`). */
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { createNodeExecutor } from '../../src/bridge/node-worker-executor.ts';
import { checkProgram, createScene } from './check-program.ts';
import { KINDS, PROGRAMS, sample } from './programs.ts';
import { watchPage } from './watch-page.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Of one kind; a browser runs one. */
const EACH = 2;

const programs = sample(inject('hostileSample'), EACH);
const scene = createScene(createNodeExecutor());
afterAll(() => scene[Symbol.asyncDispose]());

describe.each(KINDS)('%s', (kind) => {
  it.each(programs.filter((each) => each.kind === kind))('$name', async (attack) => {
    expect(await checkProgram(attack, scene, watchPage)).toBeLessThan(3_000);
  });
});

it('every kind of attack has a program, and every sample one of each', () => {
  for (const seed of [0, 1, 20_261_129]) {
    expect(sample(seed).map(({ kind }) => kind)).toEqual(KINDS);
    expect([...new Set(sample(seed, EACH).map(({ kind }) => kind))]).toEqual(KINDS);
    expect(sample(seed, EACH)).toEqual(expect.arrayContaining([...sample(seed)]));
  }
  expect(sample('all')).toHaveLength(PROGRAMS.length);
  expect(new Set(PROGRAMS.map(({ kind, name }) => `${kind}: ${name}`)).size).toBe(PROGRAMS.length);
});
