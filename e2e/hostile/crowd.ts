/** Sixteen conversations at once, with programs that compute, wait and fail: what must hold on every platform. */
import { expect, test, vi } from 'vitest';
import type { PooledExecutor, PooledExecutorOptions } from '../../src/bridge/pooled-executor.ts';
import { defineTool } from '../../src/catalog/tool.ts';
import { createCodeMode } from '../../src/session/create-code-mode.ts';
import type { Limits } from '../../src/protocol/limits.ts';
import type { CodeMode, Run, Session } from '../../src/session/types.ts';

const MANY = 16;
const PATIENCE = { timeout: 60_000 };

interface Who {
  readonly me: number;
}

interface Crowd extends AsyncDisposable {
  readonly codeMode: CodeMode<Who>;
  readonly sessions: readonly Session<Who>[];
  /** Who called, by the page's own word, and with what input. */
  readonly noted: { readonly by: number; readonly input: unknown }[];
  /** Lets the calls of `slow` come back. */
  open(): void;
}

function gather(executor: PooledExecutor, limits: Partial<Limits> = {}): Crowd {
  const noted: Crowd['noted'] = [];
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const codeMode = createCodeMode<Who>({
    executor,
    tools: [
      defineTool<Who, Who, Who>({
        name: 'note',
        risk: 'read',
        execute: (input, { context }) => {
          noted.push({ by: context.me, input });
          return input;
        },
      }),
      defineTool<Who, Who, Who>({
        name: 'slow',
        risk: 'read',
        execute: async (input) => {
          await gate;
          return input;
        },
      }),
    ],
    limits: { memoryBytes: 16 * 1024 * 1024, ...limits },
  });
  const sessions = Array.from({ length: MANY }, (_, me) => codeMode.session({ context: { me } }));
  const dispose = async (): Promise<void> => {
    await codeMode[Symbol.asyncDispose]();
    await executor[Symbol.asyncDispose]();
  };
  return { codeMode, sessions, noted, open, [Symbol.asyncDispose]: dispose };
}

const ENDLESS = 'for (;;);';

/** Every fourth of them does the same kind of thing. */
function programOf(me: number): string {
  const begin = `globalThis.mine = ${me}; console.log('I am', ${me}); await tools.note({ me: ${me} });`;
  const end = `console.log('still', mine); return [mine, ${me}]`;
  return [
    `${begin} let sum = 0; for (let i = 0; i < 3e5; i++) sum += i % 7; ${end}`,
    `${begin} const got = await tools.slow({ me: ${me} }); if (got.me !== ${me}) throw new Error('not mine'); ${end}`,
    `${begin} console.log('still', mine); throw new RangeError('failed ' + mine)`,
    `${begin} ${end}`,
  ][me % 4]!;
}

