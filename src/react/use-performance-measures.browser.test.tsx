import { afterAll, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { createCodeMode } from '../session/create-code-mode.ts';
import type { Session } from '../session/types.ts';
import { usePerformanceMeasures } from './use-performance-measures.ts';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const codeMode = createCodeMode({
  tools: [{ name: 'slow', risk: 'read', execute: async ({ ms }: { ms: number }) => (await wait(ms), ms) }],
});
afterAll(() => codeMode[Symbol.asyncDispose]());

function Watch({ session }: { readonly session: Session }) {
  usePerformanceMeasures(session);
  return null;
}

/** What the performance panel of the browser shows in its timings lane. */
const measures = () => performance.getEntriesByType('measure') as PerformanceMeasure[];

test('the performance panel shows each run and each call, where they were, once however many views watch', async () => {
  const session = codeMode.session();
  const views = await render(
    <>
      <Watch session={session} />
      <Watch session={session} />
    </>,
  );
  performance.clearMeasures();
  const from = performance.now();
  const source = 'return Promise.all([tools.slow({ ms: 60 }), tools.slow({ ms: 90 })])';
  const outcome = await session.run(source, { id: 'r', title: 'Both' }).outcome;
  expect(outcome).toMatchObject({ status: 'completed', value: [60, 90] });
  await expect.poll(() => measures().length, { timeout: 10_000 }).toBe(3);
  const to = performance.now();

  const run = measures().find(({ name }) => name === 'code mode run: Both')!;
  const calls = measures().filter(({ name }) => name === 'code mode call: slow');
  expect(run.detail).toEqual({ runId: 'r', status: 'completed' });
  expect(calls.map(({ detail }) => detail as unknown)).toEqual(outcome.calls.map(({ callId, status }) => ({ callId, status })));
  // Facts have whole milliseconds, of another clock that may be off by one.
  for (const { startTime, duration } of [run, ...calls]) {
    expect(startTime).toBeGreaterThan(from - 3);
    expect(startTime + duration).toBeLessThan(to + 3);
  }
  for (const { startTime, duration } of calls) {
    expect(startTime).toBeGreaterThanOrEqual(run.startTime);
    expect(startTime + duration).toBeLessThanOrEqual(run.startTime + run.duration);
  }
  expect(calls[1]!.duration).toBeGreaterThan(80);
  // In parallel: they overlap.
  expect(calls[1]!.startTime).toBeLessThan(calls[0]!.startTime + calls[0]!.duration);

  await views.unmount();
  performance.clearMeasures();
  await session.run('return tools.slow({ ms: 1 })').outcome;
  await wait(50);
  expect(measures()).toEqual([]);
});
