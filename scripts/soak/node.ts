/** The soak in Node: batches, and between them what the process still holds. */
import { createCodeMode } from 'react-code-mode/core';
import { createNodeExecutor } from 'react-code-mode/node';
import type { Sample, SoakReport } from './report.ts';
import { type Soak, type SoakOptions, createSoak } from './soak.ts';
import { createTools } from './tools.ts';
import { type NodeWatch, watchNode } from './watch-node.ts';

export interface NodeSoakOptions extends Omit<SoakOptions, 'executor'> {
  readonly batches: number;
  /** Also measure what runs leave in a session that stays open: so many of each kind. */
  readonly keptRuns?: number;
  say?(line: string): void;
}

type NodeExecutor = ReturnType<typeof createNodeExecutor>;

/** How long a worker that was ended may take to exit. Milliseconds. */
const REST_MS = 10_000;

export async function soakNode(options: NodeSoakOptions): Promise<SoakReport> {
  const { runs, batches, seed, lanes, keptRuns = 0, say } = options;
  const watch = watchNode();
  const executor = createNodeExecutor();
  const soak = createSoak({ executor, seed, lanes });
  const samples: Sample[] = [];
  const wrong: string[] = [];
  const total = { runs: 0, sessions: 0, killed: 0 };
  try {
    for (let i = 0; i < batches; i++) {
      const batch = await soak.batch(Math.round((runs * (i + 1)) / batches) - total.runs);
      total.runs += batch.runs;
      total.sessions += batch.sessions;
      total.killed += batch.killed;
      wrong.push(...batch.wrong);
      for (const why of batch.wrong) say?.(why);
      samples.push({ ...total, ...(await sample(soak, executor, watch)) });
      say?.(line(samples.at(-1)!, wrong.length));
    }
    const keptPerRun = keptRuns > 0 ? await measureKept(executor, watch, keptRuns) : [];
    await soak.dispose();
    await executor[Symbol.asyncDispose]();
    await quiet(() => watch.held().workers === 0);
    await watch.collect();
    const { workers, ports } = watch.held();
    return {
      platform: `Node ${process.versions.node}`,
      seed,
      mostPorts: { between: 1, atEnd: 0 },
      samples,
      wrong,
      keptPerRun,
      atEnd: { workers, ports },
    };
  } finally {
    watch.stop();
  }
}

function line({ runs, heap, rss, workers, ports }: Sample, wrong: number): string {
  const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  return `${runs} runs: heap ${mb(heap)}, resident ${mb(rss)}, ${workers} workers, ${ports} ports, ${wrong} wrong`;
}

async function quiet(done: () => boolean): Promise<void> {
  const until = performance.now() + REST_MS;
  while (!done() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function sample(
  soak: Soak,
  executor: NodeExecutor,
  watch: NodeWatch,
): Promise<Omit<Sample, 'runs' | 'sessions' | 'killed'>> {
  // Only the spare is left.
  await quiet(() => executor.load.spare === 1 && watch.held().workers === 1);
  await watch.collect();
  const { heapUsed, rss } = process.memoryUsage();
  const { workers, ports } = watch.held();
  const { busy, idle, queued, waitingForSlot } = executor.load;
  return {
    heap: heapUsed,
    rss,
    workers,
    ports,
    listeners: watch.listeners(soak.signal),
    handlersOpen: soak.handlersOpen,
    journals: await soak.journals(),
    poolBusy: busy + idle + queued + waitingForSlot,
  };
}

const KEPT = [
  { what: 'a run without calls', source: 'return 1;' },
  { what: 'a run with one call', source: 'return (await tools.echo({ i: 1 })).i;' },
  {
    what: 'a run with ten calls',
    source: 'let sum = 0; for (let i = 0; i < 10; i++) sum += (await tools.echo({ i })).i; return sum;',
  },
];

/** What each run leaves behind while its session stays open: journal, read model, ids. */
async function measureKept(executor: NodeExecutor, watch: NodeWatch, runs: number): Promise<{ what: string; bytes: number }[]> {
  const kept = [];
  for (const { what, source } of KEPT) {
    const codeMode = createCodeMode({ tools: createTools().list, executor });
    const session = codeMode.session();
    const play = async (count: number): Promise<number> => {
      for (let i = 0; i < count; i++) await session.run(source).outcome;
      await watch.collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await play(Math.ceil(runs / 4));
    kept.push({ what, bytes: ((await play(runs)) - before) / runs });
    await codeMode[Symbol.asyncDispose]();
  }
  return kept;
}
