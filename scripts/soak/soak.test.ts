import { describe, expect, it } from 'vitest';
import { createCodeMode } from 'react-code-mode/core';
import { createNodeExecutor } from 'react-code-mode/node';
import { soakNode } from './node.ts';
import { PROGRAMS } from './programs.ts';
import { type Sample, faults, growth } from './report.ts';
import { createTools } from './tools.ts';
import { type Held, watchNode } from './watch-node.ts';

describe('a short soak', () => {
  it('leaves nothing behind after 200 mixed runs, a tenth of them killed', async () => {
    const report = await soakNode({ runs: 200, batches: 5, seed: 1, lanes: 4 });
    // So few runs cannot tell a leak of bytes from warming up; what is counted is exact.
    expect(faults({ ...report, samples: report.samples.map((sample) => ({ ...sample, heap: 0, rss: 0 })) })).toEqual([]);
    expect(report.samples.at(-1)).toMatchObject({ runs: 200 });
  }, 60_000);

  it('kills a tenth', () => {
    const weight = (programs: readonly { readonly weight: number }[]): number =>
      programs.reduce((sum, program) => sum + program.weight, 0);
    expect(weight(PROGRAMS.filter(({ killed }) => killed)) / weight(PROGRAMS)).toBeCloseTo(0.1);
  });
});

describe('a session that stays open', () => {
  it('holds after 500 runs with three calls each what it held after five, and nothing once it is disposed', async () => {
    const watch = watchNode();
    try {
      const executor = createNodeExecutor();
      const codeMode = createCodeMode({ tools: createTools().list, executor });
      const session = codeMode.session();
      const held = async (runs: number): Promise<Held> => {
        for (let i = 0; i < runs; i++) {
          const end = await session.run('for (let i = 0; i < 3; i++) await tools.echo({ i }); return 3;').outcome;
          expect(end).toMatchObject({ status: 'completed', value: 3 });
        }
        await codeMode.warmUp();
        await watch.collect();
        return watch.held();
      };
      const { workers, ports } = await held(5);
      expect(await held(495)).toMatchObject({ workers, ports });
      await codeMode[Symbol.asyncDispose]();
      await executor[Symbol.asyncDispose]();
      await expect.poll(() => watch.held()).toMatchObject({ workers: 0, ports: 0 });
    } finally {
      watch.stop();
    }
  }, 60_000);
});

describe('the judge of a soak', () => {
  const at = (runs: number, more: Partial<Sample> = {}): Sample => ({
    runs,
    sessions: 0,
    killed: 0,
    heap: 2e7,
    rss: 1e8,
    workers: 1,
    ports: 1,
    listeners: 0,
    handlersOpen: 0,
    journals: 0,
    poolBusy: 0,
    ...more,
  });
  const judge = (samples: readonly Sample[], atEnd = { workers: 0, ports: 0 }): string[] =>
    faults({ platform: '', seed: 1, mostPorts: { between: 1, atEnd: 0 }, samples, wrong: [], atEnd });
  const steps = Array.from({ length: 30 }, (_, i) => i * 300);

  it('is content with figures that stay where they are, whatever the first third did', () => {
    expect(judge(steps.map((runs, i) => at(runs, { heap: i < 10 ? 1e7 + i * 1e6 : 2e7 })))).toEqual([]);
  });

  it('sees memory that grows by little with every run', () => {
    const samples = steps.map((runs) => at(runs, { heap: 2e7 + runs * 400, rss: 1e8 + runs * 6_000 }));
    expect(growth(samples).perRun).toEqual({ heap: expect.closeTo(400), rss: expect.closeTo(6_000) });
    expect(judge(samples)).toEqual([
      expect.stringMatching(/^heap grows by 2.2 MiB/),
      expect.stringMatching(/^rss grows by 32.6 MiB/),
    ]);
  });

  it.each(['workers', 'ports', 'listeners', 'handlersOpen', 'journals', 'poolBusy'] as const)('sees %s left over', (name) => {
    expect(judge([at(0), at(300, { [name]: 2 })])).toEqual([expect.stringContaining(name)]);
  });

  it('sees what is left when all is disposed', () => {
    expect(judge([at(0)], { workers: 1, ports: 0 })).toEqual(['1 workers after everything was disposed']);
    expect(judge([at(0)], { workers: 0, ports: 1 })).toEqual(['1 ports after everything was disposed']);
  });
});
