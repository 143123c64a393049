/** The whole corpus in Node. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../../src/bridge/node-worker-executor.ts';
import { checkProgram, createScene } from './check-program.ts';
import { KINDS, PROGRAMS, sample } from './programs.ts';
import { watchPage } from './watch-page.ts';

vi.setConfig({ testTimeout: 60_000 });

const scene = createScene(createNodeExecutor());
afterAll(() => scene[Symbol.asyncDispose]());

describe.each(KINDS)('%s', (kind) => {
  it.each(PROGRAMS.filter((each) => each.kind === kind))('$name', async (attack) => {
    expect(await checkProgram(attack, scene, watchPage)).toBeLessThan(3_000);
  });
});

it('every kind of attack has a program, and every sample one of each', () => {
  for (const seed of [0, 1, 20_261_129]) expect(sample(seed).map(({ kind }) => kind)).toEqual(KINDS);
  expect(sample('all')).toHaveLength(PROGRAMS.length);
  expect(new Set(PROGRAMS.map(({ kind, name }) => `${kind}: ${name}`)).size).toBe(PROGRAMS.length);
});
