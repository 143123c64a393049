import { describe, expect, it } from 'vitest';
import type { ClockReads, Delivery, Frame, WireCall, WireReply } from '../../src/protocol/wire.ts';
import { answer, createTestSandbox, type Handlers, requestOf } from './test-tools/drive.ts';

interface Recorded {
  readonly deliveries: readonly Delivery[];
  readonly clock: ClockReads;
  readonly replies: readonly WireReply[];
  readonly calls: readonly WireCall[];
  readonly output: readonly unknown[];
}

const sandbox = await createTestSandbox();

async function run(source: string, handlers: Handlers, script?: Recorded) {
  const request = requestOf(source, handlers, script ? { replay: script } : {});
  const frames: Frame[] = [];
  const replies: WireReply[] = [];
  const known = new Set(script?.deliveries.flatMap(({ kind, id }) => (kind === 'call' ? [id] : [])));
  const reply = await sandbox.run(request, (frame) => {
    frames.push(frame);
    for (const call of frame.calls) {
      if (known.has(call.id)) continue;
      void answer(call, handlers).then((ready) => {
        replies.push(ready);
        sandbox.settle(request.runId, [ready]);
      });
    }
  });
  const recorded: Recorded = {
    deliveries: frames.flatMap(({ delivered }) => delivered),
    clock: frames.flatMap(({ clock }) => clock),
    replies,
    calls: frames.flatMap(({ calls }) => calls),
    output: frames.flatMap(({ output }) => output),
  };
  return { reply, recorded, frames };
}

/** The first `n` deliveries, with the readings that came with them. */
function until({ deliveries, replies }: Recorded, n: number, clock: ClockReads = []): Recorded {
  return { deliveries: deliveries.slice(0, n), replies, clock, calls: [], output: [] };
}

const MIXED = `
const log = [];
const start = Date.now();
log.push(typeof start);
const [a, b] = await Promise.all([tools.slow({ ms: 15, n: 1 }), tools.slow({ ms: 2, n: 2 })]);
log.push(a.n, b.n);
await new Promise((resolve) => setTimeout(resolve, 20));
console.log('timer');
const order = [];
await Promise.all([
  tools.slow({ ms: 8, n: 3 }).then(({ n }) => order.push(n)),
  new Promise((resolve) => setTimeout(resolve, 1)).then(() => order.push('t')),
  tools.fails({}).catch((error) => order.push(error.message)),
]);
return { log, order, at: Date.now() - start >= 0, id: crypto.randomUUID(), r: Math.random() };`;

const handlers: Handlers = {
  slow: async ({ ms, n }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { n };
  },
  fails: () => {
    throw new Error('no');
  },
};
const never: Handlers = { slow: () => new Promise(() => {}), fails: () => new Promise(() => {}) };

describe('a program that is replayed', () => {
  it('gets to its end by the record alone: same calls, same output, same value', async () => {
    const first = await run(MIXED, handlers);
    expect(first.reply.status).toBe('completed');
    const again = await run(MIXED, never, first.recorded);
    expect(again.reply).toMatchObject({ status: 'completed', value: (first.reply as { value?: string }).value });
    expect(again.recorded.calls).toEqual(first.recorded.calls);
    expect(again.recorded.output).toEqual(first.recorded.output);
    // What was replayed is not told again.
    expect([again.recorded.deliveries, again.recorded.clock]).toEqual([[], []]);
  });

  it('goes on live from any place', async () => {
    const first = await run(MIXED, handlers);
    for (let n = 0; n <= first.recorded.deliveries.length; n++) {
      const again = await run(MIXED, handlers, until(first.recorded, n));
      expect(again.reply.status, `after ${n}`).toBe('completed');
      expect(again.recorded.deliveries).toHaveLength(first.recorded.deliveries.length - n);
      expect(again.recorded.calls.map(({ tool, input }) => [tool, input])).toEqual(
        first.recorded.calls.map(({ tool, input }) => [tool, input]),
      );
    }
  });

  it('reads the recorded clock, then one that does not go back', async () => {
    const source = 'const a = [Date.now(), Date.now(), Date.now()]; await tools.slow({ ms: 1 }); return [...a, Date.now()]';
    const far = Date.now() + 1_000_000;
    const again = await run(source, handlers, {
      ...until({ deliveries: [], replies: [] } as unknown as Recorded, 0),
      clock: [
        [far, 2],
        [5, 1],
      ],
    });
    expect(again.reply).toMatchObject({ value: `[${far},${far},${far + 5},${far + 5}]` });
    expect(again.recorded.clock).toEqual([[0, 1]]);
  });

  it('ticks an interval as often as it did', async () => {
    const source =
      'let n = 0; await new Promise((done) => { const id = setInterval(() => { if (++n === 4) { clearInterval(id); done(); } }, 1); }); return n';
    const first = await run(source, {});
    expect(first.recorded.deliveries).toHaveLength(4);
    for (let n = 0; n <= 4; n++) expect((await run(source, {}, until(first.recorded, n))).reply).toMatchObject({ value: '4' });
  });
});

describe('a program that goes another way', () => {
  const recorded = async () =>
    (await run('await tools.slow({ ms: 1, n: 1 }); return tools.slow({ ms: 1, n: 2 })', handlers)).recorded;

  it('fails when it ends before it got everything', async () => {
    const again = await run('await tools.slow({ ms: 1, n: 1 }); return 1', never, await recorded());
    expect(again.reply).toMatchObject({ status: 'failed', error: { code: 'replay_diverged' } });
  });

  it('fails when it does not wait for what it got', async () => {
    const again = await run('await new Promise((done) => setTimeout(done, 1)); return tools.slow({})', never, await recorded());
    expect(again.reply).toMatchObject({ status: 'failed', error: { code: 'replay_diverged' } });
    expect(again.recorded.calls).toEqual([]);
  });

  it('fails when it throws on the way', async () => {
    const again = await run('await tools.slow({ ms: 1, n: 1 }); throw new Error("x")', never, await recorded());
    expect(again.reply).toMatchObject({ status: 'failed', error: { code: 'replay_diverged' } });
  });
});
