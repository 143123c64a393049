/** A run that begins as an earlier one did has its results, and nothing else of what was decided or done in it. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../../bridge/node-worker-executor.ts';
import type { Tool } from '../../catalog/tool.ts';
import type { DecisionScope } from '../../policy/types.ts';
import { createLimitBench, held, pendingCall, tool, until } from '../test-tools/limit-bench.ts';

vi.setConfig({ testTimeout: 60_000 });

const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());
const bench = createLimitBench(() => executor);

describe('a new run from one call of an earlier one on', () => {
  it.each<[string, DecisionScope]>([
    ['a decision that was made and not used', 'once'],
    ['a permission for the earlier run', 'run'],
  ])('does not live on %s', async (_, scope) => {
    const [slow, paid] = [held(), vi.fn(({ n }: { n: number }) => n)];
    const tools = [tool('slow', slow.execute), tool('pay', paid, { risk: 'write', needsApproval: true })];
    const session = bench.session({ tools, limits: { maxConcurrentCalls: 1 } });
    const first = scope === 'once' ? '' : 'await tools.pay({ n: 1 });';
    const run = session.run(`${first} await Promise.all([tools.slow({}), tools.pay({ n: 2 }), tools.slow({})])`);
    await session.decide(await pendingCall(session), { kind: 'allow', scope });
    await until(() => expect(slow.arrived()).toBe(1));
    run.cancel();
    await run.outcome;
    const before = paid.mock.calls.length;
    const again = session.retryFrom(`${run.id}:${before + 3}`);
    const asked = await pendingCall(session);
    await session.decide(asked, { kind: 'deny' });
    slow.release();
    await again.outcome;
    expect(paid).toHaveBeenCalledTimes(before);
  });

  it('takes back what it did itself: what it took over is the other run’s', async () => {
    const reverted: number[] = [];
    const revert: Tool['revert'] = ({ n }: { n: number }) => void reverted.push(n);
    const session = bench.session({ tools: [tool('add', ({ n }: { n: number }) => n, { risk: 'write', revert })] });
    const run = session.run('return [await tools.add({ n: 1 }), await tools.add({ n: 2 })]');
    await run.outcome;
    const again = session.retryFrom(`${run.id}:2`);
    expect(await again.outcome).toMatchObject({ value: [1, 2] });
    expect(await session.undo(again.id)).toMatchObject({ status: 'undone', undone: [`${again.id}:2`] });
    expect(await session.undo(run.id)).toMatchObject({ status: 'undone', undone: [`${run.id}:2`, `${run.id}:1`] });
    expect(reverted).toEqual([2, 2, 1]);
  });
});