async function checkMine(run: Run, me: number): Promise<void> {
  const outcome = await run.outcome;
  if (me % 4 === 2) expect(outcome).toMatchObject({ status: 'failed', error: { name: 'RangeError', message: `failed ${me}` } });
  else expect(outcome).toMatchObject({ status: 'completed', value: [me, me] });
  expect(outcome.output.map((item) => item.kind === 'console' && item.text)).toEqual([`I am ${me}`, `still ${me}`]);
  expect(outcome.calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual(
    me % 4 === 1 ? ['note succeeded', 'slow succeeded'] : ['note succeeded'],
  );
}

export function describeCrowd(create: (options?: PooledExecutorOptions) => PooledExecutor): void {
  test('sixteen sessions that compute, wait and fail at once keep apart', PATIENCE, async () => {
    await using crowd = gather(create());
    const runs = crowd.sessions.map((session, me) => session.run(programOf(me)));
    // Those that wait have workers; whoever does not wait is done before they go on.
    await Promise.all(runs.filter((_, me) => me % 4 !== 1).map((run) => run.outcome));
    crowd.open();
    await Promise.all(runs.map(checkMine));
    expect(crowd.noted.map(({ by }) => by).sort((a, b) => a - b)).toEqual(Array.from({ length: MANY }, (_, me) => me));
    for (const { by, input } of crowd.noted) expect(input).toEqual({ me: by });
    crowd.sessions.forEach((session, me) => {
      const texts = JSON.stringify(session.journal.events);
      for (let other = 0; other < MANY; other++) expect(texts.includes(`I am ${other}"`)).toBe(other === me);
    });
  });

  test('short programs do not wait for the end of long ones, though these hold every slot', PATIENCE, async () => {
    await using crowd = gather(create({ maxComputing: 2 }));
    const [one, two, ...others] = crowd.sessions;
    const long = [one!, two!].map((session) => session.run(ENDLESS));
    let ended = 0;
    for (const run of long) void run.outcome.then(() => ended++);
    const short = others.map((session) => session.run('await tools.note({ me: 1 }); return 1'));
    for (const run of short) expect(await run.outcome).toMatchObject({ status: 'completed', value: 1 });
    expect(ended).toBe(0);
    for (const run of long) run.cancel();
    for (const run of long) expect(await run.outcome).toMatchObject({ status: 'cancelled' });
  });

  test('with the pool full, runs start in the order they came, and say that they wait', PATIENCE, async () => {
    await using crowd = gather(create(), { maxWorkers: 1 });
    const held = crowd.sessions[0]!.run('await tools.slow({ me: 0 }); return 0');
    await vi.waitFor(() => expect(crowd.sessions[0]!.store.getState().runs[held.id]?.status).toBe('running'), 20_000);
    const others = crowd.sessions.slice(1);
    const runs = others.map((session, index) => session.run(`await tools.note({ me: ${index + 1} }); return ${index + 1}`));
    await vi.waitFor(() => {
      for (const [index, session] of others.entries())
        expect(session.store.getState().runs[runs[index]!.id]?.status).toBe('queued');
    }, 20_000);
    expect(crowd.noted).toEqual([]);
    crowd.open();
    await Promise.all([held, ...runs].map((run) => run.outcome));
    expect(crowd.noted.map(({ by }) => by)).toEqual(others.map((_, index) => index + 1));
  });

  test('cancelling some, whatever they do, leaves the others as they are', PATIENCE, async () => {
    await using crowd = gather(create());
    const runs = crowd.sessions.map((session, me) =>
      session.run(
        me < 4
          ? `console.log('in'); await tools.note({ me: ${me} }); ${me % 2 ? ENDLESS : 'await tools.slow({ me: 0 })'}`
          : programOf(me),
      ),
    );
    await vi.waitFor(() => expect(crowd.noted.filter(({ by }) => by < 4)).toHaveLength(4), 20_000);
    for (const run of runs.slice(0, 4)) run.cancel('no longer wanted');
    for (const run of runs.slice(0, 4))
      expect(await run.outcome).toMatchObject({ status: 'cancelled', reason: 'no longer wanted' });
    crowd.open();
    await Promise.all(runs.slice(4).map((run, index) => checkMine(run, index + 4)));
    expect(await crowd.sessions[0]!.run('return 8').outcome).toMatchObject({ status: 'completed', value: 8 });
  });

  test(
    'runs of one session go one after another, in the order they came, a failed or cancelled one included',
    PATIENCE,
    async () => {
      await using crowd = gather(create());
      const [session, other] = crowd.sessions;
      const runs = Array.from({ length: 6 }, (_, step) =>
        session!.run(`await tools.note({ me: ${step} }); ${step === 1 ? 'throw 1' : step === 3 ? ENDLESS : `return ${step}`}`),
      );
      await vi.waitFor(() => expect(crowd.noted.map(({ input }) => input)).toEqual([0, 1, 2, 3].map((me) => ({ me }))), 20_000);
      // Another session does not wait for any of them.
      expect(await other!.run('return 1').outcome).toMatchObject({ status: 'completed' });
      expect(session!.store.getState().runs[runs[4]!.id]?.status).toBe('queued');
      runs[3]!.cancel();
      const ends = await Promise.all(runs.map((run) => run.outcome));
      expect(ends.map(({ status }) => status)).toEqual([
        'completed',
        'failed',
        'completed',
        'cancelled',
        'completed',
        'completed',
      ]);
      expect(crowd.noted.map(({ input }) => input)).toEqual([0, 1, 2, 3, 4, 5].map((me) => ({ me })));
    },
  );
}
